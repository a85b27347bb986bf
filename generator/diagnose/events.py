"""Events: which signature stands in which line, with what it captured."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise

from generator.diagnose.conditions import holds
from generator.diagnose.index import Matcher
from generator.diagnose.patterns import Found
from generator.diagnose.read import Chunk
from generator.diagnose.scan import Scanner
from generator.signatures import ANCHOR_BYTES
from generator.signatures.fold import fold

#: Events of one pattern that are kept for one origin; the rest are only counted.
KEPT = 3
#: Files up to so many lines are searched for bare exceptions and cut texts, too.
SMALL_LINES = 10_000
#: Characters on both sides of a line's end in which a cut anchor is looked for.
EDGE = 16
#: So often is a pattern looked for in one file; what a file prints more often is no event.
TRIED = 20_000
#: Lines before and after an anchor's that a wrapped text may take.
JOINED_BEFORE, JOINED_AFTER = 3, 6
#: So often is a pattern tried over a line's end in vain in one file.
JOINS = 64
#: Lines of a traceback that are walked to find its end.
TRACEBACK_LINES = 400
#: Longest text of a line that is handed on, in characters.
TEXT_LIMIT = 1_000


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
    message: str | None = None


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

    def chunk(self, file: int, chunk: Chunk, *, small: bool) -> None:
        """Take in a clean chunk of a file."""
        view = _View(chunk)
        last: Segment | None = None
        done: set[int] = set()
        for offset, pattern in self.matcher.scanner.scan(chunk.data):
            self._tried[file, pattern] += 1
            if self._tried[file, pattern] > TRIED:
                continue
            if last is None or not last.start <= offset < last.end:
                last = view.segment(offset)
                done = set()
            if pattern in done:
                continue
            done.add(pattern)
            self._try(file, view, last, pattern)
            if self.matcher.is_traceback(pattern):
                self._end_of_traceback(file, view, last)
        if small:
            self._small(file, view)

    def _end_of_traceback(self, file: int, view: _View, segment: Segment) -> None:
        origin = self.matcher.prefixes.strip(segment.raw.strip("\r"))[1]
        current: Segment | None = segment
        for _ in range(TRACEBACK_LINES):
            current = view.next(current) if current else None
            if current is None:
                return
            message, fields = self.matcher.prefixes.strip(current.raw)
            same = all(fields.get(name) == origin.get(name) for name in ("rank", "pid"))
            if (
                same
                and message[:1] not in ("", " ", "\t", "|", "+")
                and not message.startswith("File ")
            ):
                if self.matcher.is_exception(message):
                    self._except(file, current, message, fields)
                return

    def _except(self, file: int, segment: Segment, text: str, fields: dict[str, str]) -> None:
        key = (file, fields.get("rank"), fields.get("local_rank"), fields.get("node"))
        held = any(one.file == file and one.line == segment.line for one in self.exceptions[-8:])
        if not held and self._excepted[key] < KEPT:
            self._excepted[key] += 1
            self.exceptions.append(ExceptionLine(file, segment.line, text[:TEXT_LIMIT], fields))

    def _try(self, file: int, view: _View, segment: Segment, pattern: int) -> None:
        compiled = self.matcher.patterns[pattern]
        text = segment.plain
        if compiled.whole_line:
            text = fold(self.matcher.prefixes.strip(segment.raw.strip())[0]).strip()
        found = compiled.find(text)
        if found is not None:
            self._add(file, segment, pattern, found, 1)
        elif not compiled.whole_line:
            self._try_joined(file, view, segment, pattern)

    def _try_joined(self, file: int, view: _View, segment: Segment, pattern: int) -> None:
        if self._in_vain[file, pattern] >= JOINS:
            return
        later = _chain(segment, view.next, JOINED_AFTER)
        earlier = _chain(segment, view.previous, JOINED_BEFORE)[:0:-1]
        if not (self._join(file, later, pattern) or self._join(file, earlier + later, pattern)):
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
        if segment.message is None:
            segment.message = fold(self.matcher.prefixes.strip(segment.raw.strip())[0]).strip()
        return segment.message

    def _small(self, file: int, view: _View) -> None:
        """Look at a small input more closely: bare exceptions, and what a paste cuts."""
        segments = list(view.all())
        for segment in segments:
            text, fields = self.matcher.prefixes.strip(segment.raw.strip())
            segment.message = fold(text).strip()
            if self.matcher.is_exception(text):
                self._except(file, segment, text, fields)
        self._cut_anchors(file, segments)
        self._cut_ends(file, segments)

    def _cut_anchors(self, file: int, segments: list[Segment]) -> None:
        """Look for anchors that the end of a line cuts in two."""
        pairs = list(pairwise(segments))
        pieces: list[bytes] = []
        bounds: list[tuple[int, int, int]] = []
        for first, second in pairs:
            before, after = first.plain[-EDGE:].encode(), self._message(second)[:EDGE].encode()
            for glue in (b"", b" "):
                bounds.append((len(before), len(before) + len(glue), len(bounds) // 2))
                pieces.append(before + glue + after)
        tried: set[tuple[int, int]] = set()
        for at, offset, pattern in _hits(self.matcher.scanner, pieces):
            low, high, pair = bounds[at]
            crosses = offset < high and offset + ANCHOR_BYTES > low
            if crosses and (pair, pattern) not in tried:
                tried.add((pair, pattern))
                earlier = segments[max(pair - JOINED_BEFORE, 0) : pair]
                later = segments[pair : pair + JOINED_AFTER + 1]
                if not self._join(file, later, pattern):
                    self._join(file, earlier + later, pattern)

    def _cut_ends(self, file: int, segments: list[Segment]) -> None:
        """Look for texts that were cut before their end."""
        pieces = [segment.plain.encode() for segment in segments]
        for at, pattern in sorted({hit[::2] for hit in _hits(self.matcher.heads, pieces)}):
            compiled = self.matcher.patterns[pattern]
            segment = segments[at]
            found = None if compiled.find(segment.plain) else compiled.find_cut(segment.plain)
            if found is not None:
                self._add(file, segment, pattern, found[0], 1, found[1])

    def _add(
        self, file: int, segment: Segment, pattern: int, found: Found, lines: int, cut: int = 0
    ) -> None:
        fields = self.matcher.prefixes.strip(segment.raw.strip())[1]
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
    for offset, pattern in scanner.scan(b"\n".join(pieces)):
        at = bisect_right(starts, offset) - 1
        yield at, offset - starts[at], pattern


def _covers(found: Found, seam: int) -> bool:
    """Whether a run of the pattern goes across a seam, so that it was cut there."""
    return any(start < seam < end for start, end in found.spans)


def _chain(segment: Segment, step: Callable[[Segment], Segment | None], most: int) -> list[Segment]:
    """Return a segment and those that follow it in one direction."""
    held = [segment]
    while len(held) <= most and (following := step(held[-1])) is not None:
        held.append(following)
    return held


class _View:
    """A chunk as segments."""

    def __init__(self, chunk: Chunk) -> None:
        self._data = chunk.data
        self._returns = b"\r" in chunk.data
        self._at = 0
        self._line = chunk.line

    def segment(self, offset: int) -> Segment:
        """Return the segment that holds an offset; offsets mostly grow."""
        data = self._data
        start = data.rfind(b"\n", 0, offset) + 1
        end = data.find(b"\n", offset)
        end = len(data) if end < 0 else end
        line_start = start
        if self._returns:
            start = max(start, data.rfind(b"\r", start, offset) + 1)
            cut = data.find(b"\r", offset, end)
            end = cut if cut >= 0 else end
        return self._make(start, end, line_start)

    def _make(self, start: int, end: int, line_start: int) -> Segment:
        if line_start >= self._at:
            self._line += self._data.count(b"\n", self._at, line_start)
        else:
            self._line -= self._data.count(b"\n", line_start, self._at)
        self._at = line_start
        number = self._data.count(b"\r", line_start, start) if self._returns else 0
        raw = self._data[start:end].decode("utf-8", "replace")
        return Segment(start, end, self._line, number, raw, fold(raw).strip())

    def next(self, segment: Segment) -> Segment | None:
        """Return the next segment with text, None at the end of the chunk."""
        at = segment.end + 1
        while at < len(self._data):
            found = self.segment(at) if self._data[at] not in b"\r\n" else None
            if found is not None and found.plain:
                return found
            at = (found.end if found else at) + 1
        return None

    def previous(self, segment: Segment) -> Segment | None:
        """Return the segment with text before, None at the start of the chunk."""
        at = segment.start - 2
        while at >= 0:
            found = self.segment(at) if self._data[at] not in b"\r\n" else None
            if found is not None and found.plain:
                return found
            at = (found.start if found else at) - 1
        return None

    def all(self) -> Iterator[Segment]:
        """Yield every segment with text."""
        at = 0
        while at < len(self._data):
            if self._data[at] in b"\r\n":
                at += 1
                continue
            found = self.segment(at)
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
        for other in others
    )
