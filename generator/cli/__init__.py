"""The command `faultbook`; each of its commands is a module of its own.

Exit status of every command: 0 fine, 1 findings or problems, 2 wrong usage or unreadable
input.
"""

from __future__ import annotations

import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

from generator import __version__
from generator.model import FaultbookError, ProblemsError

#: Each command with its module. A module is imported when its command is asked for: a
#: diagnosis need not wait for what builds the site.
_COMMANDS = {
    "build": "build",
    "serve": "build",
    "lint": "lint",
    "diagnose": "diagnose",
    "search": "search",
    "explain": "explain",
    "evaluate": "evaluate",
}


class _Group(click.Group):
    """Shows an error that a user can cause as its text, never as a traceback."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        module = _COMMANDS.get(cmd_name)
        if module is None:
            return None
        found: click.Command = getattr(import_module(f"generator.cli.{module}"), cmd_name)
        return found

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except ProblemsError as error:
            click.echo(str(error), err=True)
            ctx.exit(1)
        except FaultbookError as error:
            click.echo(f"faultbook: {error}", err=True)
            ctx.exit(2)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="faultbook")
def main() -> None:
    """Faultbook: how ML training and inference runs fail, and how to tell."""
    for stream in (sys.stdout, sys.stderr):
        # Messages quote what entries hold; an ASCII-only terminal is no reason to fail.
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
