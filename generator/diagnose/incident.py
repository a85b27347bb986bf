"""One incident: logs in, the answer out."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from generator.diagnose.answer import Gathered, answer
from generator.diagnose.events import SMALL_LINES, SMALL_RETURNS, Collector, Event, settle
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
#: Lines of all files together whose words are looked at: a file gets a hundredth of what the
#: files before it left for its end and a quarter of that for its start, these at least.
MOST_LINES = 500_000
LEAST_HEAD, LEAST_TAIL = 10, 50
#: Bytes of a segment whose words are looked at, and of a line: its last segments count.
LONGEST_MESSAGE = 4_096
LONGEST_LINE = 16_384
#: Chunks that wait until it is known whether they hold the file's last lines.
_HELD = 2
#: Events whose lines are looked at, wherever they stand.
MOST_EVENTS = 2_000
#: Last lines that may say that a run ended.
ENDING_LINES = 200


@dataclass(slots=True)
class _File:
    """What is kept of one file: its ends, counts, and the ranks in its prefixes."""

    source: Source
    origin: dict[str, str]
    head_lines: int
    tail_lines: int
    head: list[Message] = field(default_factory=list)
    tail: list[Message] = field(default_factory=list)
    raw_tail: deque[tuple[int, list[bytes]]] = field(default_factory=deque)
    held: list[tuple[bytes, int, int]] = field(default_factory=list)
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
    files: list[_File] = []
    left = MOST_LINES
    for source in sources:
        file = _File(
            source,
            _origin(source.name, matcher),
            head_lines=min(max(left // 400, LEAST_HEAD), HEAD_LINES),
            tail_lines=min(max(left // 100, LEAST_TAIL), TAIL_LINES),
        )
        _read(len(files), file, matcher, collector, progress)
        files.append(file)
        left = max(left - len(file.head) - len(file.tail), 0)
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
    file: _File,
    matcher: Matcher,
    collector: Collector,
    progress: Progress | None,
) -> None:
    ranks = RankFinder(matcher)
    held: Chunk | None = None
    chunks = 0
    for chunk in clean_chunks(_watched(file.source, file, progress)):
        if held is not None:
            collector.chunk(at, held, small=False)
        held = chunk
        chunks += 1
        _keep_ends(at, file, chunk, ranks, matcher)
        file.lines += chunk.lines
        ranks.look(chunk.data)
    if held is not None:
        small = (
            chunks == 1 and file.lines <= SMALL_LINES and held.data.count(b"\r") <= SMALL_RETURNS
        )
        collector.chunk(at, held, small=small)
    _settle_tail(file)
    file.tail += _stripped(at, file.raw_tail, ranks, matcher)
    file.raw_tail.clear()
    file.ranks, file.local_ranks, file.nodes = ranks.ranks, ranks.local_ranks, ranks.nodes
    for name, into in (("rank", file.ranks), ("local_rank", file.local_ranks)):
        own = number(file.origin.get(name))
        if own is not None:
            into.add(own)
    if node := file.origin.get("node"):
        file.nodes.add(node)


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
    if file.lines < file.head_lines:
        lines = chunk.data.split(b"\n", file.head_lines - file.lines)
        rest = lines.pop()
        file.head += _stripped(at, enumerate(map(_segments, lines), line), ranks, matcher)
        line += len(lines)
        start = len(chunk.data) - len(rest)
    if chunk.lines - (line - chunk.line) >= file.tail_lines:
        # All that was held before is no tail any more.
        file.held.clear()
        file.raw_tail.clear()
    elif len(file.held) >= _HELD:
        _settle_tail(file)
    file.held.append((chunk.data, start, line))


def _settle_tail(file: _File) -> None:
    """Take the last lines out of the chunks that are held, and let go of these."""
    for data, start, line in file.held:
        lines = data[start:].rsplit(b"\n", file.tail_lines + 1)
        lines.pop()  # a chunk ends with a line feed
        if len(lines) > file.tail_lines:
            before = lines.pop(0)
            line += before.count(b"\n") + 1
        file.raw_tail.extend(enumerate(map(_segments, lines), line))
        while len(file.raw_tail) > file.tail_lines:
            file.raw_tail.popleft()
    file.held.clear()


def _segments(line: bytes) -> list[bytes]:
    """Return the last segments of a line, each cut; of a progress bar there are thousands."""
    if len(line) <= LONGEST_MESSAGE and b"\r" not in line:
        return [line]
    kept: list[bytes] = []
    size = 0
    end = len(line)
    while end >= 0 and size < LONGEST_LINE:
        start = line.rfind(b"\r", 0, end) + 1
        kept.append(line[start : min(end, start + LONGEST_MESSAGE)])
        size += len(kept[-1]) + 1
        end = start - 1
    return kept[::-1]


def _stripped(
    at: int, lines: Iterable[tuple[int, list[bytes]]], ranks: RankFinder, matcher: Matcher
) -> Iterator[Message]:
    for number_, segments in lines:
        for segment in segments:
            raw = segment.decode("utf-8", "replace").strip()
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


class _Beginnings:
    """Finds lines that begin otherwise than those before them.

    Args:
        longest: bytes of a beginning.
    """

    def __init__(self, longest: int) -> None:
        self._longest = longest
        # What was seen, by a hash: a place that another took over is only looked at again.
        self._seen = np.zeros(1 << _SEEN_BITS, np.uint64)

    def new(self, data: bytes) -> list[int]:
        """Return offsets of lines with beginnings that were not seen, one of each at least."""
        ends = np.flatnonzero(np.frombuffer(data, np.uint8) == _LINE_FEED)
        starts = np.concatenate([np.zeros(1, ends.dtype), ends[:-1] + 1])
        padded = data + bytes(self._longest + 8)
        words_at = np.ndarray((len(data) + self._longest,), "<u8", padded, 0, (1,))
        keys = np.ones(len(starts), np.uint64)
        for word in range(-(-self._longest // 8)):
            # Odd factors, and a shift that lets high bits reach the low ones.
            keys = (keys ^ words_at[starts + 8 * word]) * _MIX
            keys ^= keys >> np.uint64(32)
        places = keys >> np.uint64(64 - _SEEN_BITS)
        fresh = np.flatnonzero(self._seen[places] != keys)
        self._seen[places[fresh]] = keys[fresh]
        first: list[int] = starts[fresh[np.unique(keys[fresh], return_index=True)[1]]].tolist()
        return first


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
        self._beginnings: dict[int, _Beginnings] = {}

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
            longest = self._matcher.prefixes.longest(at)
            if longest is None:
                found = set(expression.findall(data))
            else:
                if at not in self._beginnings:
                    self._beginnings[at] = _Beginnings(longest)
                lines = self._beginnings[at].new(data)
                matches = (expression.match(data, start) for start in lines)
                found = {match.groups() for match in matches if match}
            for one in found:
                values = one if isinstance(one, tuple) else (one,)
                for name, value in zip(groups, values, strict=True):
                    if name in _WHO and value is not None:
                        self._add(name, value.decode("utf-8", "replace"))

    def _add(self, name: str, value: str) -> None:
        if name == "node":
            if value:
                self.nodes.add(value)
            return
        rank = number(value)
        if rank is not None:
            (self.ranks if name == "rank" else self.local_ranks).add(rank)


_WHO = ("rank", "local_rank", "node")
_LINE_FEED = 10
_SEEN_BITS = 12
_MIX = np.uint64(0x9E3779B97F4A7C15)
