"""Checks data against a JSON Schema and says in plain words what is wrong, and where."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from generator.load.document import Document
from generator.load.tree import TreePath, resolve
from generator.load.words import did_you_mean, nearest, quote
from generator.model import Problem

if TYPE_CHECKING:
    from jsonschema.exceptions import ValidationError

SCHEMA_FOLDER = Path(__file__).parent.parent / "schema"
#: More than these in one file say no more.
MAX_PROBLEMS = 50

#: jsonschema's `ValidationError`, whose fields its stubs type as "perhaps unset".
Error = Any

_TYPES = {
    "string": "text",
    "object": "a mapping (key: value)",
    "array": "a list",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "nothing",
}
_SAID_YES = frozenset({"yes", "y", "on", "true", "1"})
_SAID_NO = frozenset({"no", "n", "off", "false", "0"})

#: What each pattern of the schemas asks for, in words; tests hold this table complete.
PATTERNS = {
    "^[a-z0-9]+(-[a-z0-9]+)*$": "must be lower-case words joined by hyphens",
    "^[^\\n]*$": "must be one line; join the lines, or use '>-' or '|-' instead of '>' or '|'",
    '^https://[^\\s<>"]+$': "must be an address that begins with https://, without blanks",
    '^https?://[^\\s<>"]+$': "must be an address that begins with https:// or http://, "
    "without blanks",
    "\\?$": "must end with a question mark",
    "^20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$": "must be a date, "
    "year-month-day, such as 2026-12-01",
    "^[a-z0-9-]+\\.repro\\.(py|sh)$": "must be a script beside the entry, named "
    "<id>.repro.py or <id>.repro.sh",
    "^[a-z0-9-]+\\.repro\\.log$": "must be a file beside the entry, named <id>.repro.log",
    '^https://[^\\s<>"]*\\{query\\}[^\\s<>"]*$': "must be an address that begins with "
    "https:// and holds {query} where the text goes",
}


@cache
def _validator_class() -> Callable[[dict[str, Any]], Any]:
    """Return jsonschema's validator with patterns as JSON Schema means them."""
    # Loaded where needed: finding a failure with a finished index needs no schema.
    from jsonschema import Draft202012Validator
    from jsonschema.exceptions import ValidationError
    from jsonschema.validators import extend

    def pattern(
        _validator: Any, pattern: str, instance: Any, _schema: Any
    ) -> Iterator[ValidationError]:
        # JSON Schema's patterns are ECMA-262's, where `$` is the end and not also before a
        # last line break, as it is in Python.
        portable = pattern[:-1] + r"\Z" if pattern.endswith("$") else pattern
        if isinstance(instance, str) and not re.search(portable, instance):
            yield ValidationError("does not match the pattern")

    extended: Callable[..., Any] = extend
    made: Callable[[dict[str, Any]], Any] = extended(Draft202012Validator, {"pattern": pattern})
    return made


class Schema:
    """A JSON Schema that answers fast for valid data and in words for the rest."""

    def __init__(self, schema: dict[str, Any]) -> None:
        """Prepares the checks.

        Args:
            schema: a JSON Schema, draft 2020-12, without references to other files.
        """
        self.schema = schema
        self._slow = _validator_class()(schema)
        self._is_valid = _compiled(schema) or self._slow.is_valid

    def problems(self, data: Any, document: Document, covered: list[TreePath]) -> list[Problem]:
        """Returns everything that is wrong with the data, in the order of the file.

        Args:
            data: the whole document as plain data.
            document: where its values stand.
            covered: paths below which something worse was said already.
        """
        if self._is_valid(data):
            return []
        found: dict[Problem, None] = {}
        for error in self._slow.iter_errors(data):
            path: TreePath = tuple(error.absolute_path)
            if any(path[: len(above)] == above for above in covered):
                continue
            for problem in _explain(error, document):
                found[problem] = None
        if not found and not covered:
            # The two validators disagree, which their tests should have shown.
            found[Problem(document.name, 0, 0, "", "does not fit the schema", "schema")] = None
        ordered = sorted(found, key=lambda problem: (problem.line, problem.column))
        if len(ordered) > MAX_PROBLEMS:
            more = len(ordered) - MAX_PROBLEMS
            text = f"and {more} more problems in this file"
            ordered[MAX_PROBLEMS:] = [Problem(document.name, 0, 0, "", text, "schema")]
        return ordered


