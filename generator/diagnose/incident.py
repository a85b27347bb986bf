"""One incident: logs in, the answer out."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from generator.diagnose.answer import Gathered, answer
from generator.diagnose.events import SMALL_LINES, Collector, Event, settle
from generator.diagnose.index import Matcher
from generator.diagnose.islands import Message, is_whole, islands_of
from generator.diagnose.ranking import rank
from generator.diagnose.read import Chunk, clean_chunks
from generator.diagnose.report import Report
from generator.diagnose.sights import number
from generator.diagnose.sources import Source, paste

#: Told the bytes that were read since the last call.
Progress = Callable[[int], None]

#: Lines at the start and at the end of a file whose words are looked at; a shorter file
#: is looked at as a whole.
HEAD_LINES = 1_000
TAIL_LINES = 4_000
#: Bytes of a line whose words are looked at.
LONGEST_MESSAGE = 4_096
#: Events whose lines are looked at, wherever they stand.
MOST_EVENTS = 2_000
#: Last lines that may say that a run ended.
ENDING_LINES = 200


@dataclass(slots=True)
class _File:
    """What is kept of one file: its ends, counts, and the ranks in its prefixes."""

    source: Source
    origin: dict[str, str]
    head: list[Message] = field(default_factory=list)
    tail: list[Message] = field(default_factory=list)
    raw_tail: deque[tuple[int, bytes]] = field(default_factory=lambda: deque(maxlen=TAIL_LINES))
    lines: int = 0
    bytes: int = 0
    ranks: set[int] = field(default_factory=set)
    local_ranks: set[int] = field(default_factory=set)
    nodes: set[str] = field(default_factory=set)


def diagnose(text: str, matcher: Matcher, name: str = "-") -> Report:
    """Diagnose a paste.

    Args:
        text: what was printed, as a person copied it.
        matcher: the compiled index.
        name: what the answer calls the input.
    """
    return diagnose_sources([paste(text, name)], matcher, name)


def diagnose_sources(
    sources: Sequence[Source],
    matcher: Matcher,
    name: str,
    progress: Progress | None = None,
) -> Report:
    """Diagnose one incident.

    Args:
        sources: its logs, one or several.
        matcher: the compiled index.
        name: what the answer calls the input.
        progress: called while reading.

    Raises:
        ReadLogError: a log cannot be read.
    """
    return answer(gather(sources, matcher, name, progress), matcher)


def gather(
    sources: Sequence[Source],
    matcher: Matcher,
    name: str,
    progress: Progress | None = None,
) -> Gathered:
    """Read and match the logs of one incident: all that the answer is made from.

    Raises:
        ReadLogError: a log cannot be read.
    """
    collector = Collector(matcher)
    files = [_read(at, source, matcher, collector, progress) for at, source in enumerate(sources)]
    events = settle(collector.events, matcher)
    messages = _messages(files, collector.events, matcher)
    islands, whole = islands_of(messages), is_whole(messages)
    return Gathered(
        name=name,
        files=[file.source.name for file in files],
        origins=[file.origin for file in files],
        events=events,
        exceptions=collector.exceptions,
        standings=rank(events, islands, matcher, whole=whole),
        tails=[[one.text for one in (*file.head, *file.tail)][-ENDING_LINES:] for file in files],
        lines=sum(file.lines for file in files),
        bytes=sum(file.bytes for file in files),
        ranks=_ranks(files),
        one_node=len(set().union(*(file.nodes for file in files))) <= 1 if files else True,
        whole=whole,
    )


def _messages(files: Sequence[_File], events: Sequence[Event], matcher: Matcher) -> list[Message]:
    """Return the kept lines of all files, with those of events between them."""
    kept = [message for file in files for message in (*file.head, *file.tail)]
    held = {(message.file, message.line) for message in kept}
    extra = {
        (event.file, event.line): event.text
        for event in events[:MOST_EVENTS]
        if (event.file, event.line) not in held
    }
    for place, raw in extra.items():
        text = matcher.prefixes.strip(raw)[0]
        kept.append(Message(*place, text, matcher.line_weight(text, raw)))
    return sorted(kept, key=lambda message: (message.file, message.line))


def _read(
    at: int,
    source: Source,
    matcher: Matcher,
    collector: Collector,
    progress: Progress | None,
) -> _File:
    file = _File(source, _origin(source.name, matcher))
    ranks = RankFinder(matcher)
    held: Chunk | None = None
    chunks = 0
    for chunk in clean_chunks(_watched(source, file, progress)):
        if held is not None:
            collector.chunk(at, held, small=False)
        held = chunk
        chunks += 1
        _keep_ends(at, file, chunk, ranks, matcher)
        file.lines += chunk.data.count(b"\n")
        ranks.look(chunk.data)
    if held is not None:
        collector.chunk(at, held, small=chunks == 1 and file.lines <= SMALL_LINES)
    file.tail += _stripped(at, file.raw_tail, ranks, matcher)
    file.raw_tail.clear()
    file.ranks, file.local_ranks, file.nodes = ranks.ranks, ranks.local_ranks, ranks.nodes
    for name, into in (("rank", file.ranks), ("local_rank", file.local_ranks)):
        own = number(file.origin.get(name))
        if own is not None:
            into.add(own)
    if node := file.origin.get("node"):
        file.nodes.add(node)
    return file


def _watched(source: Source, file: _File, progress: Progress | None) -> Iterator[bytes]:
    for block in source.blocks():
        file.bytes += len(block)
        yield block
        if progress is not None:
            progress(len(block))


def _keep_ends(at: int, file: _File, chunk: Chunk, ranks: RankFinder, matcher: Matcher) -> None:
    """Keep messages of the file's first and last lines, without prefixes."""
    start = 0
    line = chunk.line
    if file.lines < HEAD_LINES:
        lines = chunk.data.split(b"\n", HEAD_LINES - file.lines)
        rest = lines.pop()
        file.head += _stripped(at, enumerate(lines, line), ranks, matcher)
        line += len(lines)
        start = len(chunk.data) - len(rest)
    lines = chunk.data[start:].rsplit(b"\n", TAIL_LINES + 1)
    lines.pop()  # a chunk ends with a line feed
    if len(lines) > TAIL_LINES:
        before = lines.pop(0)
        line += before.count(b"\n") + 1
    file.raw_tail.extend(enumerate(lines, line))


