"""Lighthouse gives at least 98 in every category, on a phone and on a desktop."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.built import Site
from tests.tools import CHROMIUM_FLAGS, require

GOAL = 98
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
#: A busy machine slows a page down; only for performance the best of several runs counts.
RUNS = 3


def _run(url: str, preset: str, categories: tuple[str, ...], folder: Path) -> dict[str, Any]:
    report = folder / "report.json"
    flags = " ".join(("--headless=new", *CHROMIUM_FLAGS, f"--user-data-dir={folder / 'profile'}"))
    command = [
        require("node"),
        require("lighthouse"),
        url,
        "--quiet",
        "--output=json",
        f"--output-path={report}",
        f"--only-categories={','.join(categories)}",
        f"--chrome-flags={flags}",
    ]
    if preset == "desktop":
        command.append("--preset=desktop")
    done = subprocess.run(
        command,
        env={**os.environ, "CHROME_PATH": require("chromium")},
        cwd=folder,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=180,
        check=False,
    )
    assert report.is_file(), f"Lighthouse wrote no report:\n{done.stdout}{done.stderr}"
    result: dict[str, Any] = json.loads(report.read_text())
    report.unlink()
    assert not result.get("runtimeError"), result["runtimeError"]
    return result


def _score(result: dict[str, Any], category: str) -> int:
    return round(100 * (result["categories"][category]["score"] or 0))


def _lost(result: dict[str, Any], category: str) -> str:
    """The audits that cost points, each with what Lighthouse shows of it."""
    lines = []
    for ref in result["categories"][category]["auditRefs"]:
        audit = result["audits"][ref["id"]]
        if ref["weight"] and audit["score"] is not None and audit["score"] < 1:
            nodes = [
                item["node"]["snippet"]
                for item in audit.get("details", {}).get("items", [])
                if isinstance(item, dict) and "snippet" in (item.get("node") or {})
            ]
            shown = audit.get("displayValue", "")
            lines.append(f"  {ref['id']} {audit['score']}: {audit['title']} {shown}".rstrip())
            lines += [f"    {node}" for node in nodes[:3]]
    return "\n".join(lines)


@pytest.mark.parametrize("preset", ["phone", "desktop"])
@pytest.mark.parametrize("kind", ["home", "entry"])
def test_scores(built_site: Site, tmp_path: Path, kind: str, preset: str) -> None:
    url = built_site.page(kind)
    result = _run(url, preset, CATEGORIES, tmp_path)
    scores = {category: _score(result, category) for category in CATEGORIES}
    lost = {category: _lost(result, category) for category in CATEGORIES}
    for _ in range(RUNS - 1):
        if scores["performance"] >= GOAL:
            break
        again = _run(url, preset, ("performance",), tmp_path)
        if _score(again, "performance") > scores["performance"]:
            scores["performance"] = _score(again, "performance")
            lost["performance"] = _lost(again, "performance")

    low = [
        f"{category}: {score}\n{lost[category]}"
        for category, score in scores.items()
        if score < GOAL
    ]
    assert not low, "\n".join(low)
