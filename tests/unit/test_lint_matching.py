"""Samples read with the matcher: each shows its own entry, and no other for certain."""

from __future__ import annotations

import json
import shutil
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import main
from generator.lint import WARNINGS, check_matching
from generator.load import load_encyclopedia
from tests.tools import ROOT

BROKEN = ROOT / "tests/acceptance/broken"
OWN = "FluxError: capacitor <int:number> is empty"
SAMPLE = "FluxError: capacitor 7 is empty"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two entries without relations, each with its own text and a sample of it."""
    shutil.copytree(BROKEN / "_base" / "entries", tmp_path / "entries")
    shutil.copytree(BROKEN / "fine" / "entries", tmp_path / "entries", dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    root = Path("entries")
    for name in ("storage/full-disk.yml", "memory/out-of-memory.yml"):
        path = root / name
        text = path.read_text(encoding="utf-8")
        start, end = text.index("signatures:"), text.index("symptoms:")
        path.write_text(text[:start] + "SIGNATURES\n" + text[end:], encoding="utf-8")
    edit(root / "memory/out-of-memory.yml", "relations:\n", "RELATIONS\n")
    text = (root / "memory/out-of-memory.yml").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if "full-disk" not in line]
    (root / "memory/out-of-memory.yml").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return root


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def signature(match: str, *, specific: bool = True, more: str = "") -> str:
    return (
        f"  - match: {json.dumps(match)}\n{more}    printed_by: {{program: x, where: y}}\n"
        f"    specific: {str(specific).lower()}\n    evidence: source\n"
    )


def fill(root: Path, disk: str, memory: str, relations: str = "") -> list[str]:
    """Gives both entries their signatures; returns what is reported."""
    samples = f"samples:\n  - {{title: One, log: {json.dumps(SAMPLE)}}}\n"
    path = root / "storage/full-disk.yml"
    edit(path, "SIGNATURES\n", "signatures:\n" + disk)
    text = path.read_text(encoding="utf-8")
    if "\nsamples:" in text:
        start = text.index("\nsamples:") + 1
        end = text.index("\nreviewed:") + 1
        path.write_text(text[:start] + samples + relations + text[end:], encoding="utf-8")
    else:
        edit(path, "references:\n", samples + relations + "references:\n")
    path = root / "memory/out-of-memory.yml"
    edit(path, "SIGNATURES\n", "signatures:\n" + memory)
    text = path.read_text(encoding="utf-8").replace("RELATIONS\n", "")
    start, end = text.index("samples:"), text.index("reviewed:")
    path.write_text(text[:start] + text[end:], encoding="utf-8")
    loaded = load_encyclopedia(root)
    assert not loaded.problems
    return [str(problem) for problem in check_matching(loaded)]


def test_a_sample_that_shows_its_entry_is_fine(root: Path) -> None:
    assert fill(root, signature(OWN), signature("another text altogether")) == []


def test_a_sample_that_the_matcher_does_not_take_is_reported(root: Path) -> None:
    condition = '    when: "number > 100"\n'
    (problem,) = fill(
        root, signature(OWN, specific=False, more=condition), signature("another text altogether")
    )
    assert "entries/storage/full-disk.yml:" in problem
    assert "samples.0.log: the matcher finds no signature of this entry" in problem
    assert "[sample-finds-entry]" in problem


def test_a_longer_text_of_another_entry_is_reported_with_both_names(root: Path) -> None:
    problems = fill(root, signature("capacitor <int:number> is"), signature(OWN))
    assert [problem.rpartition("[")[2] for problem in problems] == [
        "signature-takes-sample]",
        "sample-finds-entry]",
    ]
    assert problems[0].startswith("entries/memory/out-of-memory.yml:13:")
    assert (
        "'out-of-memory' claims sample 0 of 'full-disk' (entries/storage/full-disk.yml)"
        in (problems[0])
    )
    assert "it takes it for 'out-of-memory'" in problems[1]


def test_a_stated_relation_allows_it(root: Path) -> None:
    relations = (
        "relations:\n  mistaken_for:\n    - {id: out-of-memory, tell_apart: By its number.}\n"
    )
    same = signature(OWN)
    assert fill(root, same, same, relations) == []


def test_what_the_failure_leads_to_may_stand_in_its_sample(root: Path) -> None:
    relations = "relations:\n  leads_to:\n    - {id: out-of-memory, how: It fills.}\n"
    assert fill(root, signature("capacitor <int:number> is"), signature(OWN), relations) == []


def test_a_shared_text_without_relation_is_a_warning(root: Path) -> None:
    shared = signature(OWN, specific=False)
    (problem,) = fill(root, shared, shared)
    assert "[signature-shares-sample]" in problem
    assert "signature-shares-sample" in WARNINGS
    result = CliRunner().invoke(main, ["lint"])
    assert result.exit_code == 0
    assert result.stdout == f"warning: {problem}\n"
    data = json.loads(CliRunner().invoke(main, ["lint", "--format", "json"]).stdout)
    assert [one["level"] for one in data] == ["warning"]


def test_real_entries_have_no_problem_and_are_read_quickly() -> None:
    loaded = load_encyclopedia(ROOT / "entries")
    began = time.process_time()
    assert [str(problem) for problem in check_matching(loaded)] == []
    # 40 entries take half a second; a defect that makes it slow takes much longer.
    assert time.process_time() - began < 20
