"""Hostile logs get a clear answer from the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import main
from generator.cli.matching import load_matcher
from generator.diagnose import sources_of
from generator.diagnose.incident import gather


@pytest.mark.parametrize(
    "content",
    [
        b'x\n{"msg":"\\ud800abc failed"}\n',
        b"\x00\xff\xfe\x00binary\x00",
        b"",
        b"\xed\xa0\x80 half a character\n",
        b"<...>" * 20_000,
        b"[rank1]: " * 5_000 + b"\n",
        b"\n" * 300_000,
        b"\r" * 300_000,
        b" \r\n" * 100_000,
        b"50%|##\r" * 100_000 + b"\n",
        (b"12%|#\r" * 50 + b"\n") * 2_000,
        b"<...> <int:a> <word>\n" * 20_000,
        b"\x1b]" * 200_000 + b"\x1b[" * 200_000,
        b'{"n":' + b"[" * 60_000 + b"]" * 60_000 + b',"msg":"x"}\n',
        b'{"n":"' + b'\\"' * 30_000 + b"\n",
        ("\u65e5" * 60_000 + "\n").encode(),
        bytes(range(256)) * 4_000,
        "x y\n".encode("utf-16") * 20_000,
    ],
)
def test_the_answer_is_an_object_and_claims_nothing(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "rank0.log"
    file.write_bytes(content)
    done = CliRunner().invoke(main, ["diagnose", "--format", "json", str(file)])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert answer["findings"] == []
    assert answer["scanned"]["bytes"] == len(content)


def test_a_text_in_a_line_of_many_megabytes_is_found(tmp_path: Path) -> None:
    text = b"RuntimeError: DataLoader worker (pid 7) is killed by signal: Killed. "
    file = tmp_path / "rank0.log"
    file.write_bytes(b"x " * 4_000_000 + text + b"y " * 1_000_000)
    done = CliRunner().invoke(main, ["diagnose", "--format", "json", str(file)])
    answer = json.loads(done.stdout)
    lines = [one["line"] for one in (*answer["findings"], *answer["suggestions"])]
    assert 1 in lines, answer
    assert answer["scanned"]["lines"] == 1


def test_ten_thousand_ranks(tmp_path: Path) -> None:
    for rank in range(10_000):
        cause = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB."
        report = "RuntimeError: [1] is setting up NCCL communicator: Connection reset by peer"
        text = f"step 1\n{cause if rank == 77 else report}\n"
        (tmp_path / f"rank{rank}.log").write_text(text)
    done = CliRunner().invoke(main, ["diagnose", "--format", "json", str(tmp_path)])
    answer = json.loads(done.stdout)
    assert answer["scanned"]["files"] == 10_000
    assert len(answer["scanned"]["ranks"]) == 10_000
    assert [first["rank"] for first in answer["first"]] == [77]


def test_a_node_beyond_ascii_is_one_node(tmp_path: Path) -> None:
    file = tmp_path / "pod.log"
    line = "[pod/tr\u00e4in-1/main] [rank{}]: step 1 loss 1.0\n"
    file.write_text("".join(line.format(at % 2) for at in range(6_000)), encoding="utf-8")
    matcher = load_matcher((), ())
    assert gather(sources_of(file), matcher, "pod").one_node
