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
    W = matcher.knowledge["weights"]["ranking"]
    for event in events:
        if event.pattern >= matcher.with_start:
            continue
        record = matcher.index["signatures"][event.pattern]
        entry = record["entry"]
        held = standings.get(entry) or standings.setdefault(entry, Standing(entry))
        value = W["certain"] if event.certain else W["shared"]
        if event.failed:
            value = W["failed"]
        if record.get("role") == "context":
            value = W["context"]
        if event.reasons:
            value += W["condition"]
        value += W["size"] * min(matcher.patterns[event.pattern].size, W["size_cap"])
        if value > held.template:
            held.template = value
            held.best = event
        held.certain |= event.certain
        held.matched |= not event.failed
    for held in standings.values():
        held.score = held.template + held.words * W["words"] // 100 + held.coverage * W["coverage"] // 100
    matched = [h for h in standings.values() if h.matched]
    for h in matched:
        for o in matched:
            if o is not h and h.entry in matcher.leads_to[o.entry] and h.entry not in ():
                h.score -= W["consequence"]
                break
    return sorted(standings.values(), key=lambda h: (-h.certain, -h.score, h.entry))
