"""How often the answers are right, measured on reports whose failure is known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.diagnose.incident import diagnose
from generator.diagnose.index import Matcher
from generator.diagnose.report import Report
from generator.load.source import SourceError, read_text
from generator.load.tree import parse
from generator.model import FaultbookError

MAX_CASES_BYTES = 64 * 1024 * 1024
_MAX_VALUES = 4_000_000


class CasesError(FaultbookError):
    """A file of cases cannot be used."""


@dataclass(frozen=True, slots=True)
class Case:
    """One report: what was pasted, and what it shows.

    Attributes:
        right: ids that are right answers.
        collateral: ids that the text shows beside it.
        first_rank: ranks or nodes that failed first, empty where unknown.
        decidable: False where the text fits too many failures to be counted.
    """

    name: str
    text: str
    right: frozenset[str]
    collateral: frozenset[str]
    first_rank: frozenset[str]
    decidable: bool = True

    @property
    def number(self) -> int:
        """The digits of the case's name, 0 where it has none."""
        digits = "".join(character for character in self.name if character in "0123456789")
        return int(digits or 0)


@dataclass(slots=True)
class Figures:
    """Counts over a set of cases.

    Attributes:
        cases: decidable cases.
        first, three: those right at first place, and among the first three.
        findings, right: certain findings, and those that are right.
        foreign: certain findings in cases whose failure has no entry.
        ranks, ranks_right: cases with a known first rank, and those right.
        wrong_certain: cases whose first rank is called certain and is wrong.
        missed: names of cases that are not right at first place.
    """

    cases: int = 0
    covered: int = 0
    first: int = 0
    three: int = 0
    findings: int = 0
    right: int = 0
    foreign: int = 0
    ranks: int = 0
    ranks_right: int = 0
    wrong_certain: int = 0
    missed: list[str] = field(default_factory=list)

    def data(self) -> dict[str, Any]:
        """Return the figures as JSON-ready data."""
        return {
            "cases": self.cases,
            "covered": self.covered,
            "first_place": self.first,
            "first_three": self.three,
            "certain": self.findings,
            "certain_right": self.right,
            "certain_without_entry": self.foreign,
            "first_rank_cases": self.ranks,
            "first_rank_right": self.ranks_right,
            "first_rank_wrong_certain": self.wrong_certain,
            "missed": self.missed,
        }


def load_cases(path: Path) -> list[Case]:
    """Read a file of cases.

    Raises:
        CasesError: the file cannot be read or is no list of cases.
    """
    try:
        tree = parse(read_text(path, MAX_CASES_BYTES), max_values=_MAX_VALUES)
    except SourceError as error:
        raise CasesError(f"{path}: {error.message}") from None
    if tree.faults:
        fault = tree.faults[0]
        raise CasesError(f"{path}:{fault.line}:{fault.column}: {fault.message}")
    if not isinstance(tree.data, list):
        raise CasesError(f"{path}: cases are a list: '- case: ...' with input and expect")
    return [_case(path, at, item) for at, item in enumerate(tree.data)]


def _case(path: Path, at: int, item: Any) -> Case:
    if not isinstance(item, dict) or not all(
        isinstance(item.get(key), str) for key in ("case", "input", "expect")
    ):
        raise CasesError(f"{path}: case {at + 1} needs the texts case, input and expect")
    return Case(
        name=item["case"],
        text=item["input"],
        right=frozenset((item["expect"], *(item.get("also") or ()))),
        collateral=frozenset(item.get("collateral") or ()),
        first_rank=frozenset(str(one) for one in item.get("first_rank") or ()),
        decidable=not item.get("undecidable"),
    )


def evaluate(
    cases: Sequence[Case], matcher: Matcher, progress: Callable[[], None] | None = None
) -> dict[str, Figures]:
    """Diagnose every case as a paste of its own.

    Args:
        cases: the cases.
        matcher: the compiled index.
        progress: called after each case.

    Returns:
        Figures for `all` cases, and for those with an `even` and an `odd` number apart.
    """
    figures = {"all": Figures(), "even": Figures(), "odd": Figures()}
    names = _names(matcher)
    for case in cases:
        report = diagnose(case.text, matcher, case.name)
        for key in ("all", "odd" if case.number % 2 else "even"):
            _count(figures[key], case, report, names)
        if progress is not None:
            progress()
    return figures


def ranked(report: Report) -> list[str]:
    """Return the ids of an answer, best first."""
    ids = [finding.id for finding in report.findings]
    ids += [suggestion.id for suggestion in report.suggestions]
    return list(dict.fromkeys(ids))


def _names(matcher: Matcher) -> dict[str, str]:
    """Return the id that each id and former id means."""
    names: dict[str, str] = {}
    for entry in matcher.index["entries"]:
        for name in (entry["id"], *entry.get("aliases", ())):
            names[name] = entry["id"]
    return names


def _count(figures: Figures, case: Case, report: Report, names: dict[str, str]) -> None:
    if case.first_rank:
        _count_rank(figures, case, report)
    if not case.decidable:
        return
    right = {names.get(id_, id_) for id_ in case.right}
    accepted = right | {names.get(id_, id_) for id_ in case.collateral}
    places = ranked(report)
    covered = any(id_ in names for id_ in case.right)
    figures.cases += 1
    figures.covered += covered
    if places and places[0] in right:
        figures.first += 1
    else:
        figures.missed.append(case.name)
    figures.three += any(id_ in right for id_ in places[:3])
    for id_ in dict.fromkeys(finding.id for finding in report.findings):
        figures.findings += 1
        figures.right += id_ in accepted
        figures.foreign += not covered and id_ not in accepted


def _count_rank(figures: Figures, case: Case, report: Report) -> None:
    figures.ranks += 1
    if report.first:
        best = report.first[0]
        hit = bool({str(best.rank), str(best.node)} & case.first_rank)
        figures.ranks_right += hit
        figures.wrong_certain += not hit and best.certainty == "certain"
