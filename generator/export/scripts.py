"""Browser modules as they are published: without their comments."""

from __future__ import annotations

import re

_COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/)[\s\S])*\*/[ \t]*)$", re.MULTILINE)


def published_script(text: str) -> str:
    """Return a module without comments that have lines of their own.

    They are a third of what a browser would load. Their lines stay, so that an error names
    the line of the source.

    Args:
        text: the module; it must have no text in backquotes in which a line looks like a
            comment.
    """
    return _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
