r"""The template language: a text as printed, with typed placeholders.

`<int> <num> <hex> <word> <path> <ip> <time> <size>` stand for a varying part and may be
named (`<int:rank>`); `<...>` is a gap of any length; `\<` is a printed `<`. Everything
else is literal. Offsets are 0-based characters into the template.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import ClassVar

from generator.load.words import nearest, quote
from generator.model import FaultbookError

#: Kinds of placeholders that capture a text, with what each takes.
KINDS: dict[str, str] = {
    "int": "a whole number",
    "num": "a number",
    "hex": "hexadecimal digits",
    "word": "a run without blanks",
    "path": "a path",
    "ip": "a network address",
    "time": "a time of day, a date with time, or a duration",
    "size": "a number of bytes with its unit",
}
#: The kind of a gap, which captures nothing.
GAP = "..."
#: Bytes that must stand in a row, so that a scan can find the text by them.
ANCHOR_BYTES = 7

_NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_RESERVED = frozenset({"and", "or", "not"})
# What looks like a placeholder, also a wrong one.
_PLACEHOLDER = re.compile(r"<(?P<kind>\.{3}|…|[A-Za-z_][A-Za-z0-9_-]*)(?::(?P<name>[^<>]*))?>")


class TemplateError(FaultbookError):
    """A template or condition that is wrong.

    Attributes:
        message: what is wrong and what would be right.
        offset: 0-based character in the text where it is wrong.
    """

    def __init__(self, message: str, offset: int) -> None:
        self.message, self.offset = message, offset
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Literal:
    """A text that stands as it is; `text` has no escapes, `start:end` is its source."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A varying part; `name` is empty where it has none, `kind` is `...` for a gap."""

    kind: str
    name: str
    start: int
    end: int

    GAP: ClassVar[str] = GAP

    @property
    def is_gap(self) -> bool:
        """True for `<...>`."""
        return self.kind == GAP


