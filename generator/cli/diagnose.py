"""`faultbook diagnose`: logs in, the failure with its proof out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

from generator.cli.matching import (
    SEVERITY_STYLES,
    console,
    load_matcher,
    matching_options,
    say,
    say_command,
)
from generator.diagnose import (
    Finding,
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
#: Places of one entry that are shown with their lines, and ranks that are named of the rest.
_MOST_PLACES = 3
_MOST_RANKS = 16


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
    say(out, (report.verdict, "bold"), f"  {_VERDICTS[report.verdict]}")
    for one in report.first:
        say(out, "  first: ", (one.certainty, "bold"), f", {one.why}")
    for id_ in dict.fromkeys(finding.id for finding in report.findings):
        same = [finding for finding in report.findings if finding.id == id_]
        _print_entry(entries[id_], same, out)
    if report.next:
        out.print()
        say(out, ("Confirm: ", "bold"), report.next.step)
        say_command(out, report.next.run)
        if report.next.fix:
            say(out, ("Fix: ", "bold"), report.next.fix.step)
            say_command(out, report.next.fix.run)
    matched = [one for one in report.suggestions if one.matched]
    # Beside what was really printed, guesses would only be in the way.
    guesses = [] if matched or report.findings else report.suggestions
    for title, group in (("Candidates, by shared texts", matched), ("Guesses, by words", guesses)):
        if group:
            out.print()
            say(out, (title, "bold"))
        for suggestion in group:
            say(out, f"  {suggestion.id}  {entries[suggestion.id]['title']}")
            if suggestion.matched:
                say(out, (f"    {suggestion.why}", "dim"))
    for missing in report.missing:
        out.print()
        say(out, ("Missing: ", "bold"), f"{missing.what}. {missing.why}")
        say_command(out, missing.run)
    if not report.findings and not matched and report.verdict != "healthy":
        out.print()
        say(out, "No entry matches for certain. If you know what it was, contribute an entry.")


def _print_entry(entry: Mapping[str, Any], findings: Sequence[Finding], out: Console) -> None:
    """Print an entry once, with the places where it was found."""
    severity = entry["severity"]
    roles = ", ".join(dict.fromkeys(finding.role for finding in findings))
    out.print()
    say(
        out,
        (severity, SEVERITY_STYLES.get(severity, "")),
        " " if severity else "",
        (entry["title"], "bold"),
        f"  {entry['id']}  ({roles})",
    )
    for finding in findings[:_MOST_PLACES]:
        place = f"  {finding.file}:{finding.line}"
        if finding.rank is not None:
            place += f", rank {finding.rank}"
        if finding.node:
            place += f" on {finding.node}"
        say(out, place)
        say(out, (f"    {finding.text[:300]}", "dim"))
    rest = findings[_MOST_PLACES:]
    if rest:
        ranks = [str(finding.rank) for finding in rest if finding.rank is not None]
        shown = ", ".join(ranks[:_MOST_RANKS]) + (", ..." if len(ranks) > _MOST_RANKS else "")
        say(out, f"  and {len(rest)} more" + (f", on ranks {shown}" if ranks else ""))
    for why in dict.fromkeys(finding.why for finding in findings):
        say(out, f"  {why}")
