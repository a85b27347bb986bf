"""Events: which signature stands in which line, with what it captured."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise

from generator.diagnose.conditions import holds
from generator.diagnose.index import Matcher
from generator.diagnose.patterns import Found
from generator.diagnose.prefixes import Prefixes
from generator.diagnose.read import Chunk, count_line_feeds
from generator.diagnose.scan import Scanner
from generator.signatures import ANCHOR_BYTES
from generator.signatures.fold import fold

#: Events of one pattern that are kept for one origin; the rest are only counted.
KEPT = 3
#: Files up to so many lines and carriage returns are searched for bare exceptions and cut
#: texts, too.
SMALL_LINES, SMALL_RETURNS = 10_000, 30_000
#: Characters on both sides of a line's end in which a cut anchor is looked for.
EDGE = 16
#: So often is a pattern looked for in one file; what a file prints more often is no event.
TRIED = 20_000
#: So many patterns are looked for in one segment: an honest line shows a few.
TRIED_AT_ONCE = 256
#: Lines before and after an anchor's that a wrapped text may take.
JOINED_BEFORE, JOINED_AFTER = 3, 6
#: Bytes that joined lines may take, with all that stands between them.
JOINED_BYTES = 16_384
#: So often is a pattern tried over a line's end in vain in one file.
JOINS = 64
#: Lines of a traceback that are walked to find its end.
TRACEBACK_LINES = 400
#: Longest text of a line that is handed on, in characters.
TEXT_LIMIT = 1_000

#: First characters of the lines inside a traceback.
_INDENTED = ("", " ", "\t", "|", "+")
_TEXT = re.compile(rb"[^\t\n\x0b\x0c\r\x1c-\x1f ]")
_BLANKS = b"\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f "


@dataclass(slots=True)
class Event:
    """One pattern found in one place.

    Attributes:
        pattern: its place among the matcher's patterns.
        file: place of the file among those read.
        line: 1-based number of the line; of the first one where it spans two.
        segment: 0-based segment of the line (carriage returns divide it).
        start, end: its place in the plain line; with `lines` above 1 in the joined one.
        captures: texts of named placeholders.
        fields: what the line's prefixes say.
        text: the line, clean, with its prefixes.
        reasons: comparisons that made its condition hold.
        certain: whether it alone makes a finding.
        count: how often it was found for this origin.
        failed: its `when` does not hold.
        weight: how much its line says about a failure.
        cut: literal bytes that were printed where the text ends before the pattern does, else 0.
    """

    pattern: int
    file: int
    line: int
    segment: int
    start: int
    end: int
    captures: dict[str, str]
    fields: dict[str, str]
    text: str
    lines: int = 1
    reasons: tuple[str, ...] = ()
    certain: bool = False
    failed: bool = False
    count: int = 1
    cut: int = 0
    weight: int = 0


@dataclass(frozen=True, slots=True)
class ExceptionLine:
    """The last line of a traceback, or a line that looks like one."""

    file: int
    line: int
    text: str
    fields: dict[str, str]


@dataclass(slots=True)
class Segment:
    """A piece of a line: its bytes' place in the chunk, line number and text."""

    start: int
    end: int
    line: int
    number: int
    raw: str
    plain: str
    _stripped: tuple[str, str, dict[str, str]] | None = None

    def stripped(self, prefixes: Prefixes) -> tuple[str, str, dict[str, str]]:
        """Return the message, its plain form, and what the prefixes say."""
        if self._stripped is None:
            message, fields = prefixes.strip(self.raw.strip())
            self._stripped = message, fold(message).strip(), fields
        return self._stripped


