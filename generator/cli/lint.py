"""`faultbook lint`: every problem of every entry."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from generator.lint import WARNINGS, check_all, check_matching
from generator.load import Loaded, display_name, load_encyclopedia
from generator.model import Problem


@click.command()
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--entries",
    type=click.Path(path_type=Path),
    default=Path("entries"),
    show_default=True,
    help="The folder of entries.",
)
@click.option(
    "--format",
    "format_",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="Text for people, or a JSON list of problems.",
)
def lint(paths: Sequence[Path], entries: Path, format_: str) -> None:
    """Check all entries and print every problem with file, line and column.

    PATHS limits the report to these files and folders; all entries are read anyway,
    since they name each other.

    Every sample is read with the matcher: it must find the sample's entry, and no other for
    certain. Warnings (a text that two entries share, and neither names the other) leave the
    exit status as it is; as JSON they have the level "warning".

    Exit status: 0 no problem, 1 problems, 2 wrong usage or unreadable folder.
    """
    loaded = load_encyclopedia(entries)
    found = sorted(
        (*check_all(loaded), *check_matching(loaded)),
        key=lambda problem: (problem.path, problem.line, problem.column),
    )
    found = [problem for problem in found if _is_asked(problem, paths)]
    problems = [problem for problem in found if problem.rule not in WARNINGS]
    if format_ == "json":
        data = [asdict(problem) | _level(problem) for problem in found]
        click.echo(json.dumps(data, indent=2))
    else:
        for problem in found:
            mark = "warning: " if problem.rule in WARNINGS else ""
            click.echo(_printable(mark + str(problem)))
        click.echo(_printable(_summary(problems, loaded, entries)), err=True)
    sys.exit(1 if problems else 0)


def _is_asked(problem: Problem, paths: Sequence[Path]) -> bool:
    if not paths:
        return True
    named = Path(problem.path)
    return any(named.is_relative_to(display_name(path)) for path in paths)


def _level(problem: Problem) -> dict[str, str]:
    return {"level": "warning"} if problem.rule in WARNINGS else {}


def _summary(problems: Sequence[Problem], loaded: Loaded, entries: Path) -> str:
    count = len(loaded.documents) - 1  # without the taxonomy
    where = f"{count} {'entry' if count == 1 else 'entries'} in {display_name(entries)}"
    if not problems:
        return f"{where}: no problems"
    files = len({problem.path for problem in problems})
    return (
        f"{where}: {len(problems)} {'problem' if len(problems) == 1 else 'problems'} "
        f"in {files} {'file' if files == 1 else 'files'}"
    )


def _printable(text: str) -> str:
    # A file's name may hold anything, also what a terminal would obey or cannot encode.
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )
