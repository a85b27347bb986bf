"""An installed wheel holds entries, index and theme, and works from any folder."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.tools import ROOT

XID = "NVRM: Xid (PCI:0000:c1:00): 79, pid=1234, GPU has fallen off the bus.\n"
OWN_ENTRIES = Path(__file__).parent / "broken" / "fine" / "entries"
BASE = Path(__file__).parent / "broken" / "_base" / "entries"
PACK = """\
- id: flux-capacitor-empty
  title: The flux capacitor is empty
  category: storage
  severity: low
  signatures:
    - {match: "FluxError: capacitor empty at <int> percent", specific: true}
"""


def pip(*arguments: str | Path) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    source.mkdir()
    for name in ("setup.py", "MANIFEST.in", "pyproject.toml", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, source / name)
    ignored = shutil.ignore_patterns("__pycache__")
    for name in ("generator", "entries", "theme"):
        shutil.copytree(ROOT / name, source / name, ignore=ignored)
    pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", folder, source)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    pip("install", "--no-deps", "--no-index", "--target", folder, wheel)
    return folder


def faultbook(
    installed: Path, here: Path, *arguments: str | Path, text: str = ""
) -> subprocess.CompletedProcess[str]:
    # The folder of the wheel comes before the repository, should that be installed as well.
    return subprocess.run(
        [sys.executable, "-m", "generator.cli", *map(str, arguments)],
        cwd=here,
        env={**os.environ, "PYTHONPATH": str(installed)},
        input=text,
        capture_output=True,
        text=True,
        check=False,
    )


def test_wheel_holds_entries_index_and_theme(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as opened:
        names = set(opened.namelist())
        index = json.loads(opened.read("generator/shipped/signatures.json"))
    entries = {
        f"generator/shipped/entries/{path.relative_to(ROOT / 'entries').as_posix()}"
        for path in (ROOT / "entries").glob("**/*.yml")
    }
    assert entries <= names
    assert {entry["id"] for entry in index["entries"]} == {
        Path(name).stem for name in entries if not name.endswith("taxonomy.yml")
    }
    assert index["texts"].keys() == {entry["id"] for entry in index["entries"]}
    assert "generator/theme/pages/entry.html" in names
    assert "generator/theme/assets/faultbook/match/main.js" in names
    assert not [name for name in names if name.startswith(("tests/", "entries/", "theme/"))]


def test_diagnose_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    done = faultbook(installed, tmp_path, "diagnose", "-", "--format", "json", text=XID)
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert [finding["id"] for finding in report["findings"]] == ["gpu-fallen-off-bus-xid-79"]
    assert report["next"]["step"]


def test_search_and_explain_from_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    done = faultbook(installed, tmp_path, "search", "--format", "json", "disk full")
    assert json.loads(done.stdout)["results"][0]["id"] == "disk-full-during-training"
    done = faultbook(installed, tmp_path, "explain", "inode-exhaustion")
    assert done.returncode == 0, done.stderr
    assert "Confirm:" in done.stdout


def test_own_entries_and_packs_are_added_to_the_shipped_ones(
    installed: Path, tmp_path: Path
) -> None:
    own = tmp_path / "own"
    shutil.copytree(BASE, own)
    shutil.copytree(OWN_ENTRIES, own, dirs_exist_ok=True)
    (tmp_path / "pack.yml").write_text(PACK, encoding="utf-8")
    options = ("--entries", own, "--signatures", tmp_path / "pack.yml")
    done = faultbook(installed, tmp_path, "explain", "full-disk", *options)
    assert done.returncode == 0, done.stderr
    text = XID + "FluxError: capacitor empty at 3 percent\n"
    done = faultbook(installed, tmp_path, "diagnose", "-", "--format", "json", *options, text=text)
    found = {finding["id"] for finding in json.loads(done.stdout)["findings"]}
    assert found == {"gpu-fallen-off-bus-xid-79", "flux-capacitor-empty"}


def test_diagnosis_does_not_wait_for_what_builds_the_site(installed: Path, tmp_path: Path) -> None:
    code = (
        "import sys, generator.cli as cli\n"
        "try: cli.main(['search', 'disk full'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'mkdocs', 'material', 'igraph', 'jinja2'} & sys.modules.keys()))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(installed)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines()[-1] == "[]", done.stderr
