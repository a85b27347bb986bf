"""What stands before a message: rank, node, time and process, stripped repeatedly."""

from __future__ import annotations

import json
import re
from typing import Any

#: Prefixes nest, but not deeper than this.
_DEPTH = 8
_LONGEST_JSON = 65_536


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
        # Which grammars may match is told by the first character: most lines have none.
        self._by_start: dict[str, list[int]] = {}
        for at, grammar in enumerate(knowledge["prefixes"]):
            for start in grammar["starts"]:
                self._by_start.setdefault(start, []).append(at)
        #: Places of the grammars that the last line showed.
        self.last: list[int] = []
        self._json: dict[str, list[str]] = knowledge["json_fields"]

    def strip(self, line: str) -> tuple[str, dict[str, str]]:
        """Strip every prefix of a line.

        Returns:
            The message, and what the prefixes said by group name; of a group that stands
            twice the first, that is the outermost, counts.
        """
        fields: dict[str, str] = {}
        self.last = []
        for _ in range(_DEPTH):
            if line.startswith("{") and (inner := self._from_json(line, fields)) is not None:
                line = inner
                continue
            for at in self._by_start.get(_start(line), ()):
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

    def bulk(self, at: int) -> tuple[re.Pattern[bytes], list[str]]:
        """Return a grammar that finds itself at the start of every line of a chunk."""
        expression, groups, _ = self._grammars[at]
        return re.compile(expression.pattern.encode(), re.MULTILINE), groups

    def _from_json(self, line: str, fields: dict[str, str]) -> str | None:
        if len(line) > _LONGEST_JSON or not line.rstrip().endswith("}"):
            return None
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
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


def _start(line: str) -> str:
    """Return the kind of a line's first character: `A` a letter, `0` a digit, or itself."""
    first = line[:1]
    if not first.isascii():
        return ""
    return "A" if first.isalpha() else "0" if first.isdigit() else first


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
