"""Sights: what the lines say about who failed, each with the rank or node it is about."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.diagnose.events import Event, ExceptionLine
from generator.diagnose.index import Matcher
from generator.diagnose.times import Moment, moment_of
from generator.signatures.fold import fold

#: Longer numbers are no ranks.
_RANK_DIGITS = 7


@dataclass(frozen=True, slots=True)
class Sight:
    """One statement about a rank or node.

    Attributes:
        kind: a signature's role, a signal's kind, or `exception`.
        rank, node: whom it is about, as far as it says.
        printed_on: the rank that printed it.
        moment: when, None where the line has no time.
        entry: place of the entry, None for signals and exceptions.
        event: the event it comes from, None for a bare exception.
        device: the GPU that an NCCL line names, on a single node where no rank is known.
    """

    kind: str
    rank: int | None
    node: str | None
    printed_on: int | None
    moment: Moment | None
    file: int
    line: int
    text: str
    entry: int | None = None
    certain: bool = False
    event: Event | None = None
    device: int | None = None

    @property
    def subject(self) -> tuple[int | None, str | None]:
        """Whom it is about: the rank alone where known, else the node."""
        return (self.rank, None) if self.rank is not None else (None, self.node)

    @property
    def strength(self) -> int:
        """How much it says of its subject: a certain text, a shared one, or any exception."""
        return 2 if self.certain else 1 if self.entry is not None else 0


class Origins:
    """Says which rank and node a line comes from.

    Args:
        files: what each file's name says.
        matcher: the index.
        one_node: whether a local rank is as good as a rank.
    """

    def __init__(
        self, files: Sequence[Mapping[str, str]], matcher: Matcher, *, one_node: bool
    ) -> None:
        self._files = files
        self._inline = re.compile(matcher.knowledge["inline_rank"], re.ASCII)
        self._one_node = one_node

    def rank(self, file: int, fields: Mapping[str, str]) -> int | None:
        """Return the rank that printed a line."""
        own = self._files[file]
        for name in ("rank", "local_rank") if self._one_node else ("rank",):
            for held in (fields, own):
                rank = number(held.get(name))
                if rank is not None:
                    return rank
        return None

    def node(self, file: int, fields: Mapping[str, str]) -> str | None:
        """Return the node that printed a line."""
        return fields.get("node") or self._files[file].get("node")

    def device(self, fields: Mapping[str, str]) -> int | None:
        """Return the device that printed a line, where one node makes it tell ranks apart."""
        return number(fields.get("device")) if self._one_node else None

    def inline(self, text: str, before: int) -> int | None:
        """Return the rank in the last `[Rank 3]` before a place in a line."""
        last = None
        for found in self._inline.finditer(text, 0, before):
            last = found[1]
        return number(last)


def number(text: str | None) -> int | None:
    """Return a printed rank as a number, None where it is none."""
    if text is None or not text.isascii() or not text.isdigit() or len(text) > _RANK_DIGITS:
        return None
    return int(text)


def node_name(text: str | None) -> str | None:
    """Return a captured host or address without the shell around it."""
    if not text:
        return None
    text = text.removeprefix("[").removesuffix("]").removeprefix("::ffff:")
    return text or None


def sights_of(
    events: Sequence[Event],
    exceptions: Sequence[ExceptionLine],
    origins: Origins,
    matcher: Matcher,
) -> list[Sight]:
    """Return what all events and exceptions say, in the order of files and lines."""
    sights: list[Sight] = []
    told: set[tuple[int, int]] = set()
    for event in events:
        sight = _from_event(event, origins, matcher)
        sights.append(sight)
        if sight.entry is not None and not event.failed and sight.kind != "context":
            told.update((event.file, event.line + more) for more in range(event.lines))
    consequences = tuple(matcher.knowledge["consequence_texts"])
    # A lost connection to a hub or a store of files is the rank's own, not a peer's.
    own = tuple(matcher.knowledge["own_texts"])
    for one in exceptions:
        if (one.file, one.line) in told:
            continue
        echo = any(text in one.text for text in consequences) and not any(
            text in one.text for text in own
        )
        sights.append(
            Sight(
                kind="consequence" if echo else "exception",
                rank=origins.rank(one.file, one.fields),
                node=origins.node(one.file, one.fields),
                printed_on=origins.rank(one.file, one.fields),
                moment=moment_of(one.fields),
                file=one.file,
                line=one.line,
                text=one.text,
            )
        )
    sights.sort(key=lambda sight: (sight.file, sight.line))
    return sights


def _from_event(event: Event, origins: Origins, matcher: Matcher) -> Sight:
    printed_on = origins.rank(event.file, event.fields)
    if printed_on is None:
        printed_on = origins.inline(fold(event.text).strip(), event.start)
    node = origins.node(event.file, event.fields)
    captured = number(event.captures.get("rank"))
    moment = moment_of(event.fields)
    if event.pattern >= matcher.signal_start:
        signal: dict[str, Any] = matcher.index["signals"][event.pattern - matcher.signal_start]
        about = node_name(event.captures.get("node"))
        if captured is None:
            captured = number(event.captures.get("local_rank"))
        if captured is None:
            captured = signal.get("rank")
        says_who = captured is not None or about is not None
        return Sight(
            kind=signal["kind"],
            rank=captured if says_who else printed_on,
            node=about if says_who else node,
            printed_on=printed_on,
            moment=moment,
            file=event.file,
            line=event.line,
            text=event.text,
            certain=True,
            event=event,
            device=origins.device(event.fields),
        )
    record = matcher.index["signatures"][event.pattern]
    about = node_name(event.captures.get("node"))
    return Sight(
        kind=record["role"],
        rank=captured if captured is not None else (None if about else printed_on),
        node=about or node,
        printed_on=printed_on,
        moment=moment,
        file=event.file,
        line=event.line,
        text=event.text,
        entry=record["entry"],
        certain=event.certain,
        event=event,
        device=origins.device(event.fields),
    )
