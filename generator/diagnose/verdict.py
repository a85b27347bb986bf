"""Who failed first: an ordered table of rules over sights, the strongest first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from generator.diagnose.events import Event
from generator.diagnose.index import Matcher
from generator.diagnose.report import First
from generator.diagnose.sights import Sight, number

#: Clocks of two hosts may differ by so much, in milliseconds.
SKEW = 2_000
#: More suspects than these say nothing.
MOST_SUSPECTS = 4
#: So few ranks may be silent among many that wait.
MOST_SILENT = 2
#: Longer numbers are no counts of collectives; both languages hold these exactly.
_COUNT_DIGITS = 15

Subject = tuple[int | None, str | None]


@dataclass(frozen=True, slots=True)
class Scene:
    """All that the rules look at.

    Attributes:
        sights: in the order of files and lines.
        ranks: every rank that printed a line.
        matcher: the index.
        named: ranks that are named in what was printed at the end.
        views: the ranks (else nodes) that printed reports about others.
    """

    sights: Sequence[Sight]
    ranks: frozenset[int]
    matcher: Matcher
    named: frozenset[int] = frozenset()
    views: set[Subject] = field(init=False)

    def __post_init__(self) -> None:
        # Once: the rules ask again and again, and there may be a view for each of many ranks.
        views: set[Subject] = {
            (sight.printed_on, None) if sight.printed_on is not None else (None, sight.node)
            for sight in self.sights
            if sight.kind == "consequence"
            and (sight.printed_on is not None or sight.node is not None)
        }
        object.__setattr__(self, "views", views)


def first_failed(scene: Scene) -> tuple[First, ...]:
    """Return who failed first by the strongest rule that has something to say."""
    for rule in RULES:
        found = rule(scene)
        if found:
            return found
    return ()


def _host_cause(scene: Scene) -> tuple[First, ...]:
    causes = [sight for sight in scene.sights if sight.kind == "host-cause" and sight.certain]
    return _decide(causes, scene, 1, "{who}: the host reports a cause ({text})")


def _own_exception(scene: Scene) -> tuple[First, ...]:
    named = [sight for sight in scene.sights if sight.kind == "own"]
    if named:
        return _decide(named, scene, 2, "{who}: named by its own failure ({text})")
    reports = _reports(scene)
    # A text that one entry calls a report is nobody's own, whatever others make of it.
    echoes = {
        (sight.file, sight.line)
        for sight in scene.sights
        if sight.kind in ("consequence", "lost-peer", "missing")
    }
    own = [
        sight
        for sight in scene.sights
        if sight.kind in ("initiating", "host-cause", "exception")
        and sight.entry not in reports
        and (sight.file, sight.line) not in echoes
        and (sight.subject != (None, None) or sight.device is not None)
    ]
    best = max((sight.strength for sight in own), default=0)
    own = [sight for sight in own if sight.strength == best]
    return _decide(own, scene, 2, "{who}: an exception of its own ({text})")


def _reports(scene: Scene) -> set[int]:
    """Return entries whose text names a peer that is missing: a view on somebody else."""
    lines = {
        (sight.file, sight.line)
        for sight in scene.sights
        if sight.kind in ("missing", "lost-peer", "desync")
    }
    return {
        sight.entry
        for sight in scene.sights
        if sight.entry is not None and (sight.file, sight.line) in lines
    }


def _death(scene: Scene) -> tuple[First, ...]:
    deadly = scene.matcher.knowledge["death_signals"]
    deaths = [sight for sight in scene.sights if signal_of(sight, scene.matcher) in deadly]
    return _decide(deaths, scene, 3, "{who}: ended by a signal without a traceback ({text})")


def signal_of(sight: Sight, matcher: Matcher) -> int | None:
    """Return the signal that a sight says a process died of, None where it says none."""
    event = sight.event
    if event is None or sight.kind not in ("killed", "exited"):
        return None
    signal = matcher.index["signals"][event.pattern - matcher.signal_start]
    if "signal" in signal:
        fixed: int = signal["signal"]
        return fixed
    text = event.captures.get("signal") or event.captures.get("exitcode", "").removeprefix("-")
    is_exit = "signal" not in event.captures
    if is_exit and not event.captures.get("exitcode", "").startswith("-"):
        return None
    return number(text)


def _hang(scene: Scene) -> tuple[First, ...]:
    """Compare enqueued collectives per process group: the rank that is behind is awaited."""
    sides = [sight for sight in scene.sights if sight.kind == "desync"]
    if sides:
        why = "{who} runs another collective at the same place"
        return _most_named(sides, why, rule=4)
    if found := _other_collective(scene):
        return found
    enqueued: dict[str, dict[int, int]] = defaultdict(dict)
    for sight in scene.sights:
        if sight.event is None or sight.printed_on is None:
            continue
        count = _sequence(sight.event.captures.get("last_enqueued"))
        if count is not None:
            enqueued[_group(sight.event)][sight.printed_on] = count
    for group in sorted(enqueued):
        counts = enqueued[group]
        least, most = min(counts.values()), max(counts.values())
        behind = sorted(rank for rank, count in counts.items() if count == least)
        if least < most and len(behind) * 2 < len(counts):
            return tuple(
                First(
                    rank,
                    None,
                    "suspect",
                    4,
                    f"rank {rank} enqueued {least} collectives, others {most}",
                )
                for rank in behind[:MOST_SUSPECTS]
            )
    return ()


def _other_collective(scene: Scene) -> tuple[First, ...]:
    """Name both sides where ranks wait in different collectives at one place of one group."""
    places: dict[tuple[str, int], dict[int, str]] = defaultdict(dict)
    for sight in scene.sights:
        if sight.event is None or sight.printed_on is None:
            continue
        sequence = _sequence(sight.event.captures.get("seq"))
        operation = sight.event.captures.get("op")
        if sequence is not None and operation:
            places[_group(sight.event), sequence].setdefault(sight.printed_on, operation)
    for group, sequence in sorted(places):
        operations = places[group, sequence]
        shares = Counter(operations.values())
        if len(shares) > 1:
            why = "rank {} waits in {} at sequence number {}, others in {}"
            return tuple(
                First(
                    rank,
                    None,
                    "suspect",
                    4,
                    why.format(
                        rank,
                        operations[rank],
                        sequence,
                        ", ".join(sorted(shares.keys() - {operations[rank]})),
                    ),
                )
                # The fewer are likelier to have gone astray.
                for rank in sorted(operations, key=lambda rank: (shares[operations[rank]], rank))
            )[:MOST_SUSPECTS]
    return ()


def _group(event: Event) -> str:
    """Return the process group that an event is about; counts compare within one only."""
    return event.captures.get("group") or event.fields.get("group", "")


def _sequence(text: str | None) -> int | None:
    """Return a printed count of collectives as a number, None where it is none."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > _COUNT_DIGITS:
        return None
    return int(text)