Part = Literal | Placeholder


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed template.

    Attributes:
        source: the template as written.
        parts: literals and placeholders in their order; no two literals are neighbours.
    """

    source: str
    parts: tuple[Part, ...]

    @property
    def literals(self) -> tuple[str, ...]:
        """The literal texts in their order."""
        return tuple(part.text for part in self.parts if isinstance(part, Literal))

    @property
    def names(self) -> dict[str, str]:
        """The kind of each named placeholder."""
        return {
            part.name: part.kind
            for part in self.parts
            if isinstance(part, Placeholder) and part.name
        }

    @property
    def anchor(self) -> str:
        """The longest literal in UTF-8 bytes, the first of equals; empty where none is."""
        return max(self.literals, key=_size, default="")


def parse_template(text: str, *, whole_line: bool = False) -> Template:
    """Parses a template.

    Args:
        text: the template on one line.
        whole_line: the text is a whole printed line, which may be shorter than an anchor.

    Raises:
        TemplateError: the first thing that is wrong.
    """
    template, errors = check_template(text, whole_line=whole_line)
    if errors:
        raise errors[0]
    return template


@lru_cache(maxsize=4096)
def check_template(
    text: str, *, whole_line: bool = False
) -> tuple[Template, tuple[TemplateError, ...]]:
    """Parses a template and reports everything that is wrong with it.

    Args:
        text: the template on one line.
        whole_line: the text is a whole printed line, which may be shorter than an anchor.

    Returns:
        The template, with a wrong placeholder taken as literal text, and the errors in
        the order of the text.
    """
    scan = _Scan(text)
    scan.run()
    template = Template(text, tuple(scan.parts))
    errors = list(scan.errors)
    errors.extend(_against_lines(text))
    errors.extend(_against_neighbours(template))
    if not errors:  # a broken placeholder leaves no anchor to judge
        errors.extend(_against_anchor(template, whole_line))
    errors.sort(key=lambda error: error.offset)
    return template, tuple(errors)


class _Scan:
    def __init__(self, text: str) -> None:
        self.text = text
        self.parts: list[Part] = []
        self.errors: list[TemplateError] = []
        self._literal: list[str] = []
        self._begun = 0
        self._seen: dict[str, int] = {}

    def run(self) -> None:
        text, at = self.text, 0
        while at < len(text):
            if text.startswith("\\<", at):
                self._literal.append("<")
                at += 2
            elif text[at] == "<" and (end := self._placeholder(at)):
                at = end
            else:
                self._literal.append(text[at])
                at += 1
        self._flush(len(text))

    def _flush(self, end: int) -> None:
        if self._literal:
            self.parts.append(Literal("".join(self._literal), self._begun, end))
            self._literal = []

    def _placeholder(self, at: int) -> int | None:
        """Takes the placeholder at an offset; returns its end, None where it is none."""
        found = _PLACEHOLDER.match(self.text, at)
        if found is None:
            self._error(_no_placeholder(self.text, at), at)
            return None
        kind, name = found["kind"], found["name"]
        if kind == "…":
            kind = GAP
        if kind != GAP and kind not in KINDS:
            near = nearest(kind, KINDS)
            kinds = " ".join(f"<{known}>" for known in KINDS)
            hint = f", did you mean <{near}>?" if near else f" (known are {kinds} <...>)"
            self._error(
                f"unknown placeholder {quote(found[0])}{hint}; a printed '<' is written '\\<'", at
            )
            return None
        if name is not None and not self._name_is_good(kind, name, found.start("name")):
            name = None
        self._flush(at)
        self.parts.append(Placeholder(kind, name or "", at, found.end()))
        self._begun = found.end()
        return found.end()

    def _name_is_good(self, kind: str, name: str, at: int) -> bool:
        if kind == GAP:
            self._error("a gap <...> captures nothing and has no name; write '<...>'", at)
        elif not _NAME.fullmatch(name):
            self._error(
                f"{quote(name)} is no name; use small letters, digits and _, "
                "such as <int:free_memory>",
                at,
            )
        elif name in _RESERVED:
            self._error(f"{quote(name)} is a word of conditions and no name", at)
        elif name in self._seen:
            self._error(
                f"the name {quote(name)} stands twice (before at character "
                f"{self._seen[name] + 1}); names are unique in a template",
                at,
            )
        else:
            self._seen[name] = at
            return True
        return False

    def _error(self, message: str, at: int) -> None:
        self.errors.append(TemplateError(message, at))


def _no_placeholder(text: str, at: int) -> str:
    end = text.find(">", at)
    if end < 0:
        return "'<' begins a placeholder that is never closed; a printed '<' is written '\\<'"
    return (
        f"{quote(text[at : end + 1])} is no placeholder, which looks like <int> or <int:rank>; "
        "a printed '<' is written '\\<'"
    )


def _against_lines(text: str) -> Iterator[TemplateError]:
    for at, character in enumerate(text):
        if character in "\n\r":
            yield TemplateError("a template is one line; take the line that says most", at)
            return


def _against_neighbours(template: Template) -> Iterator[TemplateError]:
    parts = template.parts
    for before, part in pairwise(parts):
        if isinstance(before, Placeholder) and isinstance(part, Placeholder):
            both = template.source[before.start : part.end]
            yield TemplateError(
                f"{quote(both)} has no literal text between its placeholders, so it is unclear "
                "where one ends; write what is printed between them, or only one of them",
                part.start,
            )
    if parts and isinstance(first := parts[0], Placeholder) and first.is_gap:
        yield TemplateError(
            "a gap <...> at the beginning says nothing, since a text is found anywhere in a "
            "line; leave it out",
            first.start,
        )
    if len(parts) > 1 and isinstance(last := parts[-1], Placeholder) and last.is_gap:
        yield TemplateError(
            "a gap <...> at the end says nothing, since the rest of a line is free; leave it out",
            last.start,
        )


def _against_anchor(template: Template, whole_line: bool) -> Iterator[TemplateError]:
    anchor = template.anchor
    if not any(character.isalnum() for literal in template.literals for character in literal):
        yield TemplateError("has no literal letter or digit by which it could be found", 0)
    elif not whole_line and _size(anchor) < ANCHOR_BYTES:
        yield TemplateError(
            f"its longest literal text '{anchor}' has {_size(anchor)} bytes, at least "
            f"{ANCHOR_BYTES} are needed in a row; take more of the line, or say "
            "whole_line: true where this is the whole line",
            0,
        )
    elif not whole_line and not any(
        character.isalnum()
        for literal in template.literals
        if _size(literal) >= ANCHOR_BYTES
        for character in literal
    ):
        yield TemplateError(
            f"its long literal text {quote(anchor)} has no letter or digit; take more of the line",
            0,
        )


def _size(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))
