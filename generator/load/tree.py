"""YAML events to plain data, with the place of every key and value on demand.

The parser is libyaml's where PyYAML has it; everything above its events is done here, so
that scalars follow the YAML 1.2 core schema (section 10.3: dates and `no` are text), keys
are unique, and aliases, tags, nesting and size are bounded.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import yaml
from yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from yaml.parser import Parser
from yaml.reader import Reader
from yaml.scanner import Scanner

from generator.load.source import forbidden, name_of, split_lines
from generator.load.words import quote

#: Keys and indices from the top of the document to a value.
TreePath = tuple[str | int, ...]

MAX_DEPTH = 20
MAX_ALIASES = 40
#: Values in one document, aliases expanded; a rich entry has some 300.
MAX_VALUES = 5_000

_CONSTANTS: dict[str, bool | None] = {
    "": None,
    "~": None,
    "null": None,
    "Null": None,
    "NULL": None,
    "true": True,
    "True": True,
    "TRUE": True,
    "false": False,
    "False": False,
    "FALSE": False,
}
# Longer digits than these are nobody's number here, and turning them into one costs
# quadratic time (CPython refuses 4,300 of them with an exception).
_INT = re.compile(r"[-+]?[0-9]{1,18}|0o[0-7]{1,20}|0x[0-9a-fA-F]{1,15}", re.ASCII)
_FLOAT = re.compile(
    r"[-+]?(?:\.[0-9]{1,40}|[0-9]{1,18}(?:\.[0-9]{0,40})?)(?:[eE][-+]?[0-9]{1,2})?", re.ASCII
)
_QUOTES = frozenset("'\"")
_NUMBER_STARTS = frozenset("-+.0123456789")


class EventParser(Protocol):
    """What both parsers of PyYAML offer."""

    def get_event(self) -> Event | None:
        """Returns the next event, None after the last."""


class _PureParser(Reader, Scanner, Parser):
    def __init__(self, text: str) -> None:
        Reader.__init__(self, text)
        Scanner.__init__(self)
        Parser.__init__(self)


def pure_parser(text: str) -> EventParser:
    """Returns PyYAML's parser in Python: the same events, about ten times slower."""
    parser: EventParser = _PureParser(text)
    return parser


def _fastest() -> Callable[[str], EventParser]:
    try:
        from yaml._yaml import CParser
    except ImportError:  # a PyYAML that was built without libyaml
        return pure_parser
    c_parser: Callable[[str], EventParser] = CParser
    return c_parser


fast_parser = _fastest()


