"""Finds the programs outside Python that some tests need.

`python -m tests.tools` lists them, with `--missing` only the names of those that are missing.
A test asks with `require`: where a tool is missing it is skipped, in CI it fails.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NODE_MODULES = ROOT / "node_modules"

#: The machine's network may be closed, and a test must not depend on what Chromium reports home.
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def _chromium() -> str | None:
    named = os.environ.get("FAULTBOOK_CHROMIUM")
    if named:
        return shutil.which(named)
    names = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
    macos = "/Applications/{0}.app/Contents/MacOS/{0}"
    places = (*names, macos.format("Chromium"), macos.format("Google Chrome"))
    return next(filter(None, map(shutil.which, places)), None)


def _java() -> str | None:
    return shutil.which("java")


def _node() -> str | None:
    return shutil.which("node") if shutil.which("npm") else None


def _lighthouse() -> str | None:
    script = NODE_MODULES / "lighthouse" / "cli" / "index.js"
    return str(script) if _node() and script.is_file() else None


def _vnu() -> str | None:
    jar = NODE_MODULES / "vnu-jar" / "build" / "dist" / "vnu.jar"
    return str(jar) if jar.is_file() else None


@dataclass(frozen=True, slots=True)
class Tool:
    """A program: how it is found, and what to do where it is not."""

    find: Callable[[], str | None]
    purpose: str
    remedy: str


TOOLS: dict[str, Tool] = {
    "chromium": Tool(
        _chromium,
        "browser tests",
        "install Chromium (on Debian: apt install chromium) or name one in FAULTBOOK_CHROMIUM",
    ),
    "java": Tool(
        _java,
        "HTML validation",
        "install Java (on Debian: apt install default-jre-headless)",
    ),
    "node": Tool(_node, "Lighthouse, JavaScript tests", "install Node 18.16 or newer, with npm"),
    "lighthouse": Tool(_lighthouse, "Lighthouse", "run scripts/test, which runs npm ci"),
    "vnu": Tool(_vnu, "HTML validation", "run scripts/test, which runs npm ci (needs Node)"),
}


def require(name: str) -> str:
    """Gives the path of a tool, or skips the calling test (in CI: fails it).

    Args:
        name: a key of `TOOLS`.

    Returns:
        The program's path; for `lighthouse` and `vnu` the script or jar to be run.
    """
    tool = TOOLS[name]
    path = tool.find()
    if path is None:
        message = f"{name} is missing here: {tool.remedy}"
        if os.environ.get("CI"):
            pytest.fail(message, pytrace=False)
        pytest.skip(message)
    return path


def main(arguments: list[str]) -> None:
    """Prints where each tool is, or with `--missing` the names of those that are not there."""
    found = {name: tool.find() for name, tool in TOOLS.items()}
    if arguments == ["--missing"]:
        print(*(name for name, place in found.items() if place is None))
        return
    for name, place in found.items():
        tool = TOOLS[name]
        print(f"{name}: {place or f'MISSING, so no {tool.purpose}: {tool.remedy}'}")


if __name__ == "__main__":
    main(sys.argv[1:])