def _silent(scene: Scene) -> tuple[First, ...]:
    missing = [sight for sight in scene.sights if sight.kind == "missing"]
    if missing:
        return _most_named(missing, "{who} is named as missing by others")
    lost = [sight for sight in scene.sights if sight.kind == "lost-peer"]
    if found := _most_named(lost, "others lost the connection to {who}"):
        return found
    waiting = {rank for rank, _ in scene.views if rank is not None}
    if len(waiting) >= 2:
        everyone = range(max(waiting | scene.ranks) + 1) if max(waiting) < 100_000 else ()
        silent = [rank for rank in everyone if rank not in waiting]
        if 1 <= len(silent) <= MOST_SILENT and len(silent) < len(waiting):
            return tuple(
                First(rank, None, "suspect", 5, f"all others wait, rank {rank} reports nothing")
                for rank in silent
            )
    return ()


def _most_named(sights: Sequence[Sight], why: str, rule: int = 5) -> tuple[First, ...]:
    counts = Counter(sight.subject for sight in sights if sight.subject != (None, None))
    nodes = {sight.subject: sight.node for sight in reversed(sights)}
    if not counts:
        return ()
    most = max(counts.values())
    # Insertion order is the order of lines: the first named of equals stands first.
    named = [subject for subject, count in counts.items() if count == most]
    return tuple(
        First(
            rank,
            nodes[rank, node],
            "suspect",
            rule,
            why.format(who=who(rank, nodes[rank, node])),
        )
        for rank, node in named[:MOST_SUSPECTS]
    )


