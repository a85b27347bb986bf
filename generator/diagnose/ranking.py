"""Ranking: which entries a text is about, by templates first and words second.

All scores are integers: impacts come from the index, queries only add and compare.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, field

from generator.diagnose.events import Event
from generator.diagnose.index import ORDINARY, Matcher
from generator.diagnose.islands import TELLING, Message
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


def rank(
    events: Sequence[Event],
    islands: Sequence[Sequence[Message]],
    matcher: Matcher,
    *,
    whole: bool,
) -> list[Standing]:
    """Rank all entries that have anything to do with a text, best first.

    Args:
        events: settled events.
        islands: the lines whose words count; an entry counts by its best island.
        matcher: the index.
        whole: the only island is a whole input that a person chose.
    """
    standings: dict[int, Standing] = {}
    for island in islands:
        _add_words(query_words(island, matcher, whole=whole), standings, matcher)
    told = {(message.file, message.line) for island in islands for message in island}
    _add_templates(events, told, standings, matcher, whole=whole)
    weights = matcher.knowledge["weights"]["ranking"]
    for held in standings.values():
        held.score = (
            held.template
            + held.words * weights["words"] // 100
            + held.coverage * weights["coverage"] // 100
        )
    _explain(standings, matcher)
    return sorted(
        standings.values(),
        key=lambda held: (
            not held.certain,
            held.certain and held.explained_by is not None,
            -held.score,
            held.entry,
        ),
    )


def query_words(island: Iterable[Message], matcher: Matcher, *, whole: bool) -> dict[str, int]:
    """Return the words of an island with the weight of the weightiest line of each.

    Amid a long log ordinary lines weigh less, since what stands around a telling line is
    often another rank's, and the words of healthy runs weigh a third.
    """
    weights: dict[str, int] = {}
    for message in island:
        weight = message.weight
        if weight == ORDINARY and not whole:
            weight -= 1
        if weight:
            for word in words_of(message.text):
                if weights.get(word, 0) < weight:
                    weights[word] = weight
    if whole:
        return weights
    return {
        word: fair
        for word, weight in weights.items()
        if (fair := weight // 3 if word in matcher.background else weight)
    }


def _add_words(words: Mapping[str, int], standings: dict[int, Standing], matcher: Matcher) -> None:
    """Add impacts of words, and how much of any one signature they cover."""
    terms = matcher.index["terms"]
    impacts: dict[int, int] = defaultdict(int)
    have: dict[int, int] = defaultdict(int)
    for word, weight in words.items():
        row = terms.get(word)
        if row is None:
            continue
        entry = 0
        for at in range(1, len(row), 2):
            entry += row[at]
            impacts[entry] += row[at + 1] * weight
        for signature in matcher.holders.get(word, ()):
            have[signature] += row[0]
    covers: dict[int, int] = defaultdict(int)
    slack = matcher.knowledge["weights"]["ranking"]["slack"]
    for signature, found in have.items():
        entry = matcher.entry_of(signature)
        covers[entry] = max(covers[entry], found * found // (matcher.rarity[signature] + slack))
    for entry, impact in impacts.items():
        held = standings.get(entry) or standings.setdefault(entry, Standing(entry))
        held.words = max(held.words, impact)
        held.coverage = max(held.coverage, covers[entry])


def _add_templates(
    events: Sequence[Event],
    told: Set[tuple[int, int]],
    standings: dict[int, Standing],
    matcher: Matcher,
    *,
    whole: bool,
) -> None:
    weights = matcher.knowledge["weights"]["ranking"]
    least = _least_weight(events, told, matcher, whole=whole)
    for event in events:
        if event.pattern >= matcher.with_start:
            continue
        record = matcher.index["signatures"][event.pattern]
        entry = record["entry"]
        held = standings.get(entry) or standings.setdefault(entry, Standing(entry))
        held.events.append(event)
        size = weights["size"]
        if record.get("role") != "context" and _counts(event, told, least):
            value = weights["certain"] if event.certain else weights["shared"]
            held.matched = True
        else:
            # What decides nothing is only a hint, however long it is.
            value = weights["context" if record.get("role") == "context" else "failed"]
            size //= 3
        if event.reasons:
            value += weights["condition"]
        value += size * min(matcher.size_of(event.pattern, event.cut), weights["size_cap"])
        if value > held.template:
            held.template, held.best = value, event
        held.certain |= event.certain


def _counts(event: Event, told: Set[tuple[int, int]], least: int) -> bool:
    """Whether a text makes its entry at least a candidate."""
    if event.failed or event.certain:
        return not event.failed
    if event.weight >= TELLING:
        return (event.file, event.line) in told
    return event.weight >= least


def _least_weight(
    events: Sequence[Event], told: Set[tuple[int, int]], matcher: Matcher, *, whole: bool
) -> int:
    """Return how much a line must tell for a shared text in it to count.

    Healthy runs print shared texts, too: in a long log ordinary lines count only where
    nothing else does.
    """
    if whole:
        return 0
    clear = any(
        event.pattern < matcher.with_start
        and _role(event, matcher) != "context"
        and _counts(event, told, TELLING)
        for event in events
    )
    return TELLING if clear else ORDINARY


def is_faint(event: Event, *, whole: bool) -> bool:
    """Whether a shared text stands in a line of a long log that tells of no trouble."""
    return not (whole or event.certain or event.weight >= TELLING)


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
    echoes = {(one.file, one.line) for one in report.events}
    return any(
        not event.failed
        and _role(event, matcher) not in ("context", "consequence")
        and (event.file, event.line) not in echoes
        for event in root.events
    )


def _role(event: Event, matcher: Matcher) -> str:
    role: str = matcher.index["signatures"][event.pattern].get("role", "")
    return role
