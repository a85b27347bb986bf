"""What the commands print in a terminal: commands as they are to be pasted, and nothing that steers it."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from generator.cli import main
from generator.load import load_encyclopedia

ROOT = Path(__file__).parents[2]


def run(monkeypatch: pytest.MonkeyPatch, arguments: Sequence[str]) -> None:
    monkeypatch.setattr(sys, "argv", ["faultbook", *arguments])
    with pytest.raises(SystemExit):
        main()


def test_confirming_commands_are_printed_as_written(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    entries = load_encyclopedia(ROOT / "entries").encyclopedia.entries.values()
    special = [entry for entry in entries if "\\[" in entry.cheapest.run]
    assert special
    for entry in special:
        run(monkeypatch, ["explain", entry.id])
        shown = capsys.readouterr().out
        for line in entry.cheapest.run.splitlines():
            assert f"  {line}\n" in shown


@pytest.mark.parametrize("character", ["\x1bP", "\x07", "\x9b31m", "\x7f", "\x08"])
def test_a_log_cannot_steer_the_terminal(
    character: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    log = tmp_path / "rank0.log"
    text = f"OSError: [Errno 28] No space left on device: '/data/{character}x'\n"
    log.write_text(text, encoding="utf-8")
    run(monkeypatch, ["diagnose", str(log)])
    shown = capsys.readouterr().out
    assert "No space left on device" in shown or "disk-full-during-training" in shown
    assert character[0] not in shown


def test_markup_in_a_log_is_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "rank0.log"
    log.write_text("torch.OutOfMemoryError: [bold]CUDA out of memory[/] [/nothing]\n")
    run(monkeypatch, ["diagnose", str(log)])
    assert "[/nothing]" in capsys.readouterr().out


def test_an_entry_found_on_many_ranks_is_shown_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for rank in range(64):
        (tmp_path / f"rank{rank}.log").write_text(
            "Watchdog caught collective operation timeout: WorkNCCL(SeqNum=8, OpType=ALLREDUCE, "
            "NumelIn=1, NumelOut=1, Timeout(ms)=600000) ran for 600029 milliseconds before "
            "timing out.\n"
        )
    run(monkeypatch, ["diagnose", str(tmp_path)])
    shown = capsys.readouterr().out
    title = "NCCL watchdog reports a collective operation timeout"
    assert shown.count(title) == 1
    assert "and 61 more, on ranks " in shown
