"""`faultbook build` and `faultbook serve`."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
)

from generator.site import builder, preview

#: Seconds that a build takes before its progress is shown.
_LONG = 2.0

_CONFIG = click.option(
    "--config-file",
    "-f",
    type=click.Path(path_type=Path),
    default=Path("mkdocs.yml"),
    show_default=True,
    help="The site's settings.",
)
_ENTRIES = click.option(
    "--entries",
    type=click.Path(path_type=Path),
    help="Another folder of entries than the settings'.",
)


@contextmanager
def _bar() -> Iterator[builder.Progress]:
    """Show the progress of a build that takes long, where somebody looks."""
    console = Console(stderr=True)
    if not console.is_interactive:
        yield lambda stage, done, total: None
        return
    display = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        redirect_stdout=sys.stdout.isatty(),
    )
    task = display.add_task("", total=None)
    later = threading.Timer(_LONG, display.start)
    later.daemon = True
    later.start()

    def show(stage: str, done: int, total: int) -> None:
        text = f"{stage}: {done} of {total}" if total else stage
        display.update(task, description=text, completed=done, total=total or None)

    try:
        yield show
    finally:
        later.cancel()
        later.join()
        if display.live.is_started:
            display.stop()


def _say(text: str) -> None:
    # A file's name may hold anything, also what a terminal would obey.
    click.echo(
        "".join(
            character
            if character.isprintable() or character == "\n"
            else character.encode("unicode_escape").decode()
            for character in text
        )
    )
    # Whoever reads through a pipe waits for it as well.
    sys.stdout.flush()


@click.command()
@_CONFIG
@_ENTRIES
@click.option("--site-dir", "-d", type=click.Path(path_type=Path), help="Folder that is written.")
@click.option("--site-url", help="Address that the site will have, with its path.")
@click.option(
    "--publish", is_flag=True, help="Append this build's addresses to urls.lock, which keeps them."
)
def build(
    config_file: Path,
    entries: Path | None,
    site_dir: Path | None,
    site_url: str | None,
    publish: bool,
) -> None:
    """Build the site."""
    with _bar() as progress:
        result = builder.build(
            config_file,
            entries=entries,
            site_dir=site_dir,
            site_url=site_url,
            publish=publish,
            progress=progress,
        )
    for text in result.warnings:
        click.echo(f"warning: {text}", err=True)
    click.echo(f"{result.pages} pages in {result.site_dir} ({result.seconds:.1f} s)")


@click.command()
@_CONFIG
@_ENTRIES
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535))
def serve(config_file: Path, entries: Path | None, host: str, port: int) -> None:
    """Serve the site with live reload while you write."""
    preview.serve(config_file, entries=entries, host=host, port=port, say=_say, bar=_bar)
