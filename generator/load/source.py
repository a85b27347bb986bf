"""Bytes of one file to text, with everything refused that no editor shows."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from generator.model import Problem

#: Largest file that is read, in bytes; the longest entries are near 30 KB.
MAX_BYTES = 256 * 1024

# YAML 1.2 section 5.1 names the printable characters. Beyond what it excludes, these are
# refused: NEL, LS and PS, which are line breaks to some readers and none to others (lines
# would be miscounted), a byte-order mark inside the text, and the controls that reorder
# text, with which a command can show one thing and paste another (CVE-2021-42574).
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff"
    "\ud800-\udfff\ufffe\uffff]"
)
_LINE_BREAK = re.compile("\r\n|\r|\n")


class SourceError(Exception):
    """A file that cannot be taken as text; `line` and `column` are 0 for the whole file."""

    def __init__(self, message: str, line: int = 0, column: int = 0) -> None:
        self.message, self.line, self.column = message, line, column
        super().__init__(message)

    def problem(self, name: str, rule: str = "yaml") -> Problem:
        """Returns this as a problem of the file that is named `name`."""
        return Problem(name, self.line, self.column, "", self.message, rule)


def read_text(path: Path, max_bytes: int = MAX_BYTES) -> str:
    """Returns the text of a file, without a byte-order mark.

    Raises:
        SourceError: not a regular file, too large, unreadable, or not clean UTF-8.
    """
    try:
        # A link or a pipe may stand in a stranger's pull request: look before opening.
        status = os.lstat(path)
        if stat.S_ISLNK(status.st_mode):
            raise SourceError("is a symbolic link; put the file itself here")
        if not stat.S_ISREG(status.st_mode):
            raise SourceError("is not a regular file")
        if status.st_size > max_bytes:
            raise SourceError(
                f"is too large: {status.st_size} bytes, at most {max_bytes} are read; "
                "shorten samples and prose"
            )
        with path.open("rb") as file:
            data = file.read(max_bytes + 1)
    except OSError as error:
        raise SourceError(f"cannot be read: {error.strerror or error}") from None
    return decode(data)


def decode(data: bytes) -> str:
    """Returns bytes as text, without a byte-order mark.

    Raises:
        SourceError: not UTF-8, or a character that an editor does not show.
    """
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        raise SourceError("is UTF-16; save it as UTF-8")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8")
        raise SourceError(
            f"byte 0x{data[error.start]:02x} is not UTF-8; save the file as UTF-8",
            *place_of(before, len(before)),
        ) from None
    text = text.removeprefix("\ufeff")
    bad = forbidden(text)
    if bad is not None:
        raise SourceError(
            f"{name_of(text[bad])} is not allowed; remove it, or write it as visible text",
            *place_of(text, bad),
        )
    return text


def forbidden(text: str) -> int | None:
    """Returns the offset of the first character that is not allowed, None where all are."""
    found = _FORBIDDEN.search(text)
    return found.start() if found else None


def name_of(character: str) -> str:
    """Returns a name for a character that cannot be shown."""
    return f"the invisible character U+{ord(character):04X}"


def place_of(text: str, offset: int) -> tuple[int, int]:
    """Returns the 1-based line and column, in characters, of an offset."""
    line, start = 1, 0
    for found in _LINE_BREAK.finditer(text, 0, offset):
        line, start = line + 1, found.end()
    return line, offset - start + 1


def split_lines(text: str) -> list[str]:
    """Returns the lines of a text without their ends, split where YAML splits."""
    return _LINE_BREAK.split(text)
