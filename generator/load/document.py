"""One file of the encyclopedia: where in it every value stands."""

from __future__ import annotations

from pathlib import Path

from generator.load.source import SourceError, read_text, split_lines
from generator.load.tree import Place, TreePath, parse

_ESCAPE_LENGTHS = {"x": 4, "u": 6, "U": 10}


class Document:
    """A YAML file that can say where a value stands.

    Ten thousand entries are read in one run and nearly all are fine, so neither text nor
    places are kept: the file is read again when a place is asked for the first time.

    Attributes:
        name: the file as problems name it.
        path: the file.
    """

    __slots__ = ("_lines", "_places", "_text", "name", "path")

    def __init__(self, name: str, path: Path, text: str | None = None) -> None:
        """Names a file without reading it.

        Args:
            name: the file as problems name it.
            path: the file.
            text: its text, where it is not to be read again.
        """
        self.name = name
        self.path = path
        self._text = text
        self._places: dict[TreePath, Place] | None = None
        self._lines: list[str] = []

    def __repr__(self) -> str:
        return f"Document({self.name!r})"

    def keep(self, text: str) -> None:
        """Makes places refer to this text, whatever becomes of the file."""
        self._places = parse(text, with_places=True, max_values=10**9).places
        self._lines = split_lines(text)

    def place(self, path: TreePath) -> Place | None:
        """Returns the place of a value, of its nearest parent where it has none itself.

        None means that the file has no places at all (unreadable, or not YAML any more).
        """
        if self._places is None:
            try:
                text = read_text(self.path, 2**30) if self._text is None else self._text
            except SourceError:
                text = ""
            self.keep(text)
        assert self._places is not None
        for length in range(len(path), -1, -1):
            place = self._places.get(path[:length])
            if place is not None:
                return place
        return None

    def position(
        self, path: TreePath, key: bool = False, offset: int | None = None
    ) -> tuple[int, int]:
        """Returns the 1-based line and column, in characters, of a value.

        Args:
            path: keys and indices from the top of the document.
            key: the key's place instead of the value's.
            offset: 0-based character inside a text value; exact for text on one line and
                for literal blocks (`|`), else the start of the value.
        """
        place = self.place(path)
        if place is None:
            return 1, 1
        if key:
            return place.key_line, place.key_column
        if offset:
            return self._inside(place, offset)
        if offset == 0 and place.style in ("'", '"', "|"):
            return self._inside(place, 0)
        return place.line, place.column

    def raw(self, path: TreePath) -> str | None:
        """Returns the text of an unquoted scalar as written, None for anything else."""
        place = self.place(path)
        return place.raw if place is not None and not place.style else None

    def style(self, path: TreePath) -> str:
        """Returns how a value is written: see `Place.style`."""
        place = self.place(path)
        return place.style if place is not None else ""

    def _inside(self, place: Place, offset: int) -> tuple[int, int]:
        start = (place.line, place.column)
        text = place.raw
        if text is None or offset > len(text) or place.line > len(self._lines):
            return start
        if place.style == "|":
            return self._inside_block(place, text, offset) or start
        line = self._lines[place.line - 1]
        at = place.column - 1
        if not place.style:
            there = line[at : at + len(text)] == text
            return (place.line, place.column + offset) if there else start
        if place.style not in ("'", '"'):
            return start
        at += 1
        for _ in range(offset):
            if at >= len(line):
                return start  # the text goes on in the next line
            if place.style == "'":
                at += 2 if line[at : at + 2] == "''" else 1
            elif line[at] == "\\":
                at += _ESCAPE_LENGTHS.get(line[at + 1 : at + 2], 2)
            else:
                at += 1
        return (place.line, at + 1) if at < len(line) else start

    def _inside_block(self, place: Place, text: str, offset: int) -> tuple[int, int] | None:
        # A literal block keeps its lines: the n-th line of the text is the n-th after `|`.
        number = text.count("\n", 0, offset)
        begin = text.rfind("\n", 0, offset) + 1
        content = text[begin:].split("\n", 1)[0]
        at = place.line + number
        if at >= len(self._lines) or not self._lines[at].endswith(content):
            return None
        indent = len(self._lines[at]) - len(content)
        return at + 1, indent + offset - begin + 1
