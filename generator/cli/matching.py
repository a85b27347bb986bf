"""What the commands that match have in common: which entries, and how answers are shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from generator.diagnose import Matcher, read_index
from generator.load import load_encyclopedia
from generator.model import Encyclopedia, FaultbookError
from generator.signatures.compile import compile_index
from generator.signatures.expand import Index
from generator.signatures.pack import load_pack

_PACKAGE = Path(__file__).parents[1]
#: Where a wheel carries entries and their index, then where a checkout has them.
_SHIPPED_INDEX = _PACKAGE / "shipped" / "signatures.json"
_ENTRIES = (_PACKAGE / "shipped" / "entries", _PACKAGE.parent / "entries")

Command = Callable[..., Any]


def matching_options(command: Command) -> Command:
    """Add the options that say what is matched against and how the answer is printed."""
    for option in (
        click.option(
            "--format",
            "format_",
            type=click.Choice(["text", "json"]),
            default="text",
            show_default=True,
            help="Text for people, or JSON for programs.",
        ),
        click.option(
            "--signatures",
            multiple=True,
            type=click.Path(exists=True, dir_okay=False, path_type=Path),
            help="Add a signature pack (YAML); an entry with the same id wins.",
        ),
        click.option(
            "--entries",
            multiple=True,
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            help="Add the entries of this folder, for example those of your team.",
        ),
    ):
        command = option(command)
    return command


def load_index(entries: tuple[Path, ...], signatures: tuple[Path, ...]) -> Index:
    """Return the index of the shipped entries, with a user's own added.

    Args:
        entries: folders of further entries; of two with one id the last counts.
        signatures: signature packs.

    Raises:
        FaultbookError: nothing is shipped, or what the user names cannot be read.
    """
    if not entries and not signatures and _SHIPPED_INDEX.is_file():
        return read_index(_SHIPPED_INDEX)
    shipped = next((folder for folder in _ENTRIES if folder.is_dir()), None)
    if shipped is None and not entries:
        raise FaultbookError("no entries are installed; name a folder with --entries")
    merged = _merged([*([shipped] if shipped else []), *entries])
    packs = [load_pack(path) for path in signatures]
    for pack in packs:
        for problem in pack.problems:
            click.echo(f"warning: {problem}", err=True)
    return compile_index(merged, packs)


def load_matcher(entries: tuple[Path, ...], signatures: tuple[Path, ...]) -> Matcher:
    """Return `load_index`'s index, ready to match."""
    return Matcher(load_index(entries, signatures))


def _merged(folders: list[Path]) -> Encyclopedia:
    whole: Encyclopedia | None = None
    for folder in folders:
        loaded = load_encyclopedia(folder)
        if loaded.problems:
            count = len(loaded.problems)
            click.echo(
                f"warning: {folder}: {count} {'problem' if count == 1 else 'problems'}; "
                "entries that cannot be read are left out (see faultbook lint)",
                err=True,
            )
        found = loaded.encyclopedia
        if whole is None:
            whole = found
        else:
            entries = {**whole.entries, **found.entries}
            ordered = {id_: entries[id_] for id_ in sorted(entries)}
            whole = replace(whole, entries=ordered)
    assert whole is not None
    return whole


def console() -> Console:
    """Return a console for text answers; colour only where a terminal shows it."""
    return Console(highlight=False, soft_wrap=True)


Part = str | tuple[str, str]


def say(out: Console, *parts: Part) -> None:
    """Print one line; nothing in it is markup, and no character of it steers the terminal.

    Args:
        out: where.
        parts: texts, each alone or with its style.
    """
    styled = [(part, "") if isinstance(part, str) else part for part in parts]
    out.print(Text.assemble(*((text.translate(_CONTROLS), style) for text, style in styled)))


def say_command(out: Console, run: str) -> None:
    """Print a command, indented and otherwise as it is to be pasted."""
    for line in run.splitlines():
        say(out, f"  {line}")


#: Control characters; a log from anywhere could move the cursor or set a title with them.
_CONTROLS = dict.fromkeys((*range(9), *range(10, 32), *range(127, 160)), "�")

SEVERITY_STYLES = {"critical": "bold red", "high": "red", "medium": "yellow", "low": "cyan"}