def _earliest(scene: Scene) -> tuple[First, ...]:
    begun: dict[Subject, int] = {}
    scales = set()
    for sight in scene.sights:
        if sight.kind != "consequence" or sight.moment is None or sight.subject == (None, None):
            continue
        began = sight.moment.value
        if sight.event is not None:
            # A watchdog speaks after it has waited.
            began -= number(sight.event.captures.get("ran_ms")) or 0
        scales.add(sight.moment.scale)
        begun[sight.subject] = min(begun.get(sight.subject, began), began)
    if len(begun) < 2 or len(scales) != 1:
        return ()
    (one, first), (_, second) = sorted(begun.items(), key=lambda item: item[1])[:2]
    if second - first <= SKEW:
        return ()
    why = f"{who(*one)} stopped {(second - first) // 1000} s before the next"
    return (First(one[0], one[1], "suspect", 6, why),)


def _launcher(scene: Scene) -> tuple[First, ...]:
    titles = [sight for sight in scene.sights if sight.kind == "first-observed-title"]
    observed = [sight for sight in scene.sights if sight.kind == "first-observed"]
    places = {(sight.file, sight.line): sight for sight in reversed(observed)}
    for title in titles:
        for line in range(title.line + 1, title.line + 7):
            if sight := places.get((title.file, line)):
                why = "torchrun names it as first observed: a hint, since every agent names its own"
                return (First(sight.rank, None, "suspect", 7, why),)
    listed = {sight.rank for sight in observed}
    if not titles and len(listed) == 1 and None not in listed:
        why = "the launcher lists it alone as failed, which is a hint"
        return (First(listed.pop(), None, "suspect", 7, why),)
    exits = [sight for sight in scene.sights if sight.kind == "exited"]
    subjects = list(dict.fromkeys(sight.subject for sight in exits))
    if len(subjects) == 1 and subjects[0] != (None, None):
        rank, node = subjects[0]
        why = f"the launcher saw {who(rank, node)} exit first"
        return (First(rank, node, "suspect", 7, why),)
    # Whoever reports about others names itself, too.
    named = scene.named - {rank for rank, _ in scene.views if rank is not None}
    if len(named) == 1:
        (rank,) = named
        return (First(rank, None, "suspect", 7, f"rank {rank} is the only one that is named"),)
    return ()


RULES: tuple[Callable[[Scene], tuple[First, ...]], ...] = (
    _host_cause,
    _own_exception,
    _death,
    _hang,
    _silent,
    _earliest,
    _launcher,
)


def _decide(sights: Iterable[Sight], scene: Scene, rule: int, why: str) -> tuple[First, ...]:
    """Name the subject of sights: certain only where others show that they are victims."""
    by_subject: dict[Subject, Sight] = {}
    for sight in sights:
        subject = sight.subject
        if sight.rank is None and sight.device is not None and not scene.ranks:
            subject = (sight.device, sight.node)
        if subject != (None, None):
            by_subject.setdefault(subject, sight)
    if not by_subject:
        return ()
    ordered = _in_time(list(by_subject.items()))
    # Whoever else printed a report only is a victim; their view proves what one rank's cannot.
    victims = scene.views - by_subject.keys()
    certain = len(by_subject) == 1 and len(victims) >= 1 and not _lone(ordered[0][1], victims)
    return tuple(
        First(
            rank,
            sight.node,
            "certain" if certain else "suspect",
            rule,
            why.format(who=_by_device(rank, sight), text=_short(sight.text)),
        )
        for (rank, _), sight in ordered[:MOST_SUSPECTS]
    )


def _by_device(rank: int | None, sight: Sight) -> str:
    said = who(rank, sight.node)
    return f"{said} (by its device)" if sight.rank is None and rank is not None else said


def _lone(sight: Sight, victims: set[Subject]) -> bool:
    """Whether all that is known was printed by one rank."""
    return sight.printed_on is not None and victims == {(sight.printed_on, None)}


def _in_time(held: list[tuple[Subject, Sight]]) -> list[tuple[Subject, Sight]]:
    """Order by time where all have one and clocks can tell, else by place."""
    moments = [sight.moment for _, sight in held]
    known = [moment for moment in moments if moment is not None]
    if len(known) < len(held) or len({moment.scale for moment in known}) != 1:
        return held
    values = sorted(moment.value for moment in known)
    if len(values) > 1 and values[1] - values[0] <= SKEW:
        return held
    return sorted(held, key=lambda item: item[1].moment.value if item[1].moment else 0)


def who(rank: int | None, node: str | None) -> str:
    """Say whom a statement is about."""
    if rank is not None:
        return f"rank {rank}" + (f" on {node}" if node else "")
    return f"node {node}" if node else "a process"


def _short(text: str) -> str:
    return text if len(text) <= 160 else text[:159] + "…"
