"""Signature packs: known issues without a page of their own.

A pack is a YAML list of `id, title, summary, category, signatures, leads_to`; a signature
needs `match` and `specific` only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from generator.load.schema import dotted
from generator.load.source import SourceError, read_text
from generator.load.tree import TreePath, parse
from generator.load.words import did_you_mean, quote
from generator.model import FaultbookError, Problem, SignatureRole
from generator.signatures.condition import parse_condition
from generator.signatures.template import TemplateError, parse_template

#: Largest pack that is read, in bytes, and the values in it.
MAX_PACK_BYTES = 32 * 1024 * 1024
_MAX_VALUES = 2_000_000
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*", re.ASCII)
_ROLES: tuple[SignatureRole, ...] = ("host-cause", "initiating", "consequence", "context")
_KEYS = {"id", "title", "summary", "category", "severity", "signatures", "leads_to"}
_SIGNATURE_KEYS = {
    "match",
    "specific",
    "ignore_case",
    "whole_line",
    "when",
    "with",
    "role",
    "printed_by",
    "evidence",
    "note",
}


class PackError(FaultbookError):
    """A pack cannot be used; the text names every problem with its line."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        super().__init__("\n".join(map(str, problems)))


@dataclass(frozen=True, slots=True)
class PackSignature:
    match: str
    specific: bool
    ignore_case: bool = False
    whole_line: bool = False
    when: str = ""
    with_: str = ""
    role: SignatureRole | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class PackItem:
    """One known issue of a pack."""

    id: str
    title: str
    summary: str
    category: str
    severity: str
    signatures: tuple[PackSignature, ...]
    leads_to: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Pack:
    """A pack as its file states it; `problems` are signatures that were left out."""

    name: str
    items: tuple[PackItem, ...]
    problems: tuple[Problem, ...] = ()


def load_pack(path: Path) -> Pack:
    """Read a signature pack.

    Args:
        path: the YAML file.

    Raises:
        PackError: everything that is wrong with it, with lines.
    """
    name = path.as_posix()
    try:
        text = read_text(path, MAX_PACK_BYTES)
    except SourceError as error:
        raise PackError((error.problem(name, "pack"),)) from None
    tree = parse(text, max_values=_MAX_VALUES)
    problems = [
        Problem(name, fault.line, fault.column, "", fault.message, "yaml") for fault in tree.faults
    ]
    if problems:
        raise PackError(tuple(problems))
    faults = tuple(_faults(tree.data))
    bad = tuple(_bad_templates(tree.data)) if not faults else ()
    if faults or bad:
        places = parse(text, max_values=_MAX_VALUES, with_places=True).places
        for where, message in faults or bad:
            # A field that is missing is told at what should hold it.
            held = (where[:length] for length in range(len(where), -1, -1))
            place = next((places[one] for one in held if one in places), None)
            line, column = (place.line, place.column) if place else (0, 0)
            problems.append(Problem(name, line, column, dotted(where), message, "pack"))
    if faults:
        raise PackError(tuple(problems))
    left_out = {where[:3] for where, _ in bad}
    items = tuple(_item(at, item, left_out) for at, item in enumerate(tree.data))
    return Pack(name, items, tuple(problems))


def _faults(data: Any) -> Iterator[tuple[TreePath, str]]:
    if not isinstance(data, list):
        yield (), "a pack is a list: '- id: ...' with title, category and signatures"
        return
    seen: set[str] = set()
    for at, item in enumerate(data):
        if not isinstance(item, dict):
            yield (at,), "expected 'id: ...' with title, category and signatures"
            continue
        yield from _item_faults((at,), item)
        id_ = item.get("id")
        if isinstance(id_, str) and id_ in seen:
            yield (at, "id"), f"{quote(id_)} stands twice in this pack"
        seen.add(str(id_))


def _item_faults(at: TreePath, item: dict[str, Any]) -> Iterator[tuple[TreePath, str]]:
    for key in item.keys() - _KEYS:
        yield (*at, key), f"unknown field{did_you_mean(key, _KEYS)}"
    id_ = item.get("id")
    if not isinstance(id_, str) or not _ID.fullmatch(id_):
        yield (*at, "id"), "needs an id of small letters, digits and '-'"
    if not isinstance(item.get("title"), str):
        yield (*at, "title"), "needs a title"
    for key in ("summary", "category", "severity"):
        if not isinstance(item.get(key, ""), str):
            yield (*at, key), "expected a text"
    leads_to = item.get("leads_to", [])
    if not isinstance(leads_to, list) or not all(isinstance(id_, str) for id_ in leads_to):
        yield (*at, "leads_to"), "expected a list of ids"
    signatures = item.get("signatures")
    if not isinstance(signatures, list):
        yield (*at, "signatures"), "needs a list of signatures"
        return
    for index, signature in enumerate(signatures):
        place = (*at, "signatures", index)
        if not isinstance(signature, dict):
            yield place, "expected 'match: ...' with specific"
        else:
            yield from _signature_faults(place, signature)


def _signature_faults(at: TreePath, data: dict[str, Any]) -> Iterator[tuple[TreePath, str]]:
    for key in data.keys() - _SIGNATURE_KEYS:
        yield (*at, key), f"unknown field{did_you_mean(key, _SIGNATURE_KEYS)}"
    for key in ("specific", "ignore_case", "whole_line"):
        if not isinstance(data.get(key, None if key == "specific" else False), bool):
            yield (*at, key), "expected true or false"
    for key in ("when", "with", "note"):
        if not isinstance(data.get(key, ""), str):
            yield (*at, key), "expected a text"
    if data.get("role") not in (None, *_ROLES):
        yield (*at, "role"), f"expected one of {', '.join(_ROLES)}"
    if not isinstance(data.get("match"), str):
        yield (*at, "match"), "needs the printed text"


def _bad_templates(data: list[dict[str, Any]]) -> Iterator[tuple[TreePath, str]]:
    """Yield signatures that cannot be used; a pack is often converted by rule, so they go alone."""
    for at, item in enumerate(data):
        for index, signature in enumerate(item["signatures"]):
            key = "match"
            try:
                template = parse_template(
                    signature[key], whole_line=signature.get("whole_line", False)
                )
                key = "when"
                if signature.get(key):
                    parse_condition(signature[key], template)
                key = "with"
                if signature.get(key):
                    parse_template(signature[key])
            except TemplateError as error:
                yield (at, "signatures", index, key), f"{error.message}; it is left out"


def _item(at: int, data: dict[str, Any], left_out: set[TreePath]) -> PackItem:
    return PackItem(
        id=data["id"],
        title=data["title"].strip(),
        summary=data.get("summary", "").strip(),
        category=data.get("category", ""),
        severity=data.get("severity", ""),
        signatures=tuple(
            PackSignature(
                match=item["match"],
                specific=item["specific"],
                ignore_case=item.get("ignore_case", False),
                whole_line=item.get("whole_line", False),
                when=item.get("when", ""),
                with_=item.get("with", ""),
                role=item.get("role"),
                note=item.get("note", ""),
            )
            for index, item in enumerate(data["signatures"])
            if (at, "signatures", index) not in left_out
        ),
        leads_to=tuple(data.get("leads_to", ())),
    )
