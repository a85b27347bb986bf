"""One incident: logs in, the answer out."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from generator.diagnose.answer import Gathered, answer
from generator.diagnose.events import PASTE_LINES, Collector, settle
from generator.diagnose.index import Matcher
from generator.diagnose.ranking import query_words, rank
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


@dataclass(slots=True)
class _File:
    """What is kept of one file: its ends, counts, and the ranks in its prefixes."""

    source: Source
    origin: dict[str, str]
    head: list[str] = field(default_factory=list)
    tail: deque[str] = field(default_factory=lambda: deque(maxlen=TAIL_LINES))
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
    collector = Collector(matcher)
    files = [
        _read(at, source, matcher, collector, progress) for at, source in enumerate(sources)
    ]
    events = settle(collector.events, matcher)
    words = query_words(_said(files, events_text(collector)), matcher)
    gathered = Gathered(
        name=name,
        files=[file.source.name for file in files],
        origins=[file.origin for file in files],
        events=events,
        exceptions=collector.exceptions,
        standings=rank(events, words, matcher),
        tails=[list(file.tail)[-200:] or file.head[-200:] for file in files],
        lines=sum(file.lines for file in files),
        bytes=sum(file.bytes for file in files),
        ranks=_ranks(files),
        one_node=len(set().union(*(file.nodes for file in files))) <= 1 if files else True,
    )
    return answer(gathered, matcher)


def events_text(collector: Collector) -> list[str]:
    """Return the lines of all events, whose words count wherever they stand."""
    return list(dict.fromkeys(event.text for event in collector.events[:2_000]))


def _said(files: Sequence[_File], found: Sequence[str]) -> Iterator[str]:
    for file in files:
        yield from file.head
        yield from file.tail
    yield from found


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
            collector.chunk(at, held, paste=False)
        held = chunk
        chunks += 1
        _keep_ends(file, chunk, matcher)
        file.lines += chunk.data.count(b"\n")
        ranks.look(chunk.data)
    if held is not None:
        collector.chunk(at, held, paste=chunks == 1 and file.lines <= PASTE_LINES)
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


def _keep_ends(file: _File, chunk: Chunk, matcher: Matcher) -> None:
    """Keep messages of the file's first and last lines, without prefixes."""
    data = chunk.data
    if len(file.head) < HEAD_LINES:
        lines = re.split(rb"[\r\n]", data, maxsplit=HEAD_LINES)[:HEAD_LINES]
        file.head += _messages(lines[: HEAD_LINES - len(file.head)], matcher)
        rest = data[sum(len(line) + 1 for line in lines) :]
    else:
        rest = data
    if rest:
        lines = re.split(rb"[\r\n]", rest[-TAIL_LINES * 256 :])
        file.tail.extend(_messages(lines[-TAIL_LINES:], matcher))


def _messages(lines: Sequence[bytes], matcher: Matcher) -> list[str]:
    return [
        message
        for line in lines
        if line.strip()
        and (message := matcher.prefixes.strip(line[:4_096].decode("utf-8", "replace").strip())[0])
    ]


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

    Every prefix of the first lines is read. Only those grammars that show there are then
    looked for in the whole, and in bulk.
    """

    def __init__(self, matcher: Matcher) -> None:
        self.ranks: set[int] = set()
        self.local_ranks: set[int] = set()
        self.nodes: set[str] = set()
        self._matcher = matcher
        self._bulk: list[tuple[re.Pattern[bytes], list[str]]] | None = None

    def look(self, data: bytes) -> None:
        """Take in the prefixes of a chunk."""
        if self._bulk is None:
            self._bulk = self._grammars(data)
        for expression, groups in self._bulk:
            for found in set(expression.findall(data)):
                values = found if isinstance(found, tuple) else (found,)
                for name, value in zip(groups, values, strict=True):
                    self._add(name, value.decode("ascii", "replace"))

    def _grammars(self, data: bytes) -> list[tuple[re.Pattern[bytes], list[str]]]:
        lines = data[:262_144].split(b"\n", 2_000)[:2_000]
        shown: set[int] = set()
        for line in lines:
            _, fields = self._matcher.prefixes.strip(line[:2_048].decode("utf-8", "replace"))
            for name, value in fields.items():
                self._add(name, value)
            shown.update(self._matcher.prefixes.last)
        bulk = [self._matcher.prefixes.bulk(at) for at in sorted(shown)]
        wanted = {"rank", "local_rank", "node"}
        return [(expression, groups) for expression, groups in bulk if wanted & set(groups)]

    def _add(self, name: str, value: str) -> None:
        if name == "node" and value:
            self.nodes.add(value)
        elif name in ("rank", "local_rank"):
            rank = number(value)
            if rank is not None:
                (self.ranks if name == "rank" else self.local_ranks).add(rank)
