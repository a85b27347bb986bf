"""What the matcher knows beside the entries, as data: classes, prefixes, words, weights.

Everything here goes into the index as it stands, so that each matcher holds mechanism only.
`docs/index-format.md` explains every field.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parent / "data"


@cache
def knowledge() -> dict[str, Any]:
    """Return what the matcher knows; not to be changed."""
    loaded: dict[str, Any] = json.loads((_DATA / "knowledge.json").read_text(encoding="utf-8"))
    return loaded


@cache
def window_costs() -> WindowCosts:
    """Return how rare a window of bytes is in logs.

    Counts of three bytes in a row, over public logs of healthy runs and pasted failures.
    """
    counts: dict[str, int] = json.loads((_DATA / "trigrams.json").read_text(encoding="utf-8"))
    return WindowCosts({text.encode(): count for text, count in counts.items()})


class WindowCosts:
    """Rarity by a Markov chain of second order.

    Args:
        counts: how often three bytes stand in a row; what is missing was hardly seen.
    """

    def __init__(self, counts: dict[bytes, int]) -> None:
        self._counts = counts
        self._pairs: Counter[bytes] = Counter()
        for text, count in counts.items():
            self._pairs[text[:2]] += count
        self._whole = sum(counts.values())

    def cost(self, window: bytes) -> int:
        """Return 16 times the negative binary logarithm of a window's frequency."""
        bits = math.log2(self._whole / (self._pairs[window[:2]] + 1))
        for at in range(len(window) - 2):
            pair, triple = window[at : at + 2], window[at : at + 3]
            # One more possible byte than was seen, and as if each were seen once.
            bits += math.log2((self._pairs[pair] + 64) / (self._counts.get(triple, 0) + 1))
        return round(16 * bits)


@cache
def background_words() -> frozenset[str]:
    """Return words that logs of healthy runs print, measured over several of them."""
    loaded: list[str] = json.loads((_DATA / "background.json").read_text(encoding="utf-8"))
    return frozenset(loaded)
