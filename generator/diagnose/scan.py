"""Finds the places of anchors in megabytes of text with a few vector operations.

Any window of 7 bytes holds one whole word that is aligned to 4 bytes. So the chunk is seen
as 32-bit words; each is hashed into a table of 2**18 flags, set for the four words that an
anchor can show. What passes is compared as a whole window.
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
        self._short: dict[bytes, list[int]] = defaultdict(list)
        for at, (anchor, ignore_case) in enumerate(anchors):
            encoded = anchor.encode()
            if not encoded:
                continue
            if len(encoded) < ANCHOR_BYTES:
                self._short[encoded].append(at)
            else:
                (folded if ignore_case else exact)[encoded[:ANCHOR_BYTES]].append(at)
        self._exact = _Windows(exact)
        self._folded = _Windows(folded)
        self._table = np.zeros(1 << _TABLE_BITS, dtype=np.bool_)
        for window in exact:
            self._mark(window)
        for window in folded:
            for variant in _cases(window):
                self._mark(variant)

    def _mark(self, window: bytes) -> None:
        for start in range(4):
            word = np.frombuffer(window[start : start + 4], dtype="<u4")
            self._table[(word * _MULTIPLIER) >> _SHIFT] = True

    def scan(self, data: bytes) -> Iterator[tuple[int, int]]:
        """Yield (offset, pattern) of every anchor in a chunk, by offset."""
        padded = _PADDING[:8] + data + _PADDING
        words = np.frombuffer(padded, dtype="<u4", count=len(padded) // 4)
        hits = np.flatnonzero(self._table[(words * _MULTIPLIER) >> _SHIFT])
        found: list[tuple[int, int]] = []
        if hits.size:
            bytes_at = np.ndarray((len(padded) - 8,), "<u8", padded, 0, (1,))
            starts = (hits[:, None] * 4 - np.arange(4)).ravel()
            starts = starts[(starts >= 8) & (starts < len(padded) - 8)]
            windows = bytes_at[starts] & _MASK
            found += self._exact.matches(starts, windows)
            if self._folded:
                found += self._folded.matches(starts, _lower(windows))
        for anchor, patterns in self._short.items():
            at = padded.find(anchor)
            while at >= 0:
                if padded[at + len(anchor)] in b"\r\n":
                    found += ((at, pattern) for pattern in patterns)
                at = padded.find(anchor, at + 1)
        found.sort()
        return ((at - 8, pattern) for at, pattern in found)


class _Windows:
    def __init__(self, patterns: dict[bytes, list[int]]) -> None:
        numbers = {int.from_bytes(window, "little"): held for window, held in patterns.items()}
        ordered = sorted(numbers)
        self._values = np.array(ordered, dtype=np.uint64)
        self._patterns = [numbers[value] for value in ordered]

    def __bool__(self) -> bool:
        return bool(self._patterns)

    def matches(
        self, starts: npt.NDArray[np.int64], windows: npt.NDArray[np.uint64]
    ) -> list[tuple[int, int]]:
        if not self._patterns:
            return []
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
