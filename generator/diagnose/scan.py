"""Finds the places of anchors in megabytes of text with a few vector operations.

Any window of 7 bytes holds one whole word that is aligned to 4 bytes. So the chunk is seen
as 32-bit words; each is hashed into a table of 2**18 places, which says at which of the four
offsets an anchor can show it. What passes is hashed again as a whole window, then compared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from generator.signatures import ANCHOR_BYTES

_TABLE_BITS = 18
_MULTIPLIER = np.uint32(0x9E3779B1)
_SHIFT = np.uint32(32 - _TABLE_BITS)
_MASK = np.uint64((1 << (8 * ANCHOR_BYTES)) - 1)
#: Bits of a place in the table: exact anchors in the first four, by offset, then folded ones.
_FOLDED = 4
_LONG_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)
_LONG_SHIFT = np.uint64(64 - _TABLE_BITS)
_BLOCK = 1 << 16
_PADDING = b"\0" * 16


class Scanner:
    """Looks for many anchors at once.

    Args:
        anchors: for each pattern its anchor and whether case is ignored. An anchor shorter
            than a window is found where it ends a segment, an empty one nowhere.
    """

    def __init__(self, anchors: Sequence[tuple[str, bool]]) -> None:
        exact: dict[bytes, list[int]] = defaultdict(list)
        folded: dict[bytes, list[int]] = defaultdict(list)
        self._short: dict[tuple[bytes, bool], list[int]] = defaultdict(list)
        for at, (anchor, ignore_case) in enumerate(anchors):
            encoded = anchor.encode()
            if not encoded:
                continue
            windows = folded if ignore_case else exact
            if len(encoded) == ANCHOR_BYTES - 1:
                # With the end of its segment it is a whole window.
                windows[encoded + b"\n"].append(at)
                windows[encoded + b"\r"].append(at)
            elif len(encoded) < ANCHOR_BYTES:
                self._short[encoded, ignore_case].append(at)
            else:
                windows[encoded[:ANCHOR_BYTES]].append(at)
        self._exact = _Windows(exact)
        self._folded = _Windows(folded)
        self._table = np.zeros(1 << _TABLE_BITS, dtype=np.uint8)
        for window in exact:
            self._mark(window, 0)
        for window in folded:
            for variant in _cases(window):
                self._mark(variant, _FOLDED)

    def _mark(self, window: bytes, bit: int) -> None:
        for start in range(4):
            word = np.frombuffer(window[start : start + 4], dtype="<u4")
            self._table[(word * _MULTIPLIER) >> _SHIFT] |= np.uint8(1 << (bit + start))

    def _flags(self, words: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
        """Look words up in the table, so many at once that all stays near the processor."""
        flags = np.empty(len(words), np.uint8)
        hashed = np.empty(_BLOCK, np.uint32)
        for start in range(0, len(words), _BLOCK):
            block = words[start : start + _BLOCK]
            places = hashed[: len(block)]
            np.multiply(block, _MULTIPLIER, out=places)
            np.right_shift(places, _SHIFT, out=places)
            # Every hash is a place of the table; with "clip" no copy is made to check it.
            self._table.take(places, out=flags[start : start + _BLOCK], mode="clip")
        return flags

    def scan(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Yield (offset, pattern) of every anchor in a chunk, by offset."""
        padded = b"".join((_PADDING[:8], data, _PADDING))
        words = np.frombuffer(padded, dtype="<u4", count=len(padded) // 4)
        flags = self._flags(words)
        hits = np.flatnonzero(flags != 0)
        found: list[tuple[int, int]] = []
        if hits.size:
            bytes_at = np.ndarray((len(padded) - 8,), "<u8", padded, 0, (1,))
            bits = flags[hits]
            places = hits * 4
            for windows, first in ((self._exact, 0), (self._folded, _FOLDED)):
                if not windows:
                    continue
                starts = np.concatenate(
                    [
                        places[(bits & np.uint8(1 << (first + start))) != 0] - start
                        for start in range(4)
                    ]
                )
                starts = starts[(starts >= 8) & (starts < len(padded) - 8)]
                at_starts = bytes_at[starts] & _MASK
                found += windows.matches(starts, _lower(at_starts) if first else at_starts)
        for (anchor, ignore_case), patterns in self._short.items():
            text = padded.lower() if ignore_case else padded
            at = text.find(anchor)
            while at >= 0:
                if padded[at + len(anchor)] in b"\r\n":
                    found += ((at, pattern) for pattern in patterns)
                at = text.find(anchor, at + 1)
        found.sort()
        return ((at - 8, pattern) for at, pattern in found)


class _Windows:
    def __init__(self, patterns: dict[bytes, list[int]]) -> None:
        numbers = {int.from_bytes(window, "little"): held for window, held in patterns.items()}
        ordered = sorted(numbers)
        self._values = np.array(ordered, dtype=np.uint64)
        self._patterns = [numbers[value] for value in ordered]
        self._table = np.zeros(1 << _TABLE_BITS, dtype=np.bool_)
        self._table[(self._values * _LONG_MULTIPLIER) >> _LONG_SHIFT] = True

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def matches(
        self, starts: npt.NDArray[np.int64], windows: npt.NDArray[np.uint64]
    ) -> list[tuple[int, int]]:
        likely = np.flatnonzero(self._table.take((windows * _LONG_MULTIPLIER) >> _LONG_SHIFT))
        if not likely.size:
            return []
        starts, windows = starts[likely], windows[likely]
        places = np.searchsorted(self._values, windows)
        places[places == len(self._patterns)] = 0
        good = np.flatnonzero(self._values[places] == windows)
        return [(int(starts[at]), pattern) for at in good for pattern in self._patterns[places[at]]]


def _lower(windows: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Return windows with ASCII capitals made small."""
    characters = windows.view(np.uint8).copy()
    characters[(characters >= 65) & (characters <= 90)] += 32
    return characters.view(np.uint64)


def _cases(window: bytes) -> set[bytes]:
    variants = [b""]
    for byte in window:
        character = bytes([byte])
        both = {character.lower(), character.upper()}
        variants = [variant + one for variant in variants for one in both]
    return set(variants)
