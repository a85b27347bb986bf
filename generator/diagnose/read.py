"""Bytes of logs to clean chunks of whole lines, whatever their encoding and size.

A clean chunk is UTF-8 without colour codes, NUL and carriage returns before line feeds. A
carriage return that is left divides a line into segments (a progress bar rewrites itself),
and so does the end of a piece of an overlong line; only line feeds count as lines.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

#: Bytes read at once; a clean chunk is about as long.
CHUNK_BYTES = 4 * 1024 * 1024
#: Longest segment in bytes, and what neighbouring pieces of a longer line share.
SEGMENT_BYTES = 65_536
OVERLAP_BYTES = 4_096

#: No sequence goes over the end of a line or segment, so that lines keep their numbers.
_LINE_FEED = 10
#: Fewer bytes are counted one by one.
_SHORT = 4_096
#: So many are looked at together, so that they stay near the processor.
_BLOCK = 1 << 16

_ANSI = re.compile(
    rb"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]"
    rb"|\][^\x07\x1b\r\n]{0,2048}(?:\x07|\x1b\\)|[@-Z\\^_])"
)


@dataclass(frozen=True, slots=True)
class Chunk:
    """Clean bytes that end with a line feed.

    `line` is the number of its first line, `lines` how many end in it; `is_rest`: a last line
    that had no line feed.
    """

    data: bytes
    line: int
    lines: int
    is_rest: bool = False


def clean_chunks(blocks: Iterable[bytes]) -> Iterator[Chunk]:
    """Turn a stream of raw blocks into clean chunks.

    Args:
        blocks: raw bytes in order, of any sizes: chunks are the same for all.
    """
    pending: Chunk | None = None
    for chunk in _complete(_even(_utf8(blocks))):
        if pending is not None:
            if chunk.is_rest and pending.data.endswith(b"\n"):
                # A last line without a line feed belongs to what stands before it.
                chunk = Chunk(pending.data + chunk.data, pending.line, pending.lines + chunk.lines)
            else:
                yield pending
        pending = chunk
    if pending is not None:
        yield pending


def _even(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the same bytes as blocks of `CHUNK_BYTES`, the last one shorter."""
    held: list[bytes] = []
    length = 0
    for block in blocks:
        if not held and len(block) == CHUNK_BYTES:
            yield block
            continue
        held.append(block)
        length += len(block)
        if length < CHUNK_BYTES:
            continue
        whole = b"".join(held)
        full = length - length % CHUNK_BYTES
        yield from (whole[at : at + CHUNK_BYTES] for at in range(0, full, CHUNK_BYTES))
        length -= full
        held = [whole[full:]] if length else []
    if held:
        yield b"".join(held)


def _complete(blocks: Iterable[bytes]) -> Iterator[Chunk]:
    line = 1
    carry = b""
    for block in blocks:
        data = carry + block if carry else block
        end = data.rfind(b"\n") + 1
        if end == 0:
            # One line of many megabytes: let go of what is complete as pieces.
            if len(data) < CHUNK_BYTES:
                carry = data
                continue
            cut = _whole_character(data, len(data))
            yield Chunk(_clean(data[:cut]) + b"\r", line, 0)
            carry = data[max(cut - OVERLAP_BYTES, 0) :]
            continue
        carry = data[end:]
        clean = _clean(data[:end])
        chunk = Chunk(clean, line, count_line_feeds(clean))
        yield chunk
        line += chunk.lines
    if carry:
        yield Chunk(_clean(carry) + b"\n", line, 1, is_rest=True)


def count_line_feeds(data: bytes, start: int = 0, end: int | None = None) -> int:
    """Return how many line feeds stand in a part of some bytes."""
    end = len(data) if end is None else end
    if end - start < _SHORT:
        return data.count(b"\n", start, end)
    # Where every hundredth byte is one, `bytes.count` is many times slower.
    part = np.frombuffer(data, np.uint8, end - start, start)
    blocks = (part[at : at + _BLOCK] for at in range(0, len(part), _BLOCK))
    return int(sum(np.count_nonzero(block == _LINE_FEED) for block in blocks))


def text_blocks(text: str) -> Iterator[bytes]:
    """Return a text as blocks for `clean_chunks`; a lone surrogate becomes U+FFFD."""
    yield re.sub("[\ud800-\udfff]", "\ufffd", text).encode()


def _utf8(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Recode UTF-16 (PowerShell writes it) and drop byte-order marks."""
    stream = iter(blocks)
    first = b""
    while len(first) < 4 and (block := next(stream, None)) is not None:
        first += block
    encoding = _encoding(first)
    if encoding is None:
        yield first.removeprefix(codecs.BOM_UTF8)
        yield from stream
        return
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    yield decoder.decode(first).removeprefix("\ufeff").encode("utf-8", "replace")
    for block in stream:
        yield decoder.decode(block).encode("utf-8", "replace")
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")


def _encoding(first: bytes) -> str | None:
    if first.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le"
    if first.startswith(codecs.BOM_UTF16_BE):
        return "utf-16-be"
    if len(first) >= 4 and first[1] == first[3] == 0 and first[0] and first[2]:
        return "utf-16-le"
    if len(first) >= 4 and first[0] == first[2] == 0 and first[1] and first[3]:
        return "utf-16-be"
    return None


def _clean(data: bytes) -> bytes:
    if b"\x1b" in data:
        data = _ANSI.sub(b"", data)
    if b"\0" in data:
        data = data.replace(b"\0", b"")
    if b"\r" in data and b"\r\n" in data:  # one byte is found much faster
        data = data.replace(b"\r\n", b"\n")
    return _cut_long(data)


def _cut_long(data: bytes) -> bytes:
    """Divide lines longer than a segment into pieces that overlap."""
    at, end = 0, len(data)
    pieces: list[bytes] = []
    kept = 0
    while at < end:
        stop = min(at + SEGMENT_BYTES + 1, end)
        newline = data.rfind(b"\n", at, stop)
        if newline < 0 and stop < end:
            newline = data.rfind(b"\r", at, stop)
        if newline >= 0:
            at = newline + 1
        elif stop == end:
            break
        else:
            cut = _whole_character(data, at + SEGMENT_BYTES)
            pieces += (data[kept:cut], b"\r")
            at = kept = _whole_character(data, cut - OVERLAP_BYTES)
    if not pieces:
        return data
    pieces.append(data[kept:])
    return b"".join(pieces)


def _whole_character(data: bytes, at: int) -> int:
    """Move an offset back to where a UTF-8 character begins."""
    for back in range(4):
        if at - back <= 0:
            break
        if at - back >= len(data) or data[at - back] & 0xC0 != 0x80:
            return at - back
    return at
