"""`faultbook build` and `mkdocs build`, as a contributor meets them."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HOSTILE = ROOT / "tests" / "fixtures" / "hostile"


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *command],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        env={"PYTHONPATH": str(ROOT), "PATH": "/usr/bin:/bin", "NO_MKDOCS_2_WARNING": "1"},
    )


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project: our settings and documents over two entries."""
    shutil.copytree(HOSTILE, tmp_path / "entries")
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    settings = (ROOT / "mkdocs.yml").read_text()
    settings = settings.replace("custom_dir: theme", f"custom_dir: {ROOT / 'theme'}")
    (tmp_path / "mkdocs.yml").write_text(settings)
    return tmp_path


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_build_says_where_the_site_is_and_is_a_function_of_its_input(project: Path) -> None:
    first = run(project, "generator.cli", "build")
    assert first.returncode == 0, first.stderr
    assert "pages in" in first.stdout
    before = files(project / "site")
    assert "failures/hostile-entry/index.html" in before
    assert run(project, "generator.cli", "build").returncode == 0
    assert files(project / "site") == before


def test_mkdocs_builds_the_same_pages(project: Path) -> None:
    assert run(project, "generator.cli", "build").returncode == 0
    ours = files(project / "site")
    done = run(project, "mkdocs", "build", "--strict", "--site-dir", "by-mkdocs")
    assert done.returncode == 0, done.stderr
    assert files(project / "by-mkdocs") == ours


@pytest.mark.parametrize("command", [("generator.cli", "build"), ("mkdocs", "build")])
def test_a_broken_entry_stops_the_build_and_leaves_the_last_site(
    project: Path, command: tuple[str, ...]
) -> None:
    assert run(project, *command).returncode == 0
    before = files(project / "site")
    entry = project / "entries" / "distributed" / "neighbour-entry.yml"
    entry.write_text(entry.read_text().replace("severity: critical", "severity: urgent"))
    lint = run(project, "generator.cli", "lint")
    done = run(project, *command)
    assert done.returncode == 1
    (message,) = lint.stdout.splitlines()
    assert "'urgent' is not one of critical, high, medium, low" in message
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert files(project / "site") == before


def test_a_published_address_cannot_be_lost(project: Path) -> None:
    assert run(project, "generator.cli", "build", "--publish").returncode == 0
    lock = project / "urls.lock"
    published = lock.read_text()
    assert "/failures/hostile-entry/#symptoms" in published.splitlines()

    # A renamed entry without its old id as an alias.
    entry = project / "entries" / "storage" / "hostile-entry.yml"
    renamed = entry.with_name("renamed-entry.yml")
    text = entry.read_text().replace("id: hostile-entry", "id: renamed-entry", 1)
    entry.unlink()
    renamed.write_text(text)
    lost = run(project, "generator.cli", "build")
    assert lost.returncode == 1
    assert "/failures/hostile-entry/ was published and would be gone" in lost.stderr
    assert "keep hostile-entry in the aliases" in lost.stderr

    renamed.write_text(text.replace("- hostile-alias", "- hostile-alias\n- hostile-entry", 1))
    kept = run(project, "generator.cli", "build")
    assert kept.returncode == 0, kept.stderr
    redirect = (project / "site" / "failures" / "hostile-entry" / "index.html").read_text()
    assert 'content="0; url=../renamed-entry/"' in redirect
    assert lock.read_text() == published


def test_a_section_that_goes_leaves_its_target(project: Path) -> None:
    assert run(project, "generator.cli", "build", "--publish").returncode == 0
    entry = project / "entries" / "storage" / "hostile-entry.yml"
    text = entry.read_text()
    start, end = text.index("\nmonitor:"), text.index("\nperspectives:")
    entry.write_text(text[:start] + text[end:])
    done = run(project, "generator.cli", "build")
    assert done.returncode == 0, done.stderr
    page = (project / "site" / "failures" / "hostile-entry" / "index.html").read_text()
    assert 'id="monitoring"' in page
    assert '<h2 id="monitoring"' not in page


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--config-file", "nowhere.yml"), "nowhere.yml: no such file"),
        (("--entries", "nowhere"), "nowhere"),
    ],
)
def test_what_is_not_there_is_named(
    project: Path, arguments: tuple[str, ...], message: str
) -> None:
    done = run(project, "generator.cli", "build", *arguments)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