@dataclass(slots=True)
class Collector:
    """Collects the events of all files; memory depends on origins, not on sizes."""

    matcher: Matcher
    events: list[Event] = field(default_factory=list)
    exceptions: list[ExceptionLine] = field(default_factory=list)
    seen: dict[tuple[object, ...], list[Event]] = field(default_factory=dict)
    _tried: Counter[tuple[int, int]] = field(default_factory=Counter)
    _in_vain: Counter[tuple[int, int]] = field(default_factory=Counter)
    _excepted: Counter[tuple[object, ...]] = field(default_factory=Counter)
    _excepted_lines: set[tuple[int, int]] = field(default_factory=set)

    def chunk(self, file: int, chunk: Chunk, *, small: bool) -> None:
        """Take in a clean chunk of a file."""
        view = _View(chunk)
        segments = list(view.all()) if small else []
        found = self._in_plain(file, segments) if small else self._in_bytes(file, chunk, view)
        last: Segment | None = None
        done: set[int] = set()
        tracebacks: list[Segment] = []
        for segment, pattern in found:
            if segment is not last:
                last = segment
                done = set()
            if pattern in done or len(done) >= TRIED_AT_ONCE:
                continue
            done.add(pattern)
            self._try(file, view, segment, pattern)
            if self.matcher.is_traceback(pattern):
                tracebacks.append(segment)
        self._ends_of_tracebacks(file, view, tracebacks)
        if small:
            self._small(file, segments)

    def _in_bytes(self, file: int, chunk: Chunk, view: _View) -> Iterator[tuple[Segment, int]]:
        """Yield the anchors of a chunk, with their segments."""
        segment: Segment | None = None
        for offset, pattern in self.matcher.scanner.scan(chunk.data):
            if not self._is_wanted(file, pattern):
                continue
            if segment is None or not segment.start <= offset < segment.end:
                segment = view.segment(offset)
            yield segment, pattern

    def _in_plain(self, file: int, segments: Sequence[Segment]) -> Iterator[tuple[Segment, int]]:
        """Yield the anchors in plain forms: a paste has hard blanks and printer's quotes."""
        pieces = [segment.plain.encode() for segment in segments]
        for at, _, pattern in _hits(self.matcher.scanner, pieces):
            if self._is_wanted(file, pattern):
                yield segments[at], pattern

    def _is_wanted(self, file: int, pattern: int) -> bool:
        """Count an anchor; false where its pattern has been looked for often enough."""
        key = file, pattern
        if self._tried[key] >= TRIED:
            return False
        self._tried[key] += 1
        return True

    def _ends_of_tracebacks(self, file: int, view: _View, starts: list[Segment]) -> None:
        """Find the exceptions in which tracebacks end.

        All that are open are followed in one walk, since many ranks print at once.
        """
        waiting: dict[tuple[str | None, str | None], int] = {}
        walked = last = at = 0
        current: Segment | None = None
        while True:
            if not waiting or walked > last:
                if at == len(starts):
                    return
                waiting.clear()
                current = starts[at]
            assert current is not None
            message, fields = self.matcher.prefixes.strip(current.raw)
            origin = fields.get("rank"), fields.get("pid")
            if message[:1] not in _INDENTED and not message.startswith("File "):
                until = waiting.pop(origin, -1)
                if walked <= until and self.matcher.is_exception(message):
                    self._except(file, current, message, fields)
            while at < len(starts) and starts[at].start <= current.start:
                waiting[origin] = last = walked + TRACEBACK_LINES
                at += 1
            current = view.next(current)
            if current is None:
                return
            walked += 1

    def _except(self, file: int, segment: Segment, text: str, fields: dict[str, str]) -> None:
        key = (file, fields.get("rank"), fields.get("local_rank"), fields.get("node"))
        place = (file, segment.line)
        if self._excepted[key] < KEPT and place not in self._excepted_lines:
            self._excepted[key] += 1
            self._excepted_lines.add(place)
            self.exceptions.append(ExceptionLine(file, segment.line, text[:TEXT_LIMIT], fields))

    def _try(self, file: int, view: _View, segment: Segment, pattern: int) -> None:
        compiled = self.matcher.patterns[pattern]
        text = self._message(segment) if compiled.whole_line else segment.plain
        found = compiled.find(text)
        if found is not None:
            self._add(file, segment, pattern, found, 1)
        elif not compiled.whole_line and self._in_vain[file, pattern] < JOINS:
            self._try_joined(file, *view.around(segment), pattern)

    def _try_joined(
        self, file: int, earlier: list[Segment], later: list[Segment], pattern: int
    ) -> None:
        if len(earlier) + len(later) > 1 and not (
            self._join(file, later, pattern) or self._join(file, earlier + later, pattern)
        ):
            self._in_vain[file, pattern] += 1

    def _join(self, file: int, held: list[Segment], pattern: int) -> bool:
        """Match over the ends of lines; no end may fall into a gap."""
        if len(held) < 2:
            return False
        text = held[0].plain
        starts = [0]
        for one in held[1:]:
            starts.append(len(text))
            text += self._message(one)
        found = self.matcher.patterns[pattern].find_loose(text)
        if found is None:
            return False
        first = bisect_right(starts, found.start) - 1
        last = bisect_right(starts, found.end - 1) - 1
        seams = starts[first + 1 : last + 1]
        if not seams or not all(_covers(found, seam) for seam in seams):
            return False
        self._add(file, held[first], pattern, found, last - first + 1)
        return True

    def _message(self, segment: Segment) -> str:
        return segment.stripped(self.matcher.prefixes)[1]

    def _small(self, file: int, segments: list[Segment]) -> None:
        """Look at a small input more closely: bare exceptions, and what a paste cuts."""
        for segment in segments:
            text, _, fields = segment.stripped(self.matcher.prefixes)
            if self.matcher.is_exception(text):
                self._except(file, segment, text, fields)
        self._cut_anchors(file, segments)
        self._cut_ends(file, segments)

    def _cut_anchors(self, file: int, segments: list[Segment]) -> None:
        """Look for anchors that the end of a line cuts in two."""
        pieces: list[bytes] = []
        bounds: list[tuple[int, int]] = []
        for first, second in pairwise(segments):
            before, after = first.plain[-EDGE:].encode(), self._message(second)[:EDGE].encode()
            for glue in (b"", b" "):
                bounds.append((len(before), len(before) + len(glue)))
                pieces.append(before + glue + after)
        tried: set[tuple[int, int]] = set()
        for at, offset, pattern in _hits(self.matcher.scanner, pieces):
            low, high = bounds[at]
            pair = at // 2
            crosses = offset < high and offset + ANCHOR_BYTES > low
            if crosses and (pair, pattern) not in tried and self._in_vain[file, pattern] < JOINS:
                tried.add((pair, pattern))
                self._try_joined(file, *_around(segments, pair), pattern)

    def _cut_ends(self, file: int, segments: list[Segment]) -> None:
        """Look for texts that were cut before their end."""
        pieces = [segment.plain.encode() for segment in segments]
        begun: Counter[int] = Counter()
        for at, pattern in sorted({hit[::2] for hit in _hits(self.matcher.heads, pieces)}):
            begun[at] += 1
            if begun[at] > TRIED_AT_ONCE:
                continue
            compiled = self.matcher.patterns[pattern]
            segment = segments[at]
            found = None if compiled.find(segment.plain) else compiled.find_cut(segment.plain)
            if found is not None:
                self._add(file, segment, pattern, found[0], 1, found[1])

    def _add(
        self, file: int, segment: Segment, pattern: int, found: Found, lines: int, cut: int = 0
    ) -> None:
        fields = segment.stripped(self.matcher.prefixes)[2]
        key = (
            pattern,
            file,
            *(fields.get(name) for name in ("rank", "local_rank", "node")),
            *(found.captures.get(name) for name in ("rank", "node")),
        )
        held = self.seen.setdefault(key, [])
        if any(
            one.line == segment.line and one.segment == segment.number and one.start == found.start
            for one in held
        ):
            return
        if len(held) >= KEPT:
            held[0].count += 1
            return
        event = Event(
            pattern=pattern,
            file=file,
            line=segment.line,
            segment=segment.number,
            start=found.start,
            end=found.end,
            captures=found.captures,
            fields=fields,
            text=segment.raw.strip()[:TEXT_LIMIT],
            lines=lines,
            cut=cut,
        )
        held.append(event)
        self.events.append(event)


