"""Conditions of the index over captured texts, with what made them hold."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

Tree = list[Any]
Units = Mapping[str, Mapping[str, float]]

_NUMBER = re.compile(r"^([-+]?[0-9]*[.]?[0-9]*(?:[eE][-+]?[0-9]+)?) ?([A-Za-z]*)$", re.ASCII)
_CLOCK = re.compile(r"([0-9]{1,3}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?", re.ASCII)


def value_of(text: str, kind: str, units: Units) -> float | None:
    """Return a capture as a number: sizes in bytes, times in seconds.

    Args:
        text: what was captured.
        kind: the placeholder's kind.
        units: factors by kind and unit, from the index.

    Returns:
        None where it is no number.
    """
    if kind == "time" and (clock := _CLOCK.search(text)):
        first, second, third, part = clock.groups()
        if third is None:
            return int(first) * 60.0 + int(second)
        fraction = float(f"0.{part}") if part else 0.0
        return int(first) * 3600.0 + int(second) * 60.0 + int(third) + fraction
    found = _NUMBER.match(text)
    if found is None:
        return None
    try:
        number = float(found[1])
    except ValueError:
        return None
    unit = found[2]
    if kind == "size":
        return number * units["size"].get(unit[:1], 1)
    if kind == "time" and unit:
        factors = units["time"]
        return number * factors.get(unit, factors.get(unit.rstrip("s"), 1))
    return number


def holds(tree: Tree, captures: Mapping[str, str], units: Units) -> tuple[str, ...] | None:
    """Judge a condition.

    Returns:
        The comparisons that made it hold, in words with the captured texts; None where it
        does not hold.
    """
    operator = tree[0]
    if operator == "and":
        reasons: list[str] = []
        for inner in tree[1:]:
            held = holds(inner, captures, units)
            if held is None:
                return None
            reasons += (reason for reason in held if reason not in reasons)
        return tuple(reasons)
    if operator == "or":
        judged = (holds(inner, captures, units) for inner in tree[1:])
        return next((held for held in judged if held is not None), None)
    left, right = tree[1], tree[2]
    one, other = (_value(side, captures, units) for side in (left, right))
    if one is None or other is None or not _compare(operator, one, other):
        return None
    if operator == "==" and not (_is_name(left) and _is_name(right)):
        name, fixed = (left, right) if _is_name(left) else (right, left)
        return (f"{name['name'].replace('_', ' ')} is {_say(fixed, captures)}",)
    return (f"{_say(left, captures)} {operator} {_say(right, captures)}",)


def _is_name(side: Any) -> bool:
    return isinstance(side, dict) and "name" in side


def _value(side: Any, captures: Mapping[str, str], units: Units) -> float | str | None:
    if isinstance(side, int | float):
        return float(side)
    if "text" in side:
        return str(side["text"])
    captured = captures.get(side["name"])
    if captured is None:
        return None
    if side["kind"] in ("int", "num", "size", "time"):
        return value_of(captured, side["kind"], units)
    return captured


def _compare(operator: str, one: Any, other: Any) -> bool:
    if isinstance(one, str) != isinstance(other, str):
        return False
    match operator:
        case "==":
            return bool(one == other)
        case "!=":
            return bool(one != other)
        case "<":
            return bool(one < other)
        case "<=":
            return bool(one <= other)
        case ">":
            return bool(one > other)
        case _:
            return bool(one >= other)


def _say(side: Any, captures: Mapping[str, str]) -> str:
    if isinstance(side, dict):
        if "text" in side:
            return f"'{side['text']}'"
        return f"{side['name'].replace('_', ' ')} {captures[side['name']]}"
    return _number(side)


def _number(number: int | float) -> str:
    """Say a threshold; from a million on it is bytes in every condition that we know."""
    for factor, unit in ((10**12, "TB"), (10**9, "GB"), (10**6, "MB")):
        if number >= factor and number * 10 % factor == 0:
            tenths = int(number * 10 // factor)
            return f"{tenths // 10}{f'.{tenths % 10}' if tenths % 10 else ''} {unit}"
    return str(int(number)) if number == int(number) else str(number)
