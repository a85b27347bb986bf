"""Reads the encyclopedia: YAML files in, records and problems out.

Layout of the entries folder: `taxonomy.yml`, one folder per category, in it one
`<id>.yml` per entry and beside it what makes the failure happen (`<id>.repro.py` or `.sh`,
`<id>.repro.log`).
"""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.load.build import build_entry, build_signature, build_taxonomy
from generator.load.document import Document
from generator.load.schema import PATTERNS, SCHEMA_FOLDER, Schema, dotted, schema_named
from generator.load.source import MAX_BYTES, SourceError, decode, read_text
from generator.load.tree import MAX_VALUES, Fault, Tree, TreePath, parse, syntax_fault
from generator.load.words import did_you_mean, nearest, quote
from generator.model import (
    Encyclopedia,
    Entry,
    FaultbookError,
    Problem,
    Taxonomy,
)

__all__ = [
    "MAX_BYTES",
    "MAX_VALUES",
    "PATTERNS",
    "SCHEMA_FOLDER",
    "TAXONOMY",
    "Document",
    "Fault",
    "LoadError",
    "Loaded",
    "Schema",
    "SourceError",
    "Tree",
    "TreePath",
    "build_entry",
    "build_signature",
    "decode",
    "did_you_mean",
    "display_name",
    "dotted",
    "load_encyclopedia",
    "load_entry",
    "load_taxonomy",
    "nearest",
    "parse",
    "quote",
    "read_text",
    "schema_named",
    "syntax_fault",
]

#: Name of the file with the controlled words, in the entries folder.
TAXONOMY = "taxonomy.yml"

_BESIDE = re.compile(r"[a-z0-9-]+\.repro\.(py|sh|log)")
# What programs leave behind and no one means as an entry.
_LITTER = re.compile(r"\..*|.*~|__pycache__|Thumbs\.db|desktop\.ini")


class LoadError(FaultbookError):
    """The entries folder as a whole cannot be read."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """What an entries folder holds.

    Attributes:
        encyclopedia: the taxonomy and every entry that is valid by itself.
        problems: what loading found wrong, in the order of the files.
        documents: every YAML file by its path relative to the entries folder
            (`storage/x.yml`, `taxonomy.yml`), also those with problems.
    """

    encyclopedia: Encyclopedia
    problems: tuple[Problem, ...]
    documents: Mapping[str, Document]


def load_encyclopedia(root: Path) -> Loaded:
    """Reads all entries and the taxonomy of an entries folder.

    Args:
        root: the entries folder.

    Returns:
        The valid entries and all problems of all files. Never stops at a bad file.

    Raises:
        LoadError: `root` is no folder that can be listed.
    """
    root = Path(root)
    shown = display_name(root)
    entries: dict[str, Entry] = {}
    documents: dict[str, Document] = {}
    with _no_garbage_collection():
        taxonomy, problems, document = load_taxonomy(root)
        documents[TAXONOMY] = document
        for name, problem in _files(root, shown):
            if problem is not None:
                problems.append(problem)
                continue
            entry, found, document = _load(root / name, name, f"{shown}/{name}")
            documents[name] = document
            problems.extend(found)
            if entry is None:
                continue
            first = entries.setdefault(entry.id, entry)
            if first is not entry:
                line, column = document.position(("id",))
                message = f"{quote(entry.id)} is the id of {shown}/{first.path} too"
                problems.append(Problem(document.name, line, column, "id", message, "duplicate-id"))
    ordered = {id_: entries[id_] for id_ in sorted(entries)}
    return Loaded(Encyclopedia(root, taxonomy, ordered), tuple(problems), documents)


def load_entry(path: Path, root: Path) -> tuple[Entry | None, tuple[Problem, ...], Document]:
    """Reads one entry.

    Args:
        path: the entry's file, below `root`.
        root: the entries folder.

    Returns:
        The entry (None where it is not valid), its problems, and its document.
    """
    path, root = Path(path), Path(root)
    try:
        name = path.relative_to(root).as_posix()
    except ValueError:
        name = path.name
    entry, problems, document = _load(path, name, display_name(path))
    return entry, tuple(problems), document


def load_taxonomy(root: Path) -> tuple[Taxonomy, list[Problem], Document]:
    """Reads the taxonomy of an entries folder; what is usable of it where it has problems."""
    path = Path(root) / TAXONOMY
    document = Document(display_name(path), path)
    if not os.path.lexists(path):
        message = "does not exist; it lists the categories, systems, phases and tags"
        problem = Problem(document.name, 0, 0, "", message, "taxonomy")
        return build_taxonomy(None), [problem], document
    data, problems = _checked(document, "taxonomy.schema.json", 10 * MAX_VALUES)
    problems.extend(_duplicates(data, document))
    return build_taxonomy(data), problems, document


def display_name(path: Path) -> str:
    """Returns a path as a user would name it: relative to the current folder when below it."""
    # Not resolve(): a name with a link in it is the name that the user knows.
    absolute = Path(os.path.abspath(path))  # noqa: PTH100
    here = Path.cwd()
    return (absolute.relative_to(here) if absolute.is_relative_to(here) else path).as_posix()


def _load(path: Path, name: str, shown: str) -> tuple[Entry | None, list[Problem], Document]:
    document = Document(shown, path)
    data, problems = _checked(document, "entry.schema.json", MAX_VALUES)
    entry = build_entry(data, name) if not problems else None
    return entry, problems, document


def _checked(document: Document, schema: str, max_values: int) -> tuple[Any, list[Problem]]:
    """Returns a file's data and its problems; no data where it cannot be trusted."""
    try:
        text = read_text(document.path)
    except SourceError as error:
        return None, [error.problem(document.name)]
    tree = parse(text, max_values=max_values)
    problems = [
        Problem(document.name, fault.line, fault.column, dotted(fault.path), fault.message, "yaml")
        for fault in tree.faults
    ]
    if not tree.whole:
        return None, problems
    if not isinstance(tree.data, dict):
        problems.append(_not_a_mapping(tree.data, document.name))
        return None, problems
    # With the text at hand a place costs no second reading, and fits what was judged.
    checker = schema_named(schema)
    covered = [fault.path for fault in tree.faults if fault.covers]
    precise = Document(document.name, document.path, text)
    problems.extend(checker.problems(tree.data, precise, covered))
    if len(problems) > len(tree.faults):
        document.keep(text)
    problems.sort(key=lambda problem: (problem.line or 10**9, problem.column))
    return tree.data, problems


