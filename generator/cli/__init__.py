"""The command `faultbook`; each of its commands is a module of its own.

Exit status of every command: 0 fine, 1 findings or problems, 2 wrong usage or unreadable
input.
"""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Any

import click

from generator import __version__
from generator.cli.build import build, serve
from generator.cli.diagnose import diagnose
from generator.cli.evaluate import evaluate
from generator.cli.explain import explain
from generator.cli.lint import lint
from generator.cli.search import search
from generator.model import FaultbookError, ProblemsError


class _Group(click.Group):
    """Shows an error that a user can cause as its text, never as a traceback."""

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


for command in (build, serve, lint, diagnose, search, explain, evaluate):
    main.add_command(command)
