"""How alike two entries are, by the words that both carry.

Each tag, system, category, phase and signature text is a feature with a whole
number as its weight, larger where fewer entries carry it. Sums of whole numbers
are exact in floating point, so that the same entries give the same neighbours
on every machine.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from generator.model import Entry

#: Rows that are compared with all others at once: bounds memory, not the result.
_BLOCK = 256
#: How much a kind of feature counts beside its rarity.
_KIND_WEIGHT: Mapping[str, float] = {
    "signature": 3.0,
    "tag": 2.0,
    "category": 1.5,
    "system": 0.7,
    "phase": 0.1,
}
_SCALE = 16

Feature = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An entry that is like another.

    Attributes:
        index: its place in the list of entries.
        score: sum of the weights of what both share; comparable within one encyclopedia.
    """

    index: int
    score: int


def features(entry: Entry) -> frozenset[Feature]:
    """Return what an entry can share with another, as pairs of kind and name."""
    return frozenset(
        {
            *(("tag", tag) for tag in entry.tags),
            *(("system", use.id) for use in entry.systems),
            *(("phase", phase) for phase in entry.phases),
            *(("signature", signature.match) for signature in entry.signatures),
            ("category", entry.category),
        }
    )


class Likeness:
    """The features of all entries, ready for comparing them."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        """Weigh the features.

        Args:
            entries: all entries, in the order that indices refer to.
        """
        self._features = [features(entry) for entry in entries]
        carriers: dict[Feature, list[int]] = defaultdict(list)
        for index, found in enumerate(self._features):
            for feature in found:
                carriers[feature].append(index)
        count = len(entries)
        # A feature of one entry is shared with nobody.
        shared = sorted(feature for feature, who in carriers.items() if len(who) > 1)
        self._weight: dict[Feature, int] = {
            feature: max(
                1,
                round(
                    _SCALE
                    * _KIND_WEIGHT[feature[0]]
                    * math.log((count + 1) / len(carriers[feature]))
                ),
            )
            for feature in shared
        }
        self._matrix: npt.NDArray[np.float32] = np.zeros((count, len(shared)), dtype=np.float32)
        for column, feature in enumerate(shared):
            self._matrix[carriers[feature], column] = 1
        self._weights = np.array([self._weight[feature] for feature in shared], dtype=np.float32)

    def nearest(self, most: int) -> list[tuple[Neighbour, ...]]:
        """Return each entry's most alike entries.

        Args:
            most: how many of them.

        Returns:
            For each entry, its neighbours that share anything, best first; ties by index.
        """
        count = len(self._features)
        found: list[tuple[Neighbour, ...]] = []
        others: npt.NDArray[np.int64] = count - 1 - np.arange(count, dtype=np.int64)
        for start in range(0, count, _BLOCK):
            rows = self._matrix[start : start + _BLOCK] * self._weights
            scores = (rows @ self._matrix.T).astype(np.int64)
            for offset, row in enumerate(scores):
                row[start + offset] = 0
                found.append(_best(row, others, min(most, count)))
        return found

    def score(self, one: int, other: int) -> int:
        """Return the likeness of two entries."""
        return sum(
            self._weight.get(feature, 0) for feature in self._features[one] & self._features[other]
        )

    def shared(self, one: int, other: int) -> tuple[Feature, ...]:
        """Return what two entries share, the weightiest first."""
        both = self._features[one] & self._features[other]
        return tuple(sorted(both, key=lambda feature: (-self._weight.get(feature, 0), feature)))


def _best(
    row: npt.NDArray[np.int64], others: npt.NDArray[np.int64], most: int
) -> tuple[Neighbour, ...]:
    # One number for score and place makes ties definite.
    keys: npt.NDArray[Any] = row * len(row) + others
    if most < len(row):
        chosen = np.argpartition(keys, len(row) - most)[len(row) - most :]
    else:
        chosen = np.arange(len(row))
    chosen = chosen[np.argsort(-keys[chosen])]
    return tuple(Neighbour(int(index), int(row[index])) for index in chosen if row[index] > 0)