def _hits(scanner: Scanner, pieces: Sequence[bytes]) -> Iterator[tuple[int, int, int]]:
    """Yield (piece, offset in it, pattern) for the anchors in many short pieces."""
    starts = [0, *accumulate(len(piece) + 1 for piece in pieces)]
    for offset, pattern in scanner.scan(b"".join(piece + b"\n" for piece in pieces)):
        at = bisect_right(starts, offset) - 1
        yield at, offset - starts[at], pattern


def _covers(found: Found, seam: int) -> bool:
    """Whether a run of the pattern goes across a seam, so that it was cut there."""
    return any(start < seam < end for start, end in found.spans)


def _around(segments: Sequence[Segment], at: int) -> tuple[list[Segment], list[Segment]]:
    """Return what may be joined: segments before one, then it and those after it."""
    most = segments[at].start + JOINED_BYTES
    after = segments[at + 1 : at + JOINED_AFTER + 1]
    later = [segments[at], *(one for one in after if one.end <= most)]
    least = later[-1].end - JOINED_BYTES
    before = segments[max(at - JOINED_BEFORE, 0) : at]
    return [one for one in before if one.start >= least], later


class _View:
    """A chunk as segments.

    Segments are mostly asked for in order: the last line and segment are remembered, so that
    line feeds and carriage returns are counted from there.
    """

    def __init__(self, chunk: Chunk) -> None:
        self._data = chunk.data
        self._returns = b"\r" in chunk.data
        self._line = chunk.line
        self._line_start = 0
        self._line_end = -1
        self._number = 0
        self._start = 0
        self._around: tuple[int, tuple[list[Segment], list[Segment]]] = (-1, ([], []))

    def segment(self, offset: int) -> Segment:
        """Return the segment that holds an offset."""
        data = self._data
        if not self._line_start <= offset <= self._line_end:
            self._go_to_line(offset)
        start, end = self._line_start, self._line_end
        if self._returns:
            start = max(start, data.rfind(b"\r", start, offset) + 1)
            cut = data.find(b"\r", offset, end)
            end = cut if cut >= 0 else end
            if start >= self._start:
                self._number += data.count(b"\r", self._start, start)
            else:
                self._number -= data.count(b"\r", start, self._start)
            self._start = start
        raw = data[start:end].decode("utf-8", "replace")
        return Segment(start, end, self._line, self._number, raw, fold(raw).strip())

    def _go_to_line(self, offset: int) -> None:
        data = self._data
        start = data.rfind(b"\n", 0, offset) + 1
        if start >= self._line_start:
            self._line += count_line_feeds(data, self._line_start, start)
        else:
            self._line -= count_line_feeds(data, start, self._line_start)
        end = data.find(b"\n", offset)
        self._line_start = self._start = start
        self._line_end = end if end >= 0 else len(data)
        self._number = 0

    def next(self, segment: Segment, most: int | None = None) -> Segment | None:
        """Return the next segment with text that ends by `most`, None where there is none."""
        most = len(self._data) if most is None else most
        at = segment.end + 1
        while text := _TEXT.search(self._data, at, most):
            found = self.segment(text.start())
            if found.plain:
                return found if found.end <= most else None
            at = found.end + 1
        return None

    def previous(self, segment: Segment, least: int) -> Segment | None:
        """Return the segment with text before that begins from `least` on."""
        at = segment.start - 2
        while at >= least and at >= 0:
            if self._data[at] in _BLANKS:
                at -= 1
                continue
            found = self.segment(at)
            if found.plain:
                return found if found.start >= least else None
            at = found.start - 1
        return None

    def around(self, segment: Segment) -> tuple[list[Segment], list[Segment]]:
        """Return what may be joined: segments before one, then it and those after it."""
        if self._around[0] != segment.start:
            later = [segment]
            most = segment.start + JOINED_BYTES
            while len(later) <= JOINED_AFTER and (one := self.next(later[-1], most)):
                later.append(one)
            earlier: list[Segment] = []
            least = later[-1].end - JOINED_BYTES
            first = segment
            while len(earlier) < JOINED_BEFORE and (before := self.previous(first, least)):
                earlier.insert(0, before)
                first = before
            self._around = segment.start, (earlier, later)
        return self._around[1]

    def all(self) -> Iterator[Segment]:
        """Yield every segment with text."""
        at = 0
        while text := _TEXT.search(self._data, at):
            found = self.segment(text.start())
            if found.plain:
                yield found
            at = found.end + 1


