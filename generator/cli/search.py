"""`faultbook search`: entries for words, an error line or a traceback."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import click

from generator.cli.matching import SEVERITY_STYLES, console, load_matcher, matching_options, say
from generator.diagnose import search as search_text


@click.command()
@click.argument("text", nargs=-1, required=True)
@matching_options
def search(
    text: tuple[str, ...], entries: tuple[Path, ...], signatures: tuple[Path, ...], format_: str
) -> None:
    """Find entries by words, an error line or a traceback.

    Exit status: 0 nothing found for certain, 1 certain matches, 2 wrong usage.
    """
    query = " ".join(text)
    results = search_text(query, load_matcher(entries, signatures))
    if format_ == "json":
        data = {"schema": 1, "query": query, "results": [asdict(result) for result in results]}
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
    else:
        out = console()
        if not any(result.grade != "guess" for result in results):
            say(out, "No entry matches; the nearest by words:" if results else "No entry matches.")
        for result in results:
            say(
                out,
                (result.id, "bold"),
                "  ",
                (result.severity, SEVERITY_STYLES.get(result.severity, "dim")),
                f" {result.category}  ({result.grade})  {result.title}",
            )
            if result.text:
                say(out, (f"  {result.text[:200]}", "dim"))
            if result.grade != "guess":
                say(out, f"  {result.why}")
    sys.exit(1 if any(result.grade == "certain" for result in results) else 0)
