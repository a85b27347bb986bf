"""Words of a text, as both matchers and the index see them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_RUN = re.compile(r"[A-Za-z0-9_]{1,200}")
_PIECE = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+")
_SHORTEST, _LONGEST = 2, 32
#: Longer numbers are addresses, sizes or process ids and say nothing.
_LONGEST_NUMBER = 3


def words_of(text: str) -> Iterator[str]:
    """Yield the words of a text in order: identifiers whole, then their pieces.

    `ProcessGroupNCCL` gives itself in small letters and `process`, `group`, `nccl`.
    Only ASCII letters and digits make words.
    """
    for run in _RUN.findall(text):
        yield from _words_of_run(run)


@lru_cache(maxsize=1 << 15)
def _words_of_run(run: str) -> tuple[str, ...]:
    words = []
    whole = _stem(run.lower())
    if _is_word(whole):
        words.append(whole)
    pieces = _PIECE.findall(run)
    if len(pieces) > 1:
        for piece in pieces:
            part = _stem(piece.lower())
            if part != whole and _is_word(part):
                words.append(part)
    return tuple(words)


def _is_word(word: str) -> bool:
    if word.isdigit():
        return len(word) <= _LONGEST_NUMBER
    return _SHORTEST <= len(word) <= _LONGEST and not word.startswith("0x")


def _stem(word: str) -> str:
    for ending, least in (("ing", 6), ("ed", 5), ("es", 5), ("s", 4)):
        if word.endswith(ending) and len(word) >= least and not word.endswith("ss"):
            return word[: -len(ending)]
    return word
