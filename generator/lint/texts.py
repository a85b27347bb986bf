"""Rules about what programs print and read: templates, conditions, samples, code."""

from __future__ import annotations

import ast
import json
import re
import tomllib
import warnings
from collections.abc import Iterator

from generator.lint.rule import EntryContext, EntryRule, Finding
from generator.load import TreePath, quote, syntax_fault
from generator.model import Signature
from generator.signatures import TemplateError, check_template, parse_condition, parse_template

_TOML_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")


def _templates_parse(context: EntryContext) -> Iterator[Finding]:
    for index, signature in enumerate(context.entry.signatures):
        _, errors = check_template(signature.match, whole_line=signature.whole_line)
        for error in errors:
            yield Finding(("signatures", index, "match"), error.message, error.offset)
        if signature.with_:
            _, errors = check_template(signature.with_)
            for error in errors:
                yield Finding(("signatures", index, "with"), error.message, error.offset)


def _conditions_parse(context: EntryContext) -> Iterator[Finding]:
    for index, signature in enumerate(context.entry.signatures):
        if not signature.when:
            continue
        template, errors = check_template(signature.match, whole_line=signature.whole_line)
        if errors:
            continue  # its names are not to be relied on, and it was reported
        try:
            parse_condition(signature.when, template)
        except TemplateError as error:
            yield Finding(("signatures", index, "when"), error.message, error.offset)


def _samples_match(context: EntryContext) -> Iterator[Finding]:
    signatures = [found for found in map(_literals, context.entry.signatures) if found is not None]
    if len(signatures) < len(context.entry.signatures) or not signatures:
        return  # a template is wrong and was reported; then a sample is not to blame
    for index, sample in enumerate(context.entry.samples):
        lines = sample.log.split("\n")
        nearest = max(
            (_reach(literals, lines, fold) for literals, fold in signatures),
            key=lambda reach: (reach.missing == "", reach.found),
        )
        if nearest.missing:
            yield Finding(
                ("samples", index, "log"),
                "no signature stands in a line of this sample; the nearest lacks "
                f"{quote(nearest.missing)}",
            )


class _Reach:
    """How far a signature's literals stand in one line, in their order."""

    __slots__ = ("found", "missing")

    def __init__(self, found: int, missing: str) -> None:
        self.found = found
        self.missing = missing


def _literals(signature: Signature) -> tuple[tuple[str, ...], bool] | None:
    try:
        template = parse_template(signature.match, whole_line=signature.whole_line)
    except TemplateError:
        return None
    return template.literals, signature.ignore_case


def _reach(literals: tuple[str, ...], lines: list[str], fold: bool) -> _Reach:
    best = _Reach(-1, literals[0])
    for line in lines:
        text = line.lower() if fold else line
        at = found = 0
        missing = ""
        for literal in literals:
            wanted = literal.lower() if fold else literal
            start = text.find(wanted, at)
            if start < 0:
                missing = literal
                break
            at = start + len(wanted)
            found += len(wanted)
        if not missing:
            return _Reach(sum(map(len, literals)), "")
        if found > best.found:
            best = _Reach(found, missing)
    return best


def _code_parses(context: EntryContext) -> Iterator[Finding]:
    for index, example in enumerate(context.entry.code):
        path: TreePath = ("code", index, "code")
        fault = _code_fault(example.language, example.code)
        if fault is not None:
            message, offset = fault
            yield Finding(path, f"is not {_LANGUAGES[example.language]}: {message}", offset)


_LANGUAGES = {"python": "Python", "yaml": "YAML", "json": "JSON", "toml": "TOML"}


def _code_fault(language: str, code: str) -> tuple[str, int | None] | None:
    """Returns what is wrong with code and at which character; nothing is run."""
    try:
        match language:
            case "python":
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # a doubtful escape still parses
                    ast.parse(code)
            case "json":
                json.loads(code)
            case "toml":
                tomllib.loads(code)
            case "yaml" if (fault := syntax_fault(code)) is not None:
                return fault.message, _offset(code, fault.line, fault.column)
    except SyntaxError as error:
        return error.msg, _offset(code, error.lineno or 0, error.offset or 1)
    except json.JSONDecodeError as error:
        return error.msg, error.pos
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = _TOML_PLACE.search(message)
        at = _offset(code, int(place[1]), int(place[2])) if place and place[1] else None
        return _TOML_PLACE.sub("", message), at
    except (RecursionError, MemoryError):
        return "it is nested too deeply", None
    except ValueError as error:
        return str(error), None
    return None


def _offset(text: str, line: int, column: int) -> int | None:
    """Returns the 0-based offset of a 1-based line and column, None where it has none."""
    lines = text.split("\n")
    if not 1 <= line <= len(lines):
        return None
    before = sum(len(passed) + 1 for passed in lines[: line - 1])
    return min(before + max(column - 1, 0), before + len(lines[line - 1]))


ENTRY_RULES = (
    EntryRule("template", "Signatures are well-formed templates.", _templates_parse),
    EntryRule("condition", "A 'when' compares what its template captures.", _conditions_parse),
    EntryRule("sample-matches", "Each sample holds one of the signatures.", _samples_match),
    EntryRule("code-parses", "Python, YAML, JSON and TOML examples parse.", _code_parses),
)