@cache
def schema_named(name: str) -> Schema:
    """Returns a schema of the package by file name, `entry.schema.json` for example."""
    return Schema(json.loads((SCHEMA_FOLDER / name).read_text(encoding="utf-8")))


def dotted(path: TreePath) -> str:
    """Returns a path as problems show it: `confirm.2.run`, indices from 0."""
    return ".".join(str(step) for step in path)


def _compiled(schema: dict[str, Any]) -> Callable[[Any], bool] | None:
    try:
        from jsonschema_rs import Draft202012Validator as Compiled
    except ImportError:  # no wheel for this platform: slower, same answers
        return None
    is_valid: Callable[[Any], bool] = Compiled(schema).is_valid
    return is_valid


def _explain(error: Error, document: Document) -> Iterator[Problem]:
    path: TreePath = tuple(error.absolute_path)

    def problem(message: str, at: TreePath = path, key: bool = False) -> Problem:
        line, column = document.position(at, key)
        return Problem(document.name, line, column, dotted(path), message, "schema")

    if error.validator in ("anyOf", "oneOf") and error.context:
        yield from _alternatives(error, document, problem)
    elif error.validator == "additionalProperties":
        allowed = error.schema.get("properties", {})
        missing = [key for key in allowed if key not in error.instance]
        for key in error.instance:
            if key not in allowed:
                guess = did_you_mean(key, missing) or did_you_mean(key, allowed)
                hint = guess or _allowed(missing or list(allowed))
                yield problem(f"unknown key {quote(key)}{hint}", (*path, key), True)
    elif error.validator == "required":
        yield from (problem(message) for message in _missing(error))
    else:
        at = path
        if error.validator == "uniqueItems":
            at = (*path, _second(error.instance))
        yield problem(_message(error, document, path), at)


def _alternatives(
    error: Error, document: Document, problem: Callable[[str], Problem]
) -> Iterator[Problem]:
    """Speaks about the alternative that was meant, not about all of them."""
    branches: dict[Any, list[Error]] = {}
    for cause in error.context:
        branches.setdefault(cause.relative_schema_path[0], []).append(cause)
    # An alternative of another type was not meant; of the rest the one that got deepest.
    meant = [
        causes
        for causes in branches.values()
        if not any(c.validator == "type" and not c.relative_path for c in causes)
    ]
    if meant:
        best = max(meant, key=lambda cs: (max(len(c.relative_path) for c in cs), -len(cs)))
        for cause in best:
            yield from _explain(cause, document)
        return
    types = [c.validator_value for causes in branches.values() for c in causes]
    wanted = " or ".join(dict.fromkeys(_TYPES.get(str(name), str(name)) for name in types))
    first = "string" if "string" in types else str(types[0])
    yield problem(_wrong_type(first, error.instance, document, tuple(error.absolute_path), wanted))


def _missing(error: Error) -> list[str]:
    """One message per missing key, without those that a misspelt key stands for."""
    instance: dict[str, Any] = error.instance
    known = error.schema.get("properties", {})
    strangers = [key for key in instance if key not in known] if known else []
    absent = [key for key in error.validator_value if key not in instance]
    taken = {nearest(key, [key_ for key_ in known if key_ not in instance]) for key in strangers}
    messages = [f"missing key {quote(key)}" for key in absent if key not in taken]
    if "else" in error.schema_path:
        return [f"{text}, or silent: true where nothing is printed" for text in messages]
    return messages


