"""Commands of an entry, with what the log showed in the place of their variables."""

from __future__ import annotations

import re
from collections.abc import Mapping

#: Text that no shell takes for anything but itself, quoted or not. What stands in a log was
#: perhaps written by somebody who hopes that it is run.
_HARMLESS = re.compile(r"[A-Za-z0-9._/][A-Za-z0-9._:/@%+=-]{0,255}", re.ASCII)
_LETTER = re.compile(r"[A-Za-z0-9]", re.ASCII)
_VARIABLE = re.compile(r"\$(?:([A-Z][A-Z0-9_]*)|\{([A-Z][A-Z0-9_]*)\})", re.ASCII)
_ASSIGNED = re.compile(r"(?:^|[ \t\n;&|(])([A-Z][A-Z0-9_]*)=", re.ASCII)
#: What every shell has itself.
_OWN = frozenset({"HOME", "HOSTNAME", "IFS", "LANG", "PATH", "PWD", "SHELL", "TMPDIR", "USER"})


def fill(run: str, values: Mapping[str, str]) -> str:
    """Put values into a command.

    Args:
        run: shell commands; `$NODE` and `${NODE}` are variables.
        values: texts by the variable's name in small letters.

    Returns:
        The command, in which a variable stays where no value is known or the value might do
        something in a shell, where the command sets it itself, in single quotes, and from a
        here-document on.
    """
    own = _OWN.union(_ASSIGNED.findall(run))
    filled: list[str] = []
    at, quote = 0, ""
    while at < len(run):
        character = run[at]
        if not quote and run.startswith("<<", at):
            break
        if quote == "'":
            quote = "" if character == "'" else quote
        elif character == "\\":
            filled.append(run[at : at + 2])
            at += 2
            continue
        elif character == '"' or (character == "'" and not quote):
            quote = "" if quote else character
        elif character == "$" and (found := _VARIABLE.match(run, at)):
            name = found[1] or found[2]
            value = values.get(name.lower(), "")
            filled.append(value if name not in own and _is_harmless(value) else found[0])
            at = found.end()
            continue
        filled.append(character)
        at += 1
    return "".join(filled) + run[at:]


def _is_harmless(value: str) -> bool:
    return (
        _HARMLESS.fullmatch(value) is not None
        and ".." not in value
        and _LETTER.search(value) is not None
    )