def _not_a_mapping(data: Any, name: str) -> Problem:
    if data is None:
        return Problem(name, 0, 0, "", "is empty; an entry begins with 'id: ...'", "yaml")
    kind = "a list" if isinstance(data, list) else "a single text"
    message = f"is {kind}; a file holds 'key: value' lines at the top level"
    return Problem(name, 1, 1, "", message, "yaml")


def _duplicates(data: Any, document: Document) -> Iterator[Problem]:
    if not isinstance(data, dict):
        return
    for kind in ("categories", "systems", "phases", "tags"):
        items = data.get(kind)
        seen: set[str] = set()
        for index, item in enumerate(items if isinstance(items, list) else ()):
            id_ = item.get("id") if isinstance(item, dict) else None
            if not isinstance(id_, str):
                continue
            if id_ in seen:
                path = (kind, index, "id")
                line, column = document.position(path)
                message = f"{quote(id_)} stands twice among the {kind}"
                yield Problem(document.name, line, column, dotted(path), message, "taxonomy")
            seen.add(id_)


def _files(root: Path, shown: str) -> Iterator[tuple[str, Problem | None]]:
    """Yields entry files by path relative to `root`, in order, and strays as problems."""
    try:
        names = sorted(path.name for path in root.iterdir())
    except OSError as error:
        raise LoadError(
            f"{shown}: cannot be read as a folder of entries: {error.strerror or error}"
        ) from None
    for name in names:
        path = root / name
        if name == TAXONOMY or _LITTER.fullmatch(name):
            continue
        if path.is_symlink() or not path.is_dir():
            way_out = "an entry stands in the folder of its category: <category>/<id>.yml"
            yield name, _stray(f"{shown}/{name}", way_out)
            continue
        try:
            files = sorted(found.name for found in path.iterdir())
        except OSError as error:
            message = f"cannot be read: {error.strerror or error}"
            yield name, Problem(f"{shown}/{name}", 0, 0, "", message, "layout")
            continue
        for file in files:
            if _LITTER.fullmatch(file):
                continue
            inner = f"{name}/{file}"
            if file.endswith(".yml"):
                yield inner, None
            elif not _BESIDE.fullmatch(file):
                yield inner, _stray(f"{shown}/{inner}", _way_out(file, path / file))


def _way_out(file: str, path: Path) -> str:
    stem, dot, ending = file.rpartition(".")
    if dot and ending.lower() in ("yaml", "yml"):
        return f"rename it to {stem}.yml"
    if path.is_dir():
        return "folders below a category are not read"
    return "beside entries (<id>.yml) stand only <id>.repro.py, .repro.sh and .repro.log"


def _stray(name: str, way_out: str) -> Problem:
    return Problem(name, 0, 0, "", f"is not an entry; {way_out}", "layout")


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    # Loading makes millions of objects that all stay; collecting in between costs a third.
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
