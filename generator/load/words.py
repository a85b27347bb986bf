"""The nearest allowed word, for messages that say what was perhaps meant."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

#: Longer words are no misspellings, and comparing them costs quadratic time.
_LONGEST = 80


def nearest(word: str, choices: Iterable[str]) -> str | None:
    """Returns the choice that `word` most probably means, None where none is near.

    Args:
        word: what was written.
        choices: the allowed words, without order.
    """
    if len(word) > _LONGEST:
        return None
    by_key = {_key(choice): choice for choice in choices}
    found = get_close_matches(_key(word), by_key, n=1, cutoff=0.65)
    return by_key[found[0]] if found else None


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """Returns `, did you mean 'x'?` for the nearest choice, or nothing."""
    guess = nearest(word, choices)
    return f", did you mean {quote(guess)}?" if guess is not None and guess != word else ""


def quote(text: object, limit: int = 60) -> str:
    """Returns a value as a message shows it: one line, quoted, cut at `limit` characters."""
    shown = " ".join(str(text).split())
    if len(shown) > limit:
        shown = shown[: limit - 1] + "…"
    return f"'{shown}'"


def _key(word: str) -> str:
    return word.casefold().replace("_", "-").replace(" ", "-")
