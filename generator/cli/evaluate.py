"""`faultbook evaluate`: how often the answers are right, on reports with known failures."""

from __future__ import annotations

import json
from pathlib import Path

import click
from rich.table import Table

from generator.cli.matching import console, load_matcher, matching_options
from generator.diagnose.evaluate import Figures, load_cases
from generator.diagnose.evaluate import evaluate as evaluate_cases


@click.command()
@click.argument("cases", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@matching_options
def evaluate(
    cases: Path, entries: tuple[Path, ...], signatures: tuple[Path, ...], format_: str
) -> None:
    """Measure the answers on CASES, a YAML list of reports with the failure each shows.

    Even and odd case numbers are counted apart: a gap between them is overfitting.

    Exit status: 0 measured, 2 wrong usage or unreadable input.
    """
    loaded = load_cases(cases)
    figures = evaluate_cases(loaded, load_matcher(entries, signatures))
    if format_ == "json":
        click.echo(json.dumps({key: one.data() for key, one in figures.items()}, indent=2))
        return
    table = Table(box=None, pad_edge=False)
    for title in ("cases", "", "first place", "first three", "certain right", "first rank"):
        table.add_column(title, justify="left" if title == "cases" else "right")
    for name, one in figures.items():
        table.add_row(name, str(one.cases), *_row(one))
    console().print(table)
    whole = figures["all"]
    if whole.covered < whole.cases:
        console().print(
            f"{whole.cases - whole.covered} cases show a failure without an entry; "
            f"{whole.foreign} certain findings name another there"
        )
    if whole.wrong_certain:
        console().print(f"{whole.wrong_certain} first ranks were called certain and are wrong")


def _row(figures: Figures) -> tuple[str, ...]:
    return tuple(
        _share(*pair)
        for pair in (
            (figures.first, figures.cases),
            (figures.three, figures.cases),
            (figures.right, figures.findings),
            (figures.ranks_right, figures.ranks),
        )
    )


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} {100 * part / whole:.1f} %" if whole else "-"
