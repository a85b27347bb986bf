"""`faultbook diagnose`: logs in, the failure with its proof out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

from generator.cli.matching import SEVERITY_STYLES, console, load_matcher, matching_options
from generator.diagnose import (
    Matcher,
    ReadLogError,
    Report,
    Source,
    diagnose_sources,
    sources_of,
    standard_input,
)
from generator.diagnose.incident import Progress as OnBytes

_VERDICTS = {
    "initiator": "The failure that came first is known.",
    "candidates": "There are candidates, but no proof which came first.",
    "collateral-only": "Only consequences are here; what caused them is not in these logs.",
    "not-enough-evidence": "A failure is here, but not enough to say where it began.",
    "unknown": "No entry matches.",
    "healthy": "The run ended, and no entry matches.",
}
#: Bytes from which a progress bar is worth showing.
_LONG = 32 * 1024 * 1024


@click.command()
@click.argument("paths", nargs=-1, required=True)
@click.option("--each", is_flag=True, help="Take every file as an incident of its own.")
@matching_options
def diagnose(
    paths: tuple[str, ...],
    each: bool,
    entries: tuple[Path, ...],
    signatures: tuple[Path, ...],
    format_: str,
) -> None:
    """Say what failed, and who failed first, from logs.

    PATHS are files (also .gz, .xz, .zst), folders with one log per rank, or - for
    standard input. All together are one incident, unless --each is given; then every file
    is answered by one JSON object a line.

    Exit status: 0 no finding (also where there are only candidates, or only a rank that
    failed first is known), 1 findings, 2 wrong usage or unreadable input.
    """
    sources = [source for path in paths for source in _sources(path)]
    matcher = load_matcher(entries, signatures)
    if each:
        found = False
        for source in sources:
            with _progress([source], format_) as on_bytes:
                report = diagnose_sources([source], matcher, source.name, on_bytes)
            click.echo(json.dumps(report.data(), ensure_ascii=False))
            found |= bool(report.findings)
        sys.exit(1 if found else 0)
    name = paths[0] if len(paths) == 1 else ", ".join(paths)
    with _progress(sources, format_) as on_bytes:
        report = diagnose_sources(sources, matcher, name, on_bytes)
    if format_ == "json":
        click.echo(json.dumps(report.data(), ensure_ascii=False, indent=2))
    else:
        _print(report, matcher, console())
    sys.exit(1 if report.findings else 0)


def _sources(path: str) -> list[Source]:
    if path == "-":
        return [standard_input()]
    if not Path(path).exists():
        raise ReadLogError(f"{path}: does not exist; name a file, a folder, or - for a pipe")
    return sources_of(Path(path))


@contextmanager
def _progress(sources: list[Source], format_: str) -> Iterator[OnBytes | None]:
    total = sum(source.size or 0 for source in sources)
    if format_ == "json" or total < _LONG or not sys.stderr.isatty():
        yield None
        return
    columns = (TextColumn("reading"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        task = shown.add_task("reading", total=total)
        yield lambda count: shown.advance(task, count)


def _print(report: Report, matcher: Matcher, out: Console) -> None:
    entries = {entry["id"]: entry for entry in matcher.index["entries"]}
    out.print(f"[bold]{report.verdict}[/]  {_VERDICTS[report.verdict]}")
    for one in report.first:
        where = f"rank {one.rank}" if one.rank is not None else f"node {one.node}"
        out.print(f"  first: [bold]{escape(where)}[/] ({one.certainty}) {escape(one.why)}")
    for finding in report.findings:
        entry = entries[finding.id]
        severity = entry["severity"]
        style = SEVERITY_STYLES.get(severity, "")
        out.print()
        label = f"[{style}]{severity}[/] " if style else ""
        out.print(f"{label}[bold]{escape(entry['title'])}[/]  {finding.id}  ({finding.role})")
        place = f"{finding.file}:{finding.line}"
        if finding.rank is not None:
            place += f", rank {finding.rank}"
        if finding.node:
            place += f" on {finding.node}"
        out.print(f"  {escape(place)}")
        out.print(f"  [dim]{escape(finding.text[:300])}[/]")
        out.print(f"  {escape(finding.why)}")
    shown = [one for one in report.suggestions if one.matched]
    guesses = [one for one in report.suggestions if not one.matched]
    for title, group in (("Candidates (shared texts)", shown), ("Guesses", guesses)):
        if group:
            out.print()
            out.print(f"[bold]{title}[/]")
        for suggestion in group:
            title_ = escape(entries[suggestion.id]["title"])
            out.print(f"  {suggestion.id}  {title_}  [dim]{escape(suggestion.why)}[/]")
    for missing in report.missing:
        out.print()
        out.print(f"[bold]Missing:[/] {escape(missing.what)}. {escape(missing.why)}")
        out.print(f"  {escape(missing.run)}")
    if report.next:
        out.print()
        out.print(f"[bold]Next:[/] {escape(report.next.step)}")
        _print_command(report.next.run, out)
        if report.next.fix:
            out.print(f"[bold]Fix:[/] {escape(report.next.fix.step)}")
            _print_command(report.next.fix.run, out)
    if not report.findings and not shown and report.verdict != "healthy":
        out.print()
        out.print("No entry matches for certain. If you know what it was, contribute an entry.")


def _print_command(run: str, out: Console) -> None:
    for line in run.splitlines():
        out.print(f"  {escape(line)}")
