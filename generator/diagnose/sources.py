"""What is to be read: files, folders, compressed files, standard input, pastes."""

from __future__ import annotations

import gzip
import io
import lzma
import os
import stat
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

import zstandard

from generator.diagnose.read import CHUNK_BYTES, text_blocks
from generator.model import FaultbookError

#: Files of one folder that are read as one incident.
MAX_FILES = 20_000


class ReadLogError(FaultbookError):
    """A log cannot be read."""


@dataclass(frozen=True, slots=True)
class Source:
    """One log.

    Attributes:
        name: as the user named it; below a folder relative to that folder.
        blocks: opens it and yields its raw bytes.
        size: bytes on disk, None where unknown.
    """

    name: str
    blocks: Callable[[], Iterator[bytes]]
    size: int | None = None


def paste(text: str, name: str = "-") -> Source:
    """Return a text as a source."""
    return Source(name, lambda: text_blocks(text))


def standard_input() -> Source:
    """Return standard input as a source."""
    return Source("-", lambda: _read(sys.stdin.buffer))


def sources_of(path: Path) -> list[Source]:
    """Return the logs that a path names: itself, or every file below a folder, in order.

    Raises:
        ReadLogError: it does not exist, is no file or folder, or holds no file.
    """
    try:
        kind = path.stat().st_mode
    except OSError as error:
        raise ReadLogError(f"{path}: cannot be read: {error.strerror or error}") from None
    if not stat.S_ISDIR(kind):
        return [_file(path, path.as_posix())]
    found: list[Source] = []
    for folder, folders, names in os.walk(path):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            whole = Path(folder, name)
            if not name.startswith(".") and whole.is_file():
                found.append(_file(whole, whole.relative_to(path).as_posix()))
            if len(found) > MAX_FILES:
                raise ReadLogError(
                    f"{path}: holds more than {MAX_FILES} files; name a folder of one incident"
                )
    if not found:
        raise ReadLogError(f"{path}: this folder holds no file; name the folder with the logs")
    return sorted(found, key=lambda source: source.name)


def _file(path: Path, name: str) -> Source:
    try:
        size = path.stat().st_size
    except OSError:
        size = None
    return Source(name, lambda: _open(path, name), size)


def _open(path: Path, name: str) -> Iterator[bytes]:
    try:
        with path.open("rb") as file:
            yield from _decompressed(file, path.suffix.lower())
    except (OSError, EOFError, lzma.LZMAError, zstandard.ZstdError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ReadLogError(f"{name}: cannot be read: {reason}") from None


def _decompressed(file: IO[bytes], suffix: str) -> Iterator[bytes]:
    if suffix == ".gz":
        with gzip.open(file) as inner:
            yield from _read(inner)
    elif suffix == ".xz":
        with lzma.open(file) as inner:
            yield from _read(inner)
    elif suffix in (".zst", ".zstd"):
        with zstandard.ZstdDecompressor().stream_reader(file, read_across_frames=True) as inner:
            yield from _read(io.BufferedReader(inner))
    else:
        yield from _read(file)


class _Readable(Protocol):
    def read(self, size: int = -1, /) -> bytes: ...


def _read(file: _Readable) -> Iterator[bytes]:
    while block := file.read(CHUNK_BYTES):
        yield block
