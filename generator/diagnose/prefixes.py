"""What stands before a message: rank, node, time and process, stripped repeatedly."""

from __future__ import annotations

import json
import re
from typing import Any

#: Prefixes nest, but not deeper than this.
_DEPTH = 8
_LONGEST_JSON = 65_536
#: Lines that are remembered, and the longest of them.
_LINES_HELD, _LONGEST_HELD = 10_000, 1_000
#: Objects and lists of a JSON line may nest so deep; a parser's own limit differs by language.
_JSON_DEPTH = 100
_JSON_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*"?|[\[{]|[\]}]', re.DOTALL)


class Prefixes:
    """The prefix grammars of an index."""

    def __init__(self, knowledge: dict[str, Any]) -> None:
        self._grammars = [
            (
                re.compile(grammar["regex"], re.ASCII),
                grammar["groups"],
                re.compile(grammar["rest"], re.ASCII) if "rest" in grammar else None,
            )
            for grammar in knowledge["prefixes"]
        ]
        self._longest: list[int | None] = [one.get("longest") for one in knowledge["prefixes"]]
        # Which grammars may match is told by the first character, and whether any does by one
        # expression: most lines have no prefix.
        self._by_start: dict[str, tuple[re.Pattern[str] | None, list[int]]] = {}
        for character in map(chr, range(128)):
            kind = _kind(character)
            may = [at for at, one in enumerate(knowledge["prefixes"]) if kind in one["starts"]]
            if may:
                any_of = "|".join(f"(?:{self._grammars[at][0].pattern})" for at in may)
                self._by_start[character] = re.compile(any_of, re.ASCII), may
        # Short files are gone through twice, and ranks print the same lines.
        self._held: dict[str, tuple[str, dict[str, str], list[int]]] = {}
        #: Places of the grammars that the last line showed.
        self.last: list[int] = []
        self._json: dict[str, list[str]] = knowledge["json_fields"]

    def strip(self, line: str) -> tuple[str, dict[str, str]]:
        """Strip every prefix of a line.

        Returns:
            The message, and what the prefixes said by group name; of a group that stands
            twice the first, that is the outermost, counts. Not to be changed.
        """
        held = self._held.get(line)
        if held is None:
            message, fields = self._strip(line)
            held = message, fields, self.last
            if len(line) <= _LONGEST_HELD:
                if len(self._held) >= _LINES_HELD:
                    self._held.clear()
                self._held[line] = held
        message, fields, self.last = held
        return message, fields

    def _strip(self, line: str) -> tuple[str, dict[str, str]]:
        fields: dict[str, str] = {}
        self.last = []
        for _ in range(_DEPTH):
            if line.startswith("{") and (inner := self._from_json(line, fields)) is not None:
                line = inner
                continue
            any_of, may = self._by_start.get(line[:1], _NONE)
            if any_of is None or any_of.match(line) is None:
                return line, fields
            for at in may:
                expression, groups, rest = self._grammars[at]
                found = expression.match(line)
                if found is None or found.end() == 0:
                    continue
                if rest is not None and not rest.match(line[found.end() :]):
                    continue
                for name, value in zip(groups, found.groups(), strict=True):
                    if value is not None:
                        fields.setdefault(name, value)
                self.last.append(at)
                line = line[found.end() :]
                break
            else:
                return line, fields
        return line, fields

    def longest(self, at: int) -> int | None:
        """Return the bytes of a line that decide about a grammar, None where any may."""
        return self._longest[at]

    def bulk(self, at: int) -> tuple[re.Pattern[bytes], list[str]]:
        """Return a grammar that finds itself at the start of every line of a chunk."""
        expression, groups, rest = self._grammars[at]
        # What is excluded from a class excludes the end of a line or segment, too.
        source = expression.pattern.replace("[^", r"[^\r\n")
        if rest is not None:
            source += f"(?={rest.pattern.removeprefix('^')})"
        return re.compile(source.encode(), re.MULTILINE), groups

    def _from_json(self, line: str, fields: dict[str, str]) -> str | None:
        if len(line) > _LONGEST_JSON or not line.rstrip().endswith("}"):
            return None
        if _is_deep(line):
            return None
        try:
            data = json.loads(line)
        except ValueError:
            return None
        if not isinstance(data, dict):
            return None
        said = {name: _first(data, keys) for name, keys in self._json.items()}
        text = said.pop("text", None)
        if text is None:
            return None
        for name, value in said.items():
            if value is not None:
                fields.setdefault(name, value)
        return text.rstrip("\r\n")


def _is_deep(line: str) -> bool:
    """Whether the brackets of a JSON text nest deeper than `_JSON_DEPTH`."""
    if line.count("[") + line.count("{") <= _JSON_DEPTH:
        return False
    depth = 0
    for token in _JSON_TOKENS.finditer(line):
        first = line[token.start()]
        if first in "[{":
            depth += 1
            if depth > _JSON_DEPTH:
                return True
        elif first in "]}":
            depth -= 1
    return False


def _kind(character: str) -> str:
    """Return the kind of a line's first character: `A` a letter, `0` a digit, or itself."""
    return "A" if character.isalpha() else "0" if character.isdigit() else character


_NONE: tuple[None, list[int]] = (None, [])


_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def _first(data: dict[str, Any], keys: list[str]) -> str | None:
    for key in keys:
        value = data.get(key)
        if isinstance(value, str) and value:
            # JSON can spell half a character, which no encoding can write.
            return _LONE_SURROGATE.sub("\ufffd", value)
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
    return None