@dataclass(frozen=True, slots=True)
class Place:
    """Where a value stands; lines and columns are 1-based.

    Attributes:
        line, column: start of the value.
        key_line, key_column: start of its key; of the value itself in a list.
        style: `'`, `"`, `|`, `>` or nothing for a scalar; `{`, `[` or nothing for the rest.
        raw: a scalar's text as YAML reads it, before it becomes a number; None for others.
    """

    line: int
    column: int
    key_line: int
    key_column: int
    style: str
    raw: str | None


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a file as YAML. `covers`: nothing below `path` can be judged."""

    line: int
    column: int
    path: TreePath
    message: str
    covers: bool = False


@dataclass(slots=True)
class Tree:
    """A document as plain data.

    Attributes:
        data: dicts, lists, str, int, float, bool and None; None where nothing could be read.
        faults: what is wrong with it as YAML.
        whole: False where reading stopped, so that `data` means nothing.
        places: the place of every value, empty unless asked for.
    """

    data: Any
    faults: list[Fault]
    whole: bool
    places: dict[TreePath, Place]


class _StopError(Exception):
    def __init__(self, line: int, column: int, path: TreePath, message: str) -> None:
        self.fault = Fault(line, column, path, message, covers=True)


_SKIP = "\0skip"  # no real key: NUL is refused in every text


class _Frame:
    """An open mapping or list."""

    __slots__ = ("anchor", "before", "container", "key", "key_at", "mapping")

    def __init__(self, mapping: bool, anchor: str | None, before: int) -> None:
        self.container: Any = {} if mapping else []
        self.mapping = mapping
        self.anchor = anchor
        self.before = before
        self.key: str | None = None
        self.key_at = (0, 0)


def parse(
    text: str,
    *,
    with_places: bool = False,
    max_values: int = MAX_VALUES,
    parser: Callable[[str], EventParser] = fast_parser,
) -> Tree:
    """Reads one YAML document.

    Args:
        text: the file, decoded, without a byte-order mark.
        with_places: also record where every value stands (half as slow again).
        max_values: how many values the document may hold, aliases expanded.
        parser: source of the events.

    Returns:
        The data and all faults; never raises for any text.
    """
    reader = _Reader(with_places, max_values)
    try:
        reader.read(parser(text))
        return Tree(reader.root, reader.faults, True, reader.places)
    except _StopError as stop:
        reader.faults.append(stop.fault)
    except yaml.MarkedYAMLError as error:
        line, column, message = _explain(error, split_lines(text), reader.quoted)
        reader.faults.append(Fault(line, column, (), message, covers=True))
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        message = " ".join(str(error).split())
        reader.faults.append(Fault(0, 0, (), f"is not YAML: {message}", covers=True))
    return Tree(None, reader.faults, False, reader.places)


def syntax_fault(text: str) -> Fault | None:
    """Returns what stops any YAML text from being YAML, None where nothing does.

    Unlike `parse` this judges foreign YAML: tags, several documents and so on are fine.
    """
    try:
        parser = fast_parser(text)
        while parser.get_event() is not None:
            pass
    except yaml.MarkedYAMLError as error:
        line, column, message = _explain(error, split_lines(text))
        return Fault(line, column, (), message)
    except (yaml.YAMLError, UnicodeEncodeError) as error:
        return Fault(0, 0, (), " ".join(str(error).split()))
    return None


def resolve(text: str) -> str | int | float | bool | None:
    """Returns what an unquoted scalar means in the YAML 1.2 core schema.

    `.inf` and `.nan` stay text, since no field takes them and JSON has no word for them.
    """
    if len(text) < 6 and text in _CONSTANTS:
        return _CONSTANTS[text]
    if text[0] in _NUMBER_STARTS:
        if _INT.fullmatch(text):
            return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
        if _FLOAT.fullmatch(text):
            return float(text)
    return text


def _is_word(text: str) -> bool:
    return (text[:1].isalpha() and text not in _CONSTANTS) or isinstance(resolve(text), str)


class _Reader:
    def __init__(self, with_places: bool, max_values: int) -> None:
        self.root: Any = None
        self.faults: list[Fault] = []
        self.places: dict[TreePath, Place] = {}
        self.quoted: Any = None  # the last quoted scalar: what stops reading may follow from it
        self._recording = with_places
        self._max_values = max_values
        self._stack: list[_Frame] = []
        self._anchors: dict[str, tuple[Any, int]] = {}
        self._values = 0
        self._aliases = 0
        self._documents = 0

    def read(self, parser: EventParser) -> None:
        stack = self._stack
        event: Any
        while (event := parser.get_event()) is not None:
            kind = type(event)
            if kind is ScalarEvent:
                if stack and (frame := stack[-1]).mapping and frame.key is None:
                    self._open_key(frame, event)
                else:
                    self._scalar(event)
            elif kind is MappingStartEvent or kind is SequenceStartEvent:
                self._open(event, kind is MappingStartEvent)
            elif kind is MappingEndEvent or kind is SequenceEndEvent:
                self._close()
            elif kind is AliasEvent:
                self._alias(event)
            elif kind is DocumentStartEvent:
                self._documents += 1
                if self._documents > 1:
                    raise self._stop(
                        event, "a second document begins here ('---'); one file holds one document"
                    )

    def _open_key(self, frame: _Frame, event: Any) -> None:
        text: str = event.value
        mark = event.start_mark
        frame.key_at = (mark.line + 1, mark.column + 1)
        plain = not event.style
        if event.tag is not None:
            self._check_tag(event)
        if plain and text == "<<":
            self._fault(event, "merge keys (<<) are not supported; write the values out", True)
        elif plain and not _is_word(text):
            self._fault(event, f"key {quote(text)} is not text; a key is a word", False)
        elif not plain and (bad := forbidden(text)) is not None:
            self._fault(event, f"{name_of(text[bad])} is not allowed in a key", False)
        elif text in frame.container:
            self._fault(event, f"key {quote(text)} stands twice; keep one of the two", False)
        else:
            frame.key = text
            return
        frame.key = _SKIP

    def _scalar(self, event: Any) -> None:
        text: str = event.value
        style: str = event.style or ""
        value: Any = text
        if not style:
            value = resolve(text)
        elif style in _QUOTES:
            self.quoted = event
        if style == '"' and (bad := forbidden(text)) is not None:
            message = f"{name_of(text[bad])} is not allowed in a text"
            self._fault(event, message, True, self._path())
        if event.tag is not None:
            self._check_tag(event)
        self._check_size(event, 1)
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, 1)
        if self._recording:
            self._record(event, style, text)
        self._add(value)

    def _open(self, event: Any, mapping: bool) -> None:
        stack = self._stack
        if stack and stack[-1].mapping and stack[-1].key is None:
            raise self._stop(event, "a key must be a word, not a list or a mapping")
        if len(stack) >= MAX_DEPTH:
            stop = self._stop(event, f"nested deeper than {MAX_DEPTH} levels")
            stop.fault = replace(stop.fault, path=stop.fault.path[:1])
            raise stop
        if event.tag is not None:
            self._check_tag(event)
        self._check_size(event, 1)
        if self._recording:
            style = ("{" if mapping else "[") if event.flow_style else ""
            self._record(event, style, None)
        if event.anchor is not None:
            self._anchors.pop(event.anchor, None)
        stack.append(_Frame(mapping, event.anchor, self._values))

    def _close(self) -> None:
        frame = self._stack.pop()
        if frame.anchor is not None:
            self._anchors[frame.anchor] = (frame.container, self._values - frame.before + 1)
        self._add(frame.container)

    def _alias(self, event: Any) -> None:
        name = event.anchor
        if self._stack and self._stack[-1].mapping and self._stack[-1].key is None:
            raise self._stop(event, f"'*{name}' cannot be a key; a key is a word")
        self._aliases += 1
        if self._aliases > MAX_ALIASES:
            raise self._stop(event, f"more than {MAX_ALIASES} aliases; write the values out")
        if any(frame.anchor == name for frame in self._stack):
            raise self._stop(event, f"'*{name}' stands inside what it repeats")
        if name not in self._anchors:
            raise self._stop(
                event,
                f"'*{name}' repeats '&{name}', which does not exist; "
                "put a text that begins with * in quotes",
            )
        value, size = self._anchors[name]
        self._check_size(event, size)
        if self._recording:
            self._record(event, "", None)
        self._add(value)

    def _add(self, value: Any) -> None:
        if not self._stack:
            self.root = value
            return
        frame = self._stack[-1]
        if not frame.mapping:
            frame.container.append(value)
            return
        if frame.key is not _SKIP:
            frame.container[frame.key] = value
        frame.key = None

    def _path(self) -> TreePath:
        """Returns the path of the value that comes next."""
        return tuple(
            (frame.key or "") if frame.mapping else len(frame.container) for frame in self._stack
        )

    def _record(self, event: Any, style: str, raw: str | None) -> None:
        path = self._path()
        if _SKIP in path:
            return
        mark = event.start_mark
        line, column = mark.line + 1, mark.column + 1
        in_mapping = bool(self._stack) and self._stack[-1].mapping
        key_line, key_column = self._stack[-1].key_at if in_mapping else (line, column)
        self.places[path] = Place(line, column, key_line, key_column, style, raw)

    def _check_size(self, event: Any, size: int) -> None:
        self._values += size
        if self._values > self._max_values:
            if type(event) is AliasEvent:
                raise self._stop(
                    event,
                    f"aliases expand to more than {self._max_values} values; write the values out",
                )
            raise self._stop(event, f"more than {self._max_values} values; shorten the file")

    def _check_tag(self, event: Any) -> None:
        tag = str(event.tag).replace("tag:yaml.org,2002:", "!!")
        shown = tag if tag.startswith("!") else f"!<{tag}>"
        self._fault(
            event, f"tag {quote(shown)} is not allowed; write the plain value", True, self._path()
        )

    def _fault(self, event: Any, message: str, covers: bool, path: TreePath | None = None) -> None:
        if path is None:
            path = self._path()[:-1]
        path = tuple(step for step in path if step is not _SKIP)
        mark = event.start_mark
        self.faults.append(Fault(mark.line + 1, mark.column + 1, path, message, covers))

    def _stop(self, event: Any, message: str) -> _StopError:
        path = tuple(step for step in self._path() if step not in ("", _SKIP))
        return _StopError(event.start_mark.line + 1, event.start_mark.column + 1, path, message)


def _explain(
    error: yaml.MarkedYAMLError, lines: list[str], quoted: Any = None
) -> tuple[int, int, str]:
    """Turns a parser's complaint into a place and a way out.

    Args:
        error: the complaint.
        lines: the text.
        quoted: event of the last quoted scalar before it, where one is known.
    """
    problem = error.problem or error.context or "is not YAML"
    context = error.context or ""
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line, mark.column) if mark else (0, 0)
    start = error.context_mark
    at = lines[line][column : column + 1] if line < len(lines) else ""
    indent = lines[line][: len(lines[line]) - len(lines[line].lstrip())] if at else ""

    def here(message: str) -> tuple[int, int, str]:
        return line + 1, column + 1, message

    def there(message: str) -> tuple[int, int, str]:
        return (start.line + 1, start.column + 1, message) if start else here(message)

    if at == "\t" or "tab character" in problem or "\t" in indent:
        at_tab = lines[line].find("\t") if line < len(lines) else -1
        column = at_tab if at_tab >= 0 else column
        return here("a tab stands here; YAML is indented by spaces only")
    if _follows(quoted, line, column, lines):
        if quoted.start_mark.line < line:
            line, column = quoted.start_mark.line, quoted.start_mark.column
            end = quoted.end_mark.line + 1
            return here(f"the quote that opens here closes only in line {end}; close it before")
        inside = "write '' for a ' inside" if quoted.style == "'" else 'write \\" for a " inside'
        return here(
            f"the text goes on after its closing quote; put the whole value in quotes, and {inside}"
        )
    if "scanning an alias" in context or "scanning an anchor" in context:
        return there("a value that begins with * or & is put in quotes")
    if "cannot start any token" in problem:
        return here(f"a value cannot begin with {at!r}; put the whole value in quotes")
    if "quoted scalar" in context and "escape" not in problem and "hexdecimal" not in problem:
        return there("this quote is never closed")
    if "escape" in problem or "hexdecimal" in problem:
        return here(
            "this escape is unknown inside double quotes; write \\\\ for a backslash, "
            "or use single quotes"
        )
    if "flow sequence" in context or "flow mapping" in context:
        opening = "[" if "sequence" in context else "{"
        if start is not None and line > start.line:
            return there(f"this {opening!r} is never closed; put a text that has one in quotes")
        return here(
            f"expected ',' or {'}' if opening == '{' else ']'!r}; "
            "put a text that has brackets, commas or quotes inside in quotes"
        )
    if "mapping values are not allowed" in problem:
        return here(
            "': ' is not allowed here; put a text that has a colon in quotes, "
            "or check the indentation"
        )
    if "could not find expected ':'" in problem:
        return there("expected 'key: value' here; ':' is missing")
    if "block mapping" in context or "block collection" in context or "block sequence" in context:
        kind = "mapping" if "mapping" in context else "list"
        begun = f" that begins in line {start.line + 1}" if start else ""
        return here(f"does not fit the {kind}{begun}; check the indentation and the quotes")
    if "equence entries are not allowed" in problem or "mapping keys are not allowed" in problem:
        return here(f"a value cannot begin with '{at} '; put the whole value in quotes")
    if "node content" in problem:
        found = f", not {at!r}" if at else ", but the text ends"
        return here(f"a value is expected here{found}; put a text that has brackets in quotes")
    if "block scalar" in context:
        return there("'>' and '|' begin a block of text; put a value that begins so in quotes")
    if "document start" in problem:
        return here("does not fit the lines above; check the indentation")
    return here(f"is not YAML: {' '.join(problem.split())}")


def _follows(quoted: Any, line: int, column: int, lines: list[str]) -> bool:
    """True where a place comes right behind a quoted scalar, blanks aside."""
    if quoted is None or line >= len(lines):
        return False
    end = quoted.end_mark
    return bool(end.line == line and end.column <= column) and (
        not lines[line][end.column : column].strip()
    )
