"""The commands diagnose, search, explain and evaluate."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import main

ROOT = Path(__file__).parents[2]
PACK = ROOT / "tests" / "acceptance" / "diagnose" / "pack.yml"
OOM = (
    "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 546.00 MiB. GPU 0 has a total "
    "capacity of 15.77 GiB of which 514.19 MiB is free."
)


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(main, [*arguments, "--signatures", str(PACK)], input=text)


def test_findings_exit_with_one() -> None:
    result = run(
        "diagnose",
        "-",
        "--format",
        "json",
        text="[rank3]: Stalled ops:broadcast [missing ranks: 1]\n",
    )
    data = json.loads(result.stdout)
    assert result.exit_code == 1
    assert set(data) == {
        "schema",
        "input",
        "verdict",
        "findings",
        "first",
        "suggestions",
        "missing",
        "next",
        "scanned",
    }
    assert data["findings"][0]["id"] == "horovod-stalled-tensors"
    assert data["scanned"] == {"files": 1, "lines": 1, "bytes": 50, "ranks": [3]}


def test_nothing_found_exits_with_zero_and_says_so() -> None:
    result = run("diagnose", "-", text="the cat sat on the mat\n")
    assert result.exit_code == 0
    assert "No entry matches" in result.stdout


def test_each_prints_one_object_a_line(tmp_path: Path) -> None:
    for name in ("a.log", "b.log"):
        (tmp_path / name).write_text(
            "CUDA driver version is insufficient for CUDA runtime version\n"
        )
    result = run("diagnose", "--each", str(tmp_path))
    assert [json.loads(line)["input"] for line in result.stdout.splitlines()] == ["a.log", "b.log"]


def test_unreadable_input_exits_with_two(tmp_path: Path) -> None:
    result = run("diagnose", str(tmp_path / "nowhere.log"))
    assert result.exit_code == 2
    assert "nowhere.log" in result.stderr
    assert "Traceback" not in result.stderr


def test_search_tells_grades_apart() -> None:
    result = run("search", "training hangs at the end of an epoch", "--format", "json")
    first = json.loads(result.stdout)["results"][0]
    assert (first["id"], first["grade"]) == ("uneven-batches-per-rank", "guess")


def test_explain_shows_an_entry_and_guesses_at_misspelt_ids() -> None:
    assert "Ranks have different numbers" in run("explain", "uneven-batches-per-rank").stdout
    result = run("explain", "uneven-batches-per-rnk")
    assert result.exit_code == 2
    assert "did you mean 'uneven-batches-per-rank'" in result.stderr


def test_a_bad_pack_names_the_line(tmp_path: Path) -> None:
    pack = tmp_path / "bad.yml"
    pack.write_text("- id: x\n  title: X\n  signatures:\n    - {match: 'long enough text'}\n")
    result = CliRunner().invoke(main, ["search", "x", "--signatures", str(pack)])
    assert result.exit_code == 2
    assert "bad.yml:4" in result.stderr
    assert "specific" in result.stderr


def test_evaluate_counts_even_and_odd_apart(tmp_path: Path) -> None:
    cases = tmp_path / "cases.yml"
    cases.write_text(
        f"- {{case: c1, input: {json.dumps(OOM)}, expect: cuda-out-of-memory}}\n"
        "- {case: c2, input: nothing here, expect: cuda-out-of-memory}\n"
    )
    result = run("evaluate", str(cases), "--format", "json")
    data = json.loads(result.stdout)
    assert data["odd"]["cases"] == data["even"]["cases"] == 1
    assert data["even"]["first_place"] == 0
    assert data["even"]["missed"] == ["c2"]


@pytest.mark.parametrize("command", ["diagnose", "search", "explain", "evaluate"])
def test_wrong_usage_exits_with_two(command: str) -> None:
    assert CliRunner().invoke(main, [command]).exit_code == 2