def settle(events: Iterable[Event], matcher: Matcher) -> list[Event]:
    """Judge conditions and overlaps.

    Returns:
        The events of signatures and signals in the order of files and lines: each with
        `certain` decided, without those that a longer text of another entry covers.
    """
    index = matcher.index
    units = matcher.knowledge["units"]
    all_events = list(events)
    company = {
        event.pattern - matcher.with_start
        for event in all_events
        if matcher.with_start <= event.pattern < matcher.signal_start
    }
    judged: list[Event] = []
    for event in all_events:
        if matcher.with_start <= event.pattern < matcher.signal_start:
            continue
        if event.pattern >= matcher.signal_start:
            judged.append(event)
            continue
        record = index["signatures"][event.pattern]
        certain = record.get("specific", False)
        reasons: tuple[str, ...] = ()
        failed = False
        if event.cut:
            certain = False
        elif "when" in record:
            why = holds(record["when"], event.captures, units)
            if why is None:
                certain, failed = False, True
            else:
                certain, reasons = True, why
        if "with" in record and not failed and not event.cut:
            # A template may not be its own company.
            certain = record["with"] in company
        if record.get("role") == "context":
            certain = False
        message = matcher.prefixes.strip(event.text)[0]
        weight = matcher.line_weight(message, event.text)
        judged.append(
            replace(event, certain=certain, reasons=reasons, failed=failed, weight=weight)
        )
    judged.sort(key=lambda one: (one.file, one.line, one.segment, one.start, one.pattern))
    return _without_covered(judged, matcher)


