"""A ready command that finds a signature in logs."""

from __future__ import annotations

import re
import shlex

from generator.signatures.template import Literal, Template

_ERE_SPECIAL = re.compile(r"([\\.^$*+?()\[\]{}|])")

#: Placeholders as POSIX extended expressions; looser than the matcher, since a
#: person reads what grep finds.
_CLASSES = {
    "int": "-?[0-9]+",
    "num": "-?[0-9.]+",
    "hex": "(0x)?[0-9a-fA-F]+",
    "word": "[^[:space:]]+",
    "path": "[^[:space:]]+",
    "ip": "[0-9a-fA-F.:]+",
    "time": "[0-9T:., -]+",
    "size": "[0-9.]+ ?[KMGT]?i?B?(ytes)?",
    "...": ".*",
}


def grep_command(template: Template, *, ignore_case: bool = False, place: str = "logs/") -> str:
    """Return a grep command that finds a signature below a folder.

    Args:
        template: the parsed signature.
        ignore_case: whether the case of the text varies.
        place: file or folder to search.

    Returns:
        A command line, quoted for POSIX shells; a fixed-string search where the
        signature has no placeholder.
    """
    flags = "rni" if ignore_case else "rn"
    parts = template.parts
    if all(isinstance(part, Literal) for part in parts):
        text = "".join(part.text for part in parts if isinstance(part, Literal))
        return f"grep -{flags}F -- {shlex.quote(text)} {place}"
    expression = "".join(
        _ERE_SPECIAL.sub(r"\\\1", part.text) if isinstance(part, Literal) else _CLASSES[part.kind]
        for part in parts
    )
    return f"grep -{flags}E -- {shlex.quote(expression)} {place}"
