"""The published index to what a matcher works with: places made texts, words made impacts.

What follows from titles and signatures is not published, so that the index stays small. All
of this is whole numbers, so that every language gets the same. `docs/index-format.md`
describes both forms.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from generator.signatures.template import ANCHOR_BYTES
from generator.signatures.words import words_of

#: Raised when a field of the index changes its meaning or goes.
VERSION = 2
#: Rarities are published as so many parts of one.
RARITY_SCALE = 1024

Index = dict[str, Any]

_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_VALUES = {digit: value for value, digit in enumerate(_DIGITS)}
#: Digits from here on say that more follow.
_LAST = 32


def expand(index: Index) -> Index:
    """Return an index as matchers use it.

    Args:
        index: as it is published, with or without `texts`.

    Returns:
        `entries` (each with `leads_to`), `signatures`, `withs` and `signals` as patterns with
        `parts`, `anchor` and `size`, `terms` (word to `[rarity, step, impact, ...]`),
        `background`, `knowledge` and `texts`.
    """
    entries = [
        {"leads_to": [], **{key: value for key, value in entry.items() if key != "signatures"}}
        for entry in index["entries"]
    ]
    signatures = [
        _signature(at, entry, record)
        for at, entry in enumerate(index["entries"])
        for record in entry["signatures"]
    ]
    terms = _terms(index)
    words = list(terms)
    return {
        "schema": index["schema"],
        "entries": entries,
        "signatures": signatures,
        "withs": [expand_pattern(record) for record in index["withs"]],
        "signals": [expand_pattern(record) for record in index["signals"]],
        "terms": terms,
        "background": [words[at] for at in unpack_steps(index["background"])],
        "knowledge": index["knowledge"],
        "texts": index.get("texts", {}),
    }


def title_words(entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words of an entry's names."""
    for text in (entry["title"], entry["id"], *entry.get("aliases", ())):
        yield from words_of(text)


def printed_words(entry: Mapping[str, Any]) -> Iterator[str]:
    """Yield the words of an entry's signatures."""
    for _place, _kind, *parts in entry["signatures"]:
        for part in parts:
            if isinstance(part, str):
                yield from words_of(part)


def pack_steps(places: Iterable[int]) -> str:
    """Return rising places as text: each as its distance from one after the last.

    A distance is written from its lowest five bits to its highest; only the last of its
    digits is one of the first 32.
    """
    digits: list[str] = []
    last = -1
    for place in places:
        step = place - last - 1
        while step >= _LAST:
            digits.append(_DIGITS[_LAST + step % _LAST])
            step //= _LAST
        digits.append(_DIGITS[step])
        last = place
    return "".join(digits)


def unpack_steps(text: str) -> Iterator[int]:
    """Yield the places that `pack_steps` wrote."""
    last, step, factor = -1, 0, 1
    for digit in text:
        value = _VALUES[digit]
        step += value % _LAST * factor
        factor *= _LAST
        if value < _LAST:
            last += step + 1
            yield last
            step, factor = 0, 1


# --- signatures ------------------------------------------------------------


def _signature(at: int, entry: Mapping[str, Any], record: Sequence[Any]) -> dict[str, Any]:
    place, kind, *parts = record
    more = kind if isinstance(kind, dict) else {"specific": True} if kind else {}
    usual = entry.get("usual", entry.get("role", "initiating"))
    return {
        "entry": at,
        "role": usual,
        **expand_pattern({**more, "parts": parts, "anchor": place}),
    }


def expand_pattern(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a pattern with its anchor as text, and how many literal bytes it has."""
    literals = [part for part in record["parts"] if isinstance(part, str)]
    encoded = "".join(literals).encode()
    longest = max((len(literal.encode()) for literal in literals), default=0)
    start = record["anchor"]
    end = start + min(longest, ANCHOR_BYTES)
    while end < len(encoded) and encoded[end] & 0xC0 == 0x80:
        end += 1  # the rest of a character
    window = encoded[start:end]
    if record.get("ignore_case"):
        window = window.lower()  # ASCII letters only
    return {
        **record,
        "anchor": window.decode(errors="replace"),
        "size": len(encoded),
    }


# --- words -----------------------------------------------------------------


def _terms(index: Index) -> dict[str, list[int]]:
    """Return each word's rarity and impacts: [rarity, step, impact, step, impact, ...].

    A step is the distance from the entry before, the first from 0.
    """
    weigh = index["bm25"]
    counts: dict[str, dict[int, int]] = {}
    sizes: Counter[int] = Counter()
    for at, entry in enumerate(index["entries"]):
        own: dict[str, int] = defaultdict(int)
        for words, weight in (
            (title_words(entry), weigh["title"]),
            (printed_words(entry), weigh["signature"]),
        ):
            for word in dict.fromkeys(words):  # what is said twice is not said louder
                own[word] += weight
        for word, count in own.items():
            counts.setdefault(word, {})[at] = count
            sizes[at] += count
    for word in index["words"].split():
        counts[word] = {}
    for held, steps in zip(counts.values(), index["more"].split(" "), strict=False):
        for at in unpack_steps(steps):
            held[at] = weigh["more"]
            sizes[at] += weigh["more"]
    rarities = dict(zip(weigh["rarities"][::2], weigh["rarities"][1::2], strict=True))
    number, total = len(index["entries"]), sizes.total()
    k1, b = weigh["k1"], weigh["b"]  # in tenths
    shares = [k1 * ((10 - b) * total + b * sizes[at] * number) for at in range(number)]
    terms: dict[str, list[int]] = {}
    for word, held in counts.items():
        rarity = rarities[len(held)]
        row = [(2 * weigh["rarity"] * rarity + RARITY_SCALE) // (2 * RARITY_SCALE)]
        last = 0
        for at in sorted(held):
            count = held[at]
            # rarity * count * (k1 + 1) / (count + k1 * (1 - b + b * size / mean)), rounded
            above = weigh["impact"] * rarity * count * (k1 + 10) * 10 * total
            below = RARITY_SCALE * (100 * count * total + shares[at])
            impact = (2 * above + below) // (2 * below)
            if impact > 0:
                row += (at - last, impact)
                last = at
        terms[word] = row
    return terms