def _message(error: Error, document: Document, path: TreePath) -> str:
    value, limit, instance = error.validator_value, error.validator_value, error.instance
    match error.validator:
        case "type":
            wanted = _TYPES.get(str(value), str(value))
            return _wrong_type(str(value), instance, document, path, wanted)
        case "enum":
            if not isinstance(instance, str):
                return _wrong_type("string", instance, document, path, _either(value))
            return f"{quote(instance)} is not one of {', '.join(map(str, value))}" + (
                did_you_mean(instance, map(str, value))
            )
        case "const":
            return f"must be {value!r}"
        case "pattern":
            return _no_match(str(value), instance, error.schema)
        case "minLength" if not instance:
            return "is empty; write a text, or leave the key out"
        case "minLength":
            return f"is too short: {len(instance)} characters, at least {limit} are needed"
        case "maxLength":
            return f"is too long: {len(instance)} characters, at most {limit} are allowed"
        case "minItems" if "else" in error.schema_path:
            return "is empty; name a text that is printed, or say silent: true"
        case "minItems" if not instance:
            return "is empty; write an item, or leave the key out"
        case "minItems":
            return f"has {len(instance)} items, at least {limit} are needed"
        case "maxItems":
            return f"has {len(instance)} items, at most {limit} are allowed"
        case "uniqueItems":
            return f"{quote(instance[_second(instance)])} stands twice"
        case "minProperties":
            return "is empty; write one of its keys, or leave it out"
        case "minimum":
            return f"{instance} is too small, at least {limit}"
        case "maximum":
            return f"{instance} is too large, at most {limit}"
        case _:
            return f"does not fit the schema ({error.validator})"


def _wrong_type(
    wanted: str, instance: Any, document: Document, path: TreePath, described: str
) -> str:
    """Explains a type that is not the wanted one, above all where YAML made it so."""
    if instance is None:
        return f"has no value; write {described}, or leave the key out"
    raw = document.raw(path)
    if wanted == "string" and isinstance(instance, bool | int | float):
        shown = raw if raw is not None else str(instance)
        kind = "true or false" if isinstance(instance, bool) else "a number"
        return f'expected {described}; unquoted {shown} is {kind}, write "{shown}" in quotes'
    if wanted == "string" and document.style(path) in ("{", "["):
        opening = document.style(path)
        return (
            f"expected {described}, got {_described(instance)}; "
            f"put a text that begins with {opening} in quotes"
        )
    if wanted == "boolean" and isinstance(instance, str | int):
        word = str(instance).lower()
        if word in _SAID_YES:
            return f"expected {described}, got {quote(instance)}; write true, without quotes"
        if word in _SAID_NO:
            return f"expected {described}, got {quote(instance)}; write false, without quotes"
    if wanted in ("integer", "number") and isinstance(instance, str):
        number = resolve(instance.strip())
        if isinstance(number, int | float) and not isinstance(number, bool):
            return f"expected {described}, got text; write {number} without quotes"
    if wanted == "array" and isinstance(instance, str):
        return f"expected {described}, got text; write each item in a line that begins with '- '"
    return f"expected {described}, got {_described(instance)}"


def _no_match(pattern: str, instance: str, schema: Any) -> str:
    asked = PATTERNS.get(pattern)
    if asked is None:
        description = schema.get("description", "").rstrip(".")
        asked = f"does not fit: {description}" if description else f"must match {pattern}"
    slug = re.sub(r"[^a-z0-9]+", "-", instance.lower()).strip("-")
    hint = ""
    if "joined by hyphens" in asked and slug and slug != instance and len(slug) < 60:
        hint = f", for example {quote(slug)}"
    return f"{quote(instance)} {asked}{hint}"


def _described(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"text ({quote(value, 30)})"
    if isinstance(value, int | float):
        return f"the number {value}"
    return "a list" if isinstance(value, list) else "a mapping"


def _allowed(keys: list[str]) -> str:
    return f"; allowed here: {', '.join(keys)}" if len(keys) <= 8 else ""


def _either(words: list[Any]) -> str:
    return "one of " + ", ".join(map(str, words))


def _second(items: list[Any]) -> int:
    """Returns the index of the first item that stood before."""
    for index, item in enumerate(items):
        if item in items[:index]:
            return index
    return 0
