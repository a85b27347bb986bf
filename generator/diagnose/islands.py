"""Islands: the few lines of a long log whose words say something about a failure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

#: Inputs up to so many lines are one island: somebody chose them.
WHOLE_LINES = 100
#: Lines around a telling line that belong to it, and the longest island.
AROUND = 3
LONGEST = 30
#: A long log without a telling line is known by its last lines.
LAST = 40
#: Weight of a line that tells of trouble, and of an exception's own line.
TELLING, EXCEPTION = 3, 4
#: Most islands that are looked at: the first half and the last half of these.
MOST = 400
_SHAPE = 60
TRACEBACK = "Traceback (most recent call last)"


class Message(NamedTuple):
    """A line without its prefixes; `weight` says how much it tells."""

    file: int
    line: int
    text: str
    weight: int


def islands_of(messages: Sequence[Message]) -> list[list[Message]]:
    """Return the islands of an input, in order.

    Args:
        messages: its lines with text, in order of files and lines.

    Returns:
        The whole of a short input. Of a long one the telling lines with their
        neighbours; where an exception is among them, only islands that hold one.
    """
    if is_whole(messages):
        return [list(messages)] if messages else []
    seeds = _seeds(messages)
    if not seeds:
        return [list(messages[-LAST:])]
    spans: list[list[int]] = []
    for seed in seeds:
        start, end = max(seed - AROUND, 0), min(seed + AROUND + 1, len(messages))
        if spans and start <= spans[-1][1] and end - spans[-1][0] <= LONGEST:
            spans[-1][1] = end
        else:
            spans.append([start, end])
    with_exception = [
        span for span in spans if any(_is_exception(one) for one in messages[span[0] : span[1]])
    ]
    chosen = with_exception or spans
    if len(chosen) > MOST:
        chosen = chosen[: MOST // 2] + chosen[-MOST // 2 :]
    return [list(messages[start:end]) for start, end in chosen]


def _seeds(messages: Sequence[Message]) -> list[int]:
    """Return the telling lines; one that repeats itself tells once, an exception always."""
    seen: Counter[str] = Counter()
    seeds: list[int] = []
    for at, message in enumerate(messages):
        if message.weight < TELLING and not _is_exception(message):
            continue
        shape = _shape(message.text)
        seen[shape] += 1
        if seen[shape] == 1 or (_is_exception(message) and seen[shape] <= LONGEST):
            seeds.append(at)
    return seeds


def _is_exception(message: Message) -> bool:
    """Whether a line is an exception, or begins the traceback of one whose end may be cut."""
    return message.weight >= EXCEPTION or message.text.startswith(TRACEBACK)


def is_whole(messages: Sequence[Message]) -> bool:
    """Whether an input is short enough to be one island, chosen by a person."""
    return len(messages) <= WHOLE_LINES


def _shape(text: str) -> str:
    """Return the ASCII letters at the start of a text, by which repetitions are known."""
    letters = [character for character in text[:200] if character.isascii() and character.isalpha()]
    return "".join(letters[:_SHAPE])
