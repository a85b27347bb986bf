"""Rules over entries: what is wrong, where, and the way out.

A rule is data (`rule.EntryRule`, `rule.AllRule`); adding one is writing a check and naming
it in a module's `ENTRY_RULES` or `ALL_RULES`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import PurePosixPath
from typing import TypeVar

from generator.lint import identity, relations, texts
from generator.lint.matching import MATCHING_RULES, WARNINGS, matching_findings
from generator.lint.rule import AllContext, AllRule, EntryContext, EntryRule, Finding, Rule
from generator.load import TAXONOMY, Document, Loaded, dotted
from generator.model import Entry, Problem, Taxonomy

_Context = TypeVar("_Context")

__all__ = [
    "ALL_RULES",
    "ENTRY_RULES",
    "LOADING_RULES",
    "MATCHING_RULES",
    "WARNINGS",
    "AllContext",
    "AllRule",
    "EntryContext",
    "EntryRule",
    "Finding",
    "Rule",
    "check_across",
    "check_all",
    "check_entry",
    "check_matching",
]

ENTRY_RULES: tuple[EntryRule, ...] = (
    identity.ENTRY_RULES + relations.ENTRY_RULES + texts.ENTRY_RULES
)
ALL_RULES: tuple[AllRule, ...] = identity.ALL_RULES + relations.ALL_RULES

#: What loading itself reports, by rule name.
LOADING_RULES = {
    "yaml": "A file is one clean YAML mapping in UTF-8.",
    "schema": "An entry fits the schema.",
    "taxonomy": "taxonomy.yml exists and has each word once.",
    "layout": "The entries folder holds entries, and files where they belong.",
    "duplicate-id": "An id belongs to one entry.",
    "internal": "Every check runs to its end; anything else is a defect of faultbook.",
}


def check_entry(
    entry: Entry,
    document: Document,
    taxonomy: Taxonomy,
    rules: Iterable[EntryRule] = ENTRY_RULES,
) -> tuple[Problem, ...]:
    """Checks what one entry and the taxonomy decide.

    Args:
        entry: the entry, valid by the schema.
        document: its file.
        taxonomy: the controlled words.
        rules: the rules to apply.

    Returns:
        The problems in the order of the file. A rule that fails is a problem itself.
    """
    context = EntryContext(entry, document, taxonomy)
    problems: list[Problem] = []
    for rule in rules:
        problems.extend(
            _problem(finding, document, name)
            for finding, name in _findings(rule, rule.check, context)
        )
    return tuple(sorted(problems, key=_order))


def check_across(loaded: Loaded, rules: Iterable[AllRule] = ALL_RULES) -> tuple[Problem, ...]:
    """Checks what only all entries together decide: aliases and relations.

    Args:
        loaded: what the entries folder holds.
        rules: the rules to apply.

    Returns:
        The problems in the order of the files.
    """
    files = [path for path in loaded.documents if path != TAXONOMY]
    # An entry that cannot be read now still exists: who names it is not to blame.
    ids = {PurePosixPath(path).stem for path in files} | set(loaded.encyclopedia.entries)
    names = {path: loaded.documents[path].name for path in files}
    context = AllContext(loaded.encyclopedia, frozenset(ids), names)
    taxonomy = loaded.documents[TAXONOMY]
    problems: list[Problem] = []
    for rule in rules:
        for finding, name in _findings(rule, rule.check, context):
            document = loaded.documents[finding.entry.path] if finding.entry else taxonomy
            problems.append(_problem(finding, document, name))
    return tuple(sorted(problems, key=_order))


def check_all(loaded: Loaded) -> tuple[Problem, ...]:
    """Returns every problem of an entries folder, in the order of files and lines.

    Args:
        loaded: what the folder holds; its own problems are among those returned.
    """
    problems = list(loaded.problems)
    for entry in loaded.encyclopedia.entries.values():
        document = loaded.documents[entry.path]
        problems.extend(check_entry(entry, document, loaded.encyclopedia.taxonomy))
    problems.extend(check_across(loaded))
    return tuple(sorted(problems, key=_order))


def check_matching(loaded: Loaded) -> tuple[Problem, ...]:
    """Reads every sample with the matcher.

    Args:
        loaded: what the folder holds.

    Returns:
        The problems in the order of the files; those whose rule is in `WARNINGS` do no harm.
    """
    names = {path: document.name for path, document in loaded.documents.items()}
    problems = [
        _problem(finding, loaded.documents[finding.entry.path], rule)
        for rule, finding in matching_findings(loaded.encyclopedia, names)
        if finding.entry
    ]
    return tuple(sorted(problems, key=_order))


def _findings(
    rule: Rule, check: Callable[[_Context], Iterable[Finding]], context: _Context
) -> list[tuple[Finding, str]]:
    """Runs one check; returns its findings, each with the rule's name."""
    found: list[tuple[Finding, str]] = []
    try:
        for finding in check(context):
            found.append((finding, rule.name))  # one by one: an error keeps those before
    except Exception as error:
        entry = context.entry if isinstance(context, EntryContext) else None
        message = (
            f"the check {rule.name!r} failed with {type(error).__name__}: {error}; "
            "this is a defect of faultbook, please report it with the file"
        )
        found.append((Finding((), " ".join(message.split()), entry=entry), "internal"))
    return found


def _problem(finding: Finding, document: Document, rule: str) -> Problem:
    line, column = document.position(finding.path, offset=finding.offset)
    return Problem(document.name, line, column, dotted(finding.path), finding.message, rule)


def _order(problem: Problem) -> tuple[str, int, int]:
    return problem.path, problem.line, problem.column
