"""Search: entries for words, an error line or a traceback."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from generator.diagnose.incident import diagnose
from generator.diagnose.index import Matcher
from generator.diagnose.report import Finding, Suggestion

Grade = Literal["certain", "candidate", "guess"]


@dataclass(frozen=True, slots=True)
class Result:
    """One entry that a text is about; `text` in `line` is what was printed."""

    id: str
    title: str
    category: str
    severity: str
    grade: Grade
    line: int | None
    text: str | None
    why: str


def search(text: str, matcher: Matcher) -> list[Result]:
    """Find entries, best first, each once; the browser's `search(text)` gives the same.

    Args:
        text: words, an error line or a traceback.
        matcher: the compiled index.
    """
    report = diagnose(text, matcher, "search")
    entries = {entry["id"]: entry for entry in matcher.index["entries"]}
    found: dict[str, Result] = {}

    def add(one: Finding | Suggestion, grade: Grade) -> None:
        entry = entries[one.id]
        names = (entry["title"], entry["category"], entry["severity"])
        found.setdefault(one.id, Result(one.id, *names, grade, one.line, one.text, one.why))

    for finding in report.findings:
        add(finding, "certain")
    for suggestion in report.suggestions:
        add(suggestion, "candidate" if suggestion.matched else "guess")
    return list(found.values())
