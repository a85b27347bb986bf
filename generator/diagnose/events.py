"""Events: which signature stands in which line, with what it captured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from generator.diagnose.conditions import holds
from generator.diagnose.index import Matcher
from generator.diagnose.patterns import Found
from generator.diagnose.read import Chunk
from generator.signatures.fold import fold

#: Events of one pattern that are kept for one origin; the rest are only counted.
KEPT = 3
#: Inputs up to so many lines are searched for anchors that a line break cuts, too.
PASTE_LINES = 400
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


@dataclass(slots=True)
class Collector:
    """Collects the events of all files; memory depends on origins, not on sizes."""

    matcher: Matcher
    events: list[Event] = field(default_factory=list)
    exceptions: list[ExceptionLine] = field(default_factory=list)
    seen: dict[tuple[object, ...], list[Event]] = field(default_factory=dict)
    _excepted: Counter[tuple[object, ...]] = field(default_factory=Counter)

    def chunk(self, file: int, chunk: Chunk, *, paste: bool) -> None:
        """Take in a clean chunk of a file."""
        view = _View(chunk)
        last: Segment | None = None
        for offset, pattern in self.matcher.scanner.scan(chunk.data):
            if last is None or not last.start <= offset < last.end:
                last = view.segment(offset)
            self._try(file, view, last, pattern)
            if self.matcher.is_traceback(pattern):
                self._end_of_traceback(file, view, last)
        if paste:
            self._cut_anchors(file, view)

    def _end_of_traceback(self, file: int, view: _View, segment: Segment) -> None:
        origin = self.matcher.prefixes.strip(segment.raw.strip("\r"))[1]
        current: Segment | None = segment
        for _ in range(TRACEBACK_LINES):
            current = view.next(current) if current else None
            if current is None:
                return
            message, fields = self.matcher.prefixes.strip(current.raw)
            same = all(fields.get(name) == origin.get(name) for name in ("rank", "pid"))
            if same and message[:1] not in ("", " ", "\t", "|", "+") and not message.startswith("File "):
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
        before, after = view.previous(segment), view.next(segment)
        windows = [(segment, after), (before, segment), (before, segment, after)]
        if after is not None and (second := view.next(after)) is not None:
            windows.append((segment, after, second))
        for window in windows:
            held = [one for one in window if one is not None]
            if len(held) == len(window) and self._join(file, held, pattern):
                return

    def _join(self, file: int, held: list[Segment], pattern: int) -> bool:
        compiled = self.matcher.patterns[pattern]
        for glue in ("", " "):
            text = held[0].plain
            seams: list[int] = []
            for one in held[1:]:
                seams.append(len(text))
                text += glue + self._message(one)
            found = compiled.find(fold(text))
            if found and all(_covers(found, seam, len(glue)) for seam in seams):
                self._add(file, held[0], pattern, found, len(held))
                return True
        return False

    def _message(self, segment: Segment) -> str:
        return fold(self.matcher.prefixes.strip(segment.raw.strip())[0]).strip()

    def _cut_anchors(self, file: int, view: _View) -> None:
        """Look for anchors that the end of a line cuts in two."""
        segments = list(view.all())
        self._cut_ends(file, segments)
        tried: set[tuple[int, int]] = set()
        for segment in segments:
            text, fields = self.matcher.prefixes.strip(segment.raw.strip())
            if self.matcher.is_exception(text):
                self._except(file, segment, text, fields)
        for first, second in zip(segments, segments[1:], strict=False):
            message = self._message(second)[:16]
            for glue in ("", " "):
                head = first.plain[-16:]
                joined = (head + glue + message).encode()
                low, high = len(head.encode()), len((head + glue).encode())
                for offset, pattern in self.matcher.scanner.scan(joined):
                    key = (first.start, pattern)
                    crosses = offset < high and offset + 7 > low
                    if crosses and key not in tried:
                        tried.add(key)
                        self._join(file, [first, second], pattern)

    def _cut_ends(self, file: int, segments: list[Segment]) -> None:
        """Look for texts that were cut before their end, as pastes often are."""
        for segment in segments:
            for _, pattern in self.matcher.heads.scan(segment.plain.encode()):
                if self.matcher.patterns[pattern].find(segment.plain) is None:
                    found = self.matcher.patterns[pattern].find_cut(segment.plain)
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


def _covers(found: Found, seam: int, glue: int) -> bool:
    """Whether a run of the pattern goes across a seam, so that it was cut there."""
    return any(start < seam and end > seam + glue for start, end in found.spans)


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
            if record["with"] in company:
                certain = True
            else:
                certain = False
        if record.get("role") == "context":
            certain = False
        judged.append(replace(event, certain=certain, reasons=reasons, failed=failed))
    judged.sort(key=lambda one: (one.file, one.line, one.segment, one.start, one.pattern))
    return _without_covered(judged, matcher)


def _without_covered(events: list[Event], matcher: Matcher) -> list[Event]:
    kept: list[Event] = []
    for event in events:
        conditional = event.certain and ("when" in (r := matcher.index["signatures"][event.pattern]) or "with" in r) if event.pattern < matcher.with_start else False
        if event.pattern >= matcher.signal_start or conditional or not _is_covered(event, events, matcher):
            kept.append(event)
    return kept


def _is_covered(event: Event, events: list[Event], matcher: Matcher) -> bool:
    size = matcher.size_of(event.pattern, event.cut)
    entry = matcher.entry_of(event.pattern)
    for other in events:
        if (
            other.pattern < matcher.with_start
            and not other.failed
            and other.file == event.file
            and other.line <= event.line < other.line + other.lines
            and other.segment == event.segment
            and matcher.size_of(other.pattern, other.cut) > size
            and other.start <= event.start
            and event.end <= other.end
            and matcher.entry_of(other.pattern) != entry
        ):
            return True
    return False
