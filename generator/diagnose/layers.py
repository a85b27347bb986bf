"""The layers of an answer as plain data, by which two matchers are compared.

`events`, then `ranking`, then the report (`verdict`): the first layer in which two matchers
differ is the one that is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from generator.diagnose.answer import answer
from generator.diagnose.events import Event
from generator.diagnose.incident import gather
from generator.diagnose.index import Matcher
from generator.diagnose.ranking import Standing
from generator.diagnose.sources import Source

#: Places of the ranking that are compared.
PLACES = 20


def layers_of(sources: Sequence[Source], matcher: Matcher, name: str) -> dict[str, Any]:
    """Return `events`, `exceptions`, `ranking` and `report` of one incident."""
    gathered = gather(sources, matcher, name)
    return {
        "events": [_event(event, matcher) for event in gathered.events],
        "exceptions": [
            {"file": one.file, "line": one.line, "text": one.text} for one in gathered.exceptions
        ],
        "ranking": [_standing(one, matcher) for one in gathered.standings[:PLACES]],
        "report": answer(gathered, matcher).data(),
    }


def _event(event: Event, matcher: Matcher) -> dict[str, Any]:
    data: dict[str, Any] = {"file": event.file, "line": event.line, "segment": event.segment}
    if event.pattern >= matcher.signal_start:
        data["signal"] = event.pattern - matcher.signal_start
    else:
        data["signature"] = event.pattern
        data["id"] = matcher.index["entries"][matcher.entry_of(event.pattern)]["id"]
        data["certain"] = event.certain
    data["captures"] = event.captures
    data["fields"] = event.fields
    data["count"] = event.count
    for name in ("cut", "failed", "reasons"):
        if value := getattr(event, name):
            data[name] = list(value) if name == "reasons" else value
    if event.lines > 1:
        data["lines"] = event.lines
    return data


def _standing(standing: Standing, matcher: Matcher) -> dict[str, Any]:
    entries = matcher.index["entries"]
    explained_by = standing.explained_by
    return {
        "id": entries[standing.entry]["id"],
        "score": standing.score,
        "template": standing.template,
        "words": standing.words,
        "coverage": standing.coverage,
        "certain": standing.certain,
        "matched": standing.matched,
        "explained_by": None if explained_by is None else entries[explained_by]["id"],
    }
