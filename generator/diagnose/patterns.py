"""Templates against one line: segments from the left, each a bounded expression."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from generator.signatures.template import ANCHOR_BYTES

Record = dict[str, Any]

#: A text that was cut says enough with so many literal bytes.
CUT_BYTES = 32
#: A template that begins with a placeholder is tried where the first literal after it stands,
#: so often at most.
LEADS = 1_000

Cut = tuple["Pattern", str, int]

#: A class that is a repeated set of characters: what stands before a literal is its match.
_SET = re.compile(r"(\[[^\]]+\])\{1,([0-9]+)\}")


@dataclass(frozen=True, slots=True)
class Found:
    """Where a pattern stands in a plain line.

    Attributes:
        start, end: first character and the one after the last.
        spans: start and end of each run between gaps.
        captures: texts of the named placeholders.
    """

    start: int
    end: int
    spans: tuple[tuple[int, int], ...]
    captures: dict[str, str]


@dataclass(frozen=True, slots=True)
class _Lead:
    """How a first run that begins with a placeholder is found.

    Searched for as an expression it would be tried from each character of a long word.

    Attributes:
        literal: what follows the placeholder.
        characters: what the placeholder takes, `most` of it at most.
    """

    literal: re.Pattern[str]
    characters: str
    most: int

    def search(self, run: re.Pattern[str], text: str) -> re.Match[str] | None:
        """Return the first match of the run, as a search would."""
        at = 0
        tried = -1
        for _ in range(LEADS):
            literal = self.literal.search(text, at)
            if literal is None:
                return None
            before = text[max(literal.start() - self.most, 0) : literal.start()]
            start = literal.start() - len(before) + len(before.rstrip(self.characters))
            if tried < start < literal.start():
                tried = start
                if found := run.match(text, start):
                    return found
            at = literal.start() + 1
        return None


class Pattern:
    """One template of the index, ready to be matched.

    A gap is never part of an expression: each run between gaps is searched for after the
    end of the one before it, so that time is linear in the line.
    """

    __slots__ = (
        "_classes",
        "_cuts",
        "_lead",
        "_literal",
        "_loose",
        "_loose_lead",
        "_names",
        "_parts",
        "_segments",
        "anchor",
        "ignore_case",
        "size",
        "whole_line",
    )

    def __init__(self, record: Record, classes: dict[str, str]) -> None:
        self.anchor: str = record["anchor"]
        self.size: int = record["size"]
        self.whole_line: bool = record.get("whole_line", False)
        self.ignore_case: bool = record.get("ignore_case", False)
        parts: list[str | list[str]] = record["parts"]
        self._parts, self._classes = parts, classes
        self._cuts: tuple[Cut, ...] | None = None
        self._loose: tuple[re.Pattern[str], ...] | None = None
        self._lead: _Lead | None = None
        self._loose_lead: _Lead | None = None
        self._literal: str | None = None
        self._segments: tuple[re.Pattern[str], ...] | None = None
        self._names: tuple[tuple[str, ...], ...] = ()
        if len(parts) == 1 and isinstance(parts[0], str) and not self.ignore_case:
            self._literal = parts[0]

    def _compile(
        self, literal: Callable[[str, bool], str]
    ) -> tuple[tuple[re.Pattern[str], ...], tuple[tuple[str, ...], ...]]:
        runs: list[tuple[str, list[str]]] = [("", [])]
        for part in self._parts:
            source, names = runs[-1]
            if isinstance(part, str):
                runs[-1] = (source + literal(part, self.ignore_case), names)
            elif part[0] == "...":
                runs.append(("", []))
            elif len(part) == 2:
                runs[-1] = (source + f"({self._classes[part[0]]})", [*names, part[1]])
            else:
                runs[-1] = (source + f"(?:{self._classes[part[0]]})", names)
        segments = tuple(re.compile(source, re.ASCII) for source, _ in runs)
        return segments, tuple(tuple(names) for _, names in runs)

    def _make_lead(self, literal: Callable[[str, bool], str]) -> _Lead | None:
        first, following = (*self._parts, "", "")[:2]
        if isinstance(first, str) or not isinstance(following, str) or not following:
            return None
        taken = _SET.fullmatch(self._classes[first[0]])
        if taken is None:
            return None
        characters = "".join(re.findall(taken[1], "".join(map(chr, range(128)))))
        source = literal(following, self.ignore_case)
        return _Lead(re.compile(source, re.ASCII), characters, int(taken[2]))

    @property
    def head(self) -> str | None:
        """The beginning by which a text that was cut is found, None where there is none."""
        first = self._parts[0]
        if self.whole_line or self.ignore_case or self.size < CUT_BYTES or len(self._parts) < 2:
            return None
        if not isinstance(first, str) or len(first.encode()) < ANCHOR_BYTES:
            return None
        end = 1
        while len(first[:end].encode()) < ANCHOR_BYTES:
            end += 1
        return first[:end]

    def find_cut(self, text: str) -> tuple[Found, int] | None:
        """Return where a beginning of the pattern ends a plain line, and its literal bytes.

        The longest beginning counts; one with fewer literal bytes than `CUT_BYTES` is none.
        """
        if self._cuts is None:
            self._cuts = tuple(self._make_cuts())
        for beginning, rest, size in self._cuts:
            found = beginning.find(text)
            if found is None:
                continue
            left = text[found.end :]
            whole = size + len(left.encode())
            if rest.startswith(left) and whole >= CUT_BYTES:
                return Found(found.start, len(text), found.spans, found.captures), whole
        return None

    def _make_cuts(self) -> Iterator[Cut]:
        """Yield beginnings that end before a literal, the longest first."""
        for at in range(len(self._parts) - 1, 0, -1):
            part = self._parts[at]
            before = self._parts[:at]
            if isinstance(part, str) and before[-1] != ["..."]:
                size = sum(len(one.encode()) for one in before if isinstance(one, str))
                record = {"parts": before, "anchor": "", "size": size}
                yield Pattern(record, self._classes), part, size

    def find(self, text: str) -> Found | None:
        """Return where the pattern stands in a plain line, None where it does not."""
        if self._literal is not None:
            at = text.find(self._literal)
            if at < 0 or (self.whole_line and text != self._literal):
                return None
            end = at + len(self._literal)
            return Found(at, end, ((at, end),), {})
        if self._segments is None:
            # Of thousands of templates a log shows a few.
            self._segments, self._names = self._compile(_literal)
            self._lead = self._make_lead(_literal)
        found = self._search(text, self._segments, self._lead)
        if found and self.whole_line and (found.start != 0 or found.end != len(text)):
            return None
        return found

    def find_loose(self, text: str) -> Found | None:
        """Return where the pattern stands in lines joined without blanks.

        Where a literal has a blank, the text may have none: the line's end was there.
        """
        if self._loose is None:
            self._loose, self._names = self._compile(_loose_literal)
            self._loose_lead = self._make_lead(_loose_literal)
        return self._search(text, self._loose, self._loose_lead)

    def _search(
        self, text: str, segments: tuple[re.Pattern[str], ...], lead: _Lead | None
    ) -> Found | None:
        spans: list[tuple[int, int]] = []
        captures: dict[str, str] = {}
        at = 0
        for segment, names in zip(segments, self._names, strict=True):
            found = lead.search(segment, text) if lead else segment.search(text, at)
            lead = None
            if found is None:
                return None
            at = found.end()
            spans.append(found.span())
            captures.update(zip(names, found.groups(""), strict=True))
        return Found(spans[0][0], at, tuple(spans), captures)


def _literal(text: str, ignore_case: bool) -> str:
    if not ignore_case:
        return re.escape(text)
    return "".join(
        f"[{character.lower()}{character.upper()}]"
        if character.isascii() and character.isalpha()
        else re.escape(character)
        for character in text
    )


def _loose_literal(text: str, ignore_case: bool) -> str:
    return " ?".join(_literal(word, ignore_case) for word in text.split(" "))
