"""`faultbook build` and `faultbook serve`."""

from __future__ import annotations

from pathlib import Path

import click

from generator.site import builder

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
    result = builder.build(
        config_file, entries=entries, site_dir=site_dir, site_url=site_url, publish=publish
    )
    click.echo(f"{result.pages} pages in {result.site_dir} ({result.seconds:.1f} s)")


@click.command()
@_CONFIG
@_ENTRIES
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535))
def serve(config_file: Path, entries: Path | None, host: str, port: int) -> None:
    """Serve the site with live reload while you write."""
    builder.serve(config_file, entries=entries, host=host, port=port, say=click.echo)
