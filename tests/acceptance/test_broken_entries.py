"""Every folder of `broken/` is a case: entries that are wrong, and the exact report of lint.

A case holds `entries/`, laid over `broken/_base/entries/`, and `expected.txt`, what
`faultbook lint` prints for it. A new case is a new folder.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from generator.cli import main
from generator.model import Problem

BROKEN = Path(__file__).parent / "broken"
CASES = sorted(path.name for path in BROKEN.iterdir() if path.is_dir() and path.name != "_base")


def lint(case: str, folder: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Result:
    """Runs `faultbook lint` in a folder that holds the case's entries."""
    shutil.copytree(BROKEN / "_base" / "entries", folder / "entries")
    shutil.copytree(BROKEN / case / "entries", folder / "entries", dirs_exist_ok=True)
    monkeypatch.chdir(folder)
    return CliRunner().invoke(main, ["lint", *arguments])


@pytest.mark.parametrize("case", CASES)
def test_report_is_as_expected(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = lint(case, tmp_path, monkeypatch)
    expected = (BROKEN / case / "expected.txt").read_text(encoding="utf-8")
    assert result.stdout == expected
    assert result.exit_code == (1 if expected else 0)


@pytest.mark.parametrize("case", [case for case in CASES if case.startswith("trap-")])
def test_a_trap_gives_one_message(case: str) -> None:
    expected = (BROKEN / case / "expected.txt").read_text(encoding="utf-8")
    assert len(expected.splitlines()) == 1


def test_json_holds_the_same_problems(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = lint("several-files", tmp_path, monkeypatch, "--format", "json")
    problems = [Problem(**fields) for fields in json.loads(result.stdout)]
    expected = (BROKEN / "several-files" / "expected.txt").read_text(encoding="utf-8")
    assert [str(problem) for problem in problems] == expected.splitlines()
    assert result.exit_code == 1


def test_paths_limit_the_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = lint("several-files", tmp_path, monkeypatch, "entries/storage")
    assert result.stdout == (
        "entries/storage/full-disk.yml:5:11: severity: 'urgent' is not one of "
        "critical, high, medium, low [schema]\n"
    )
    assert result.exit_code == 1


def test_fine_entries_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    result = lint("fine", tmp_path, monkeypatch)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "2 entries in entries: no problems\n"


def test_missing_folder_is_wrong_usage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["lint", "--entries", "nowhere"])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "faultbook: nowhere: cannot be read as a folder of entries: No such file or directory\n"
    )


def test_missing_taxonomy_is_one_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(BROKEN / "fine" / "entries", tmp_path / "entries")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["lint"])
    assert result.stdout == (
        "entries/taxonomy.yml: does not exist; it lists the categories, systems, phases and "
        "tags [taxonomy]\n"
    )


def test_a_name_of_a_file_cannot_steer_the_terminal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(BROKEN / "_base" / "entries", tmp_path / "entries")
    (tmp_path / "entries" / "storage").mkdir()
    (tmp_path / "entries" / "storage" / "a\x1b[2J.yml").write_text("", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["lint"])
    assert result.stdout == (
        r"entries/storage/a\x1b[2J.yml: is empty; an entry begins with 'id: ...' [yaml]" + "\n"
    )
