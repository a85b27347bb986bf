"""Ranking: which entries a text is about, by templates first and words second.

All scores are integers: impacts come from the index, queries only add and compare.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from generator.diagnose.events import Event
from generator.diagnose.index import Matcher
from generator.signatures.words import words_of


@dataclass(slots=True)
class Standing:
    """How one entry stands for a text."""

    entry: int
    score: int = 0
    words: int = 0
    coverage: int = 0
    template: int = 0
    best: Event | None = None
    certain: bool = False
    matched: bool = False
    events: list[Event] = field(default_factory=list)
    explained_by: int | None = None


def line_weight(line: str, matcher: Matcher) -> int:
    """Return how much a line says about a failure, 0 for nothing."""
    for expression, weight in matcher.line_weights:
        if expression.search(line):
            return weight
    return 0


def query_words(lines: Iterable[str], matcher: Matcher) -> dict[str, int]:
    """Return the words of a text with the weight of the weightiest line of each."""
    weights: dict[str, int] = {}
    for line in lines:
        weight = line_weight(line, matcher)
        if weight:
            for word in words_of(line):
                if weights.get(word, 0) < weight:
                    weights[word] = weight
    return weights


def rank(events: list[Event], words: dict[str, int], matcher: Matcher) -> list[Standing]:
    """Rank all entries that have anything to do with a text, best first."""
    standings: dict[int, Standing] = {}
    terms = matcher.index["terms"]
    total = 0
    for word, weight in words.items():
        row = terms.get(word)
        if row is None:
            continue
        for at in range(1, len(row), 2):
            entry = row[at]
            held = standings.get(entry) or standings.setdefault(entry, Standing(entry))
            held.words += row[at + 1] * weight
    rarity = {word: terms[word][0] for word in words if word in terms}
    for signature, needed in enumerate(matcher.signature_words):
        have = sum(rarity[word] for word in needed if word in rarity)
        if not have:
            continue
        all_ = sum(terms[word][0] for word in needed if word in terms)
        entry = matcher.entry_of(signature)
        cover = have * have // (all_ + 60)
        held = standings.get(entry)
        if held and cover > held.coverage:
            held.coverage = cover
    _add_templates(events, standings, matcher)
    weights = matcher.knowledge["weights"]["ranking"]
    for held in standings.values():
        held.score = (
            held.template
            + held.words * weights["words"] // 100
            + held.coverage * weights["coverage"] // 100
        )
    _explain(standings, matcher)
    return sorted(
        standings.values(), key=lambda held: (not held.certain, held.certain and held.explained_by is not None, -held.score, held.entry)
    )


def _add_templates(
    events: list[Event], standings: dict[int, Standing], matcher: Matcher
) -> None:
    weights = matcher.knowledge["weights"]["ranking"]
    for event in events:
        if event.pattern >= matcher.with_start:
            continue
        record = matcher.index["signatures"][event.pattern]
        entry = record["entry"]
        held = standings.get(entry) or standings.setdefault(entry, Standing(entry))
        held.events.append(event)
        if record.get("role") == "context":
            value = weights["context"]
        elif event.failed:
            value = weights["failed"]
        else:
            value = weights["certain"] if event.certain else weights["shared"]
            held.matched = True
        if event.reasons:
            value += weights["condition"]
        value += weights["size"] * min(matcher.size_of(event.pattern, event.cut), weights["size_cap"])
        if value > held.template:
            held.template, held.best = value, event
        held.certain |= event.certain


def _explain(standings: dict[int, Standing], matcher: Matcher) -> None:
    """Let what a failure leads to stand behind it, where both are printed.

    A report that many failures cause says little beside one of them: it is no finding
    of its own, and stands behind the likeliest that explains it.
    """
    matched = [held for held in standings.values() if held.matched]
    roots = {
        held.entry: [
            other for other in matched if other is not held and _explains(other, held, matcher)
        ]
        for held in matched
    }
    for held in matched:
        # What is itself explained explains nothing; its own root does.
        firm = [root for root in roots[held.entry] if not roots[root.entry]]
        if not firm:
            continue
        root = max(firm, key=lambda root: (root.certain, root.score, -root.entry))
        held.explained_by = root.entry
        # Beside a mere candidate it would hide what should be read first.
        held.certain = held.certain and root.certain
        held.score = min(held.score, root.score - 1)


def _explains(root: Standing, report: Standing, matcher: Matcher) -> bool:
    consequences = matcher.consequences
    if root.entry in consequences and report.entry not in consequences:
        return False
    if report.entry in matcher.leads_to[root.entry]:
        pass
    elif not (report.entry in consequences and root.entry not in consequences):
        return False
    if root.entry in matcher.leads_to[report.entry]:
        return False
    # The same text cannot be both the cause and its echo.
    return any(
        not event.failed and _role(event, matcher) not in ("context", "consequence")
        and all((event.line, event.file) != (one.line, one.file) for one in report.events)
        for event in root.events
    )


def _role(event: Event, matcher: Matcher) -> str:
    role: str = matcher.index["signatures"][event.pattern].get("role", "")
    return role