def _without_covered(events: list[Event], matcher: Matcher) -> list[Event]:
    """Drop what a longer text of another entry covers, unless its own condition holds."""
    at_place: dict[tuple[int, int, int], list[Event]] = {}
    for event in events:
        if event.pattern < matcher.with_start and not event.failed:
            for more in range(event.lines):
                key = (event.file, event.line + more, event.segment)
                at_place.setdefault(key, []).append(event)
    return [
        event
        for event in events
        if event.pattern >= matcher.signal_start
        or _is_decided(event, matcher)
        or not _is_covered(
            event, at_place.get((event.file, event.line, event.segment), ()), matcher
        )
    ]


def _is_decided(event: Event, matcher: Matcher) -> bool:
    record = matcher.index["signatures"][event.pattern]
    return event.certain and ("when" in record or "with" in record)


def _is_covered(event: Event, others: Iterable[Event], matcher: Matcher) -> bool:
    size = matcher.size_of(event.pattern, event.cut)
    entry = matcher.entry_of(event.pattern)
    return any(
        other.start <= event.start
        and event.end <= other.end
        and matcher.size_of(other.pattern, other.cut) > size
        and matcher.entry_of(other.pattern) != entry
        # A text that is not whole decides nothing, so it takes no decision away either.
        and not (other.cut and event.certain)
        for other in others
    )