def _stripped(
    at: int, lines: Iterable[tuple[int, bytes]], ranks: RankFinder, matcher: Matcher
) -> Iterator[Message]:
    for number_, whole in lines:
        for segment in whole.split(b"\r"):
            raw = segment[:LONGEST_MESSAGE].decode("utf-8", "replace").strip()
            if raw:
                message, fields = matcher.prefixes.strip(raw)
                ranks.add(fields)
                if message:
                    yield Message(at, number_, message, matcher.line_weight(message, raw))


def _ranks(files: Sequence[_File]) -> frozenset[int]:
    ranks = frozenset().union(*(file.ranks for file in files)) if files else frozenset()
    if ranks:
        return ranks
    return frozenset().union(*(file.local_ranks for file in files)) if files else frozenset()


def _origin(name: str, matcher: Matcher) -> dict[str, str]:
    """Return what a file's name says about rank and node."""
    for expression, groups in matcher.file_origins:
        found = expression.search(name)
        if found:
            return {
                group: value
                for group, value in zip(groups, found.groups(), strict=True)
                if value is not None
            }
    return {}


class RankFinder:
    """Finds the ranks and nodes in the prefixes of all lines.

    Every prefix of a file's first and last lines is read. Only those grammars that show
    there are then looked for in the whole, and in bulk.
    """

    def __init__(self, matcher: Matcher) -> None:
        self.ranks: set[int] = set()
        self.local_ranks: set[int] = set()
        self.nodes: set[str] = set()
        self._matcher = matcher
        self._shown: set[int] = set()
        self._bulk: dict[int, tuple[re.Pattern[bytes], list[str]]] = {}

    def add(self, fields: Mapping[str, str]) -> None:
        """Take in what the prefixes of the line just stripped say."""
        for name in _WHO:
            if name in fields:
                self._add(name, fields[name])
        self._shown.update(self._matcher.prefixes.last)

    def look(self, data: bytes) -> None:
        """Take in the prefixes of a chunk."""
        for at in sorted(self._shown):
            if at not in self._bulk:
                self._bulk[at] = self._matcher.prefixes.bulk(at)
            expression, groups = self._bulk[at]
            if "rank" not in groups and "local_rank" not in groups:
                continue
            for found in set(expression.findall(data)):
                values = found if isinstance(found, tuple) else (found,)
                for name, value in zip(groups, values, strict=True):
                    if name in _WHO:
                        self._add(name, value.decode("ascii", "replace"))

    def _add(self, name: str, value: str) -> None:
        if name == "node":
            if value:
                self.nodes.add(value)
            return
        rank = number(value)
        if rank is not None:
            (self.ranks if name == "rank" else self.local_ranks).add(rank)


_WHO = ("rank", "local_rank", "node")
