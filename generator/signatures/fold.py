"""The plain form of a line: what templates are compared in."""

from __future__ import annotations

from functools import cache

from generator.signatures.knowledge import knowledge


@cache
def _table() -> dict[int, str]:
    return str.maketrans(knowledge()["fold"])


def fold(text: str) -> str:
    """Return a text with printer's quotes made plain and each run of blanks made one."""
    if not text.isascii() or "\t" in text:
        text = text.translate(_table())
    while "  " in text:
        text = text.replace("  ", " ")
    return text
