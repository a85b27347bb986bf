"""`faultbook search`: entries for words, an error line or a traceback."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from generator.cli.matching import SEVERITY_STYLES, console, load_matcher, matching_options
from generator.diagnose import Matcher, Report
from generator.diagnose import diagnose as diagnose_text


@click.command()
@click.argument("text", nargs=-1, required=True)
@matching_options
def search(
    text: tuple[str, ...], entries: tuple[Path, ...], signatures: tuple[Path, ...], format_: str
) -> None:
    """Find entries by words, an error line or a traceback.

    Exit status: 0 nothing found for certain, 1 certain matches, 2 wrong usage.
    """
    matcher = load_matcher(entries, signatures)
    report = diagnose_text(" ".join(text), matcher, "search")
    results = _results(report, matcher)
    if format_ == "json":
        data = {"schema": 1, "query": " ".join(text), "results": results}
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        out = console()
        if not any(result["grade"] != "guess" for result in results):
            out.print("No entry matches; the nearest by words:")
        for result in results:
            style = SEVERITY_STYLES.get(result["severity"], "dim")
            out.print(
                f"[bold]{result['id']}[/]  [{style}]{result['severity']}[/] {result['category']}  "
                f"({result['grade']})  {escape(result['title'])}"
            )
            if result["text"]:
                out.print(f"  [dim]{escape(result['text'][:200])}[/]")
            out.print(f"  {escape(result['why'])}")
    sys.exit(1 if report.findings else 0)


def _results(report: Report, matcher: Matcher) -> list[dict[str, Any]]:
    entries = {entry["id"]: entry for entry in matcher.index["entries"]}
    found: dict[str, dict[str, Any]] = {}
    for finding in report.findings:
        found.setdefault(finding.id, _row(entries[finding.id], "certain", finding))
    for suggestion in report.suggestions:
        grade = "candidate" if suggestion.matched else "guess"
        found.setdefault(suggestion.id, _row(entries[suggestion.id], grade, suggestion))
    return list(found.values())


def _row(entry: dict[str, Any], grade: str, answer: Any) -> dict[str, Any]:
    return {
        "id": entry["id"],
        "title": entry["title"],
        "category": entry["category"],
        "severity": entry["severity"],
        "grade": grade,
        "line": answer.line,
        "text": answer.text,
        "why": answer.why,
    }
