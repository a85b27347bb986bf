"""`faultbook explain`: one entry, as much of it as a terminal needs."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from generator.cli.matching import (
    SEVERITY_STYLES,
    console,
    load_index,
    matching_options,
    say,
    say_command,
)
from generator.diagnose.answer import template_text
from generator.load import did_you_mean
from generator.model import FaultbookError
from generator.signatures.expand import expand


@click.command()
@click.argument("id_", metavar="ID")
@matching_options
def explain(
    id_: str, entries: tuple[Path, ...], signatures: tuple[Path, ...], format_: str
) -> None:
    """Show what one failure is, how to confirm it and how to fix it.

    Exit status: 0 shown, 2 no entry has this id.
    """
    index = expand(load_index(entries, signatures))
    names = {
        name: at
        for at, entry in enumerate(index["entries"])
        for name in (*entry.get("aliases", ()), entry["id"])
    }
    at = names.get(id_)
    if at is None:
        raise FaultbookError(f"no entry has the id '{id_}'{did_you_mean(id_, names)}")
    data = _data(index, at)
    if format_ == "json":
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
        sys.exit(0)
    out = console()
    style = SEVERITY_STYLES.get(data["severity"], "dim")
    say(out, (data["title"], "bold"), "  ", (data["severity"], style))
    say(out, f"{data['id']}, {data['category']}")
    if summary := data.get("summary"):
        out.print()
        say(out, summary)
    for key, title in (("confirm", "Confirm: "), ("fix", "Fix: ")):
        if step := data.get(key):
            out.print()
            say(out, (title, "bold"), step["step"])
            say_command(out, step["run"])
    if data["signatures"]:
        out.print()
        say(out, ("Printed:", "bold"))
    for text in data["signatures"]:
        say(out, f"  {text}")
    if data["leads_to"]:
        out.print()
        say(out, ("Leads to: ", "bold"), ", ".join(data["leads_to"]))


def _data(index: dict[str, Any], at: int) -> dict[str, Any]:
    entry = index["entries"][at]
    return {
        "schema": 1,
        **{key: entry[key] for key in ("id", "title", "category", "severity")},
        **index["texts"].get(entry["id"], {}),
        "signatures": [
            template_text(record) for record in index["signatures"] if record["entry"] == at
        ],
        "leads_to": [index["entries"][other]["id"] for other in entry["leads_to"]],
    }
