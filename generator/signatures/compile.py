"""Entries and packs to the one index that every matcher works from.

The index is plain data, described in `docs/index-format.md`; `diagnose` and the browser's
matcher read nothing else.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from generator.model import Encyclopedia, Entry, Signature, Taxonomy
from generator.signatures.condition import (
    AllOf,
    AnyOf,
    Comparison,
    Condition,
    Name,
    Number,
    Operand,
    Text,
    parse_condition,
)
from generator.signatures.fold import fold
from generator.signatures.knowledge import background_words, knowledge, window_costs
from generator.signatures.pack import Pack, PackItem, PackSignature
from generator.signatures.template import (
    ANCHOR_BYTES,
    Literal,
    Template,
    TemplateError,
    parse_template,
)
from generator.signatures.words import words_of

#: Raised when a field of the index changes its meaning or goes.
VERSION = 1

Index = dict[str, Any]

#: What the build alone needs, and signals, which are compiled.
_BUILD_ONLY = ("build", "signals")
IndexPart = str | list[str]


@dataclass(slots=True)
class _Item:
    """What one failure puts into the index."""

    id: str
    title: str
    summary: str
    category: str
    severity: str
    page: bool
    signatures: Sequence[Signature | PackSignature]
    leads_to: Sequence[str]
    aliases: Sequence[str] = ()
    words: Counter[str] = field(default_factory=Counter)
    texts: dict[str, Any] = field(default_factory=dict)


def compile_index(encyclopedia: Encyclopedia, packs: Sequence[Pack] = ()) -> Index:
    """Compile the index.

    Args:
        encyclopedia: the entries.
        packs: known issues without pages; an entry with the same id or alias wins, and
            of two packs the first.

    Returns:
        The index as plain data, the same for the same input.
    """
    items = _items(encyclopedia, packs)
    place = {item.id: at for at, item in enumerate(items)}
    aliases = {
        alias: entry.id for entry in encyclopedia.entries.values() for alias in entry.aliases
    }
    entries = [_entry(item, place, aliases) for item in items]
    _set_roles(entries, items)
    known = knowledge()
    terms = _postings(items)
    compiler = _Compiler()
    for at, item in enumerate(items):
        usual = entries[at].get("role") or known["build"]["default_roles"].get(
            item.category, "initiating"
        )
        for signature in item.signatures:
            with suppress(TemplateError):  # the checks report it; the rest is of use without it
                compiler.add(at, signature, usual)
    for signal in known["signals"]:
        compiler.add_signal(signal)
    return {
        "schema": VERSION,
        "entries": entries,
        "signatures": compiler.signatures,
        "withs": compiler.withs,
        "signals": compiler.signals,
        "terms": terms,
        "background": sorted(background_words() & terms.keys()),
        "texts": {item.id: item.texts for item in items if item.texts},
        "knowledge": {key: value for key, value in known.items() if key not in _BUILD_ONLY},
    }


def index_json(encyclopedia: Encyclopedia, packs: Sequence[Pack] = ()) -> str:
    """Return the index as JSON on one line, as it is published and shipped."""
    return dump_index(compile_index(encyclopedia, packs))


def dump_index(index: Index) -> str:
    """Return an index as JSON on one line."""
    return json.dumps(index, ensure_ascii=False, separators=(",", ":"))


# --- entries ---------------------------------------------------------------


def _items(encyclopedia: Encyclopedia, packs: Sequence[Pack]) -> list[_Item]:
    items: dict[str, _Item] = {}
    taken: set[str] = set()
    for entry in encyclopedia.entries.values():
        items[entry.id] = _from_entry(entry, encyclopedia.taxonomy)
        taken.update((entry.id, *entry.aliases))
    for pack in packs:
        for known in pack.items:
            if known.id not in taken:
                items[known.id] = _from_pack(known)
                taken.add(known.id)
    return [items[id_] for id_ in sorted(items)]


def _from_entry(entry: Entry, taxonomy: Taxonomy) -> _Item:
    step = entry.cheapest
    fix = entry.fix[0]
    item = _Item(
        id=entry.id,
        title=entry.title,
        summary=entry.summary,
        category=entry.category,
        severity=entry.severity,
        page=True,
        signatures=entry.signatures,
        leads_to=[relation.id for relation in entry.relations.leads_to],
        aliases=entry.aliases,
        texts={
            "summary": entry.summary,
            "confirm": {"step": step.step, "run": step.run},
            "fix": {"step": fix.step, "run": fix.run},
        },
    )
    weights = knowledge()["build"]["fields"]
    _count(item, weights["title"], (entry.title, entry.id, *entry.aliases))
    _count(item, weights["signature"], (_readable(one.match) for one in entry.signatures))
    _count(item, weights["summary"], (entry.summary,))
    _count(item, weights["symptom"], (one.sign for one in entry.symptoms))
    _count(item, weights["symptom"], (entry.observe.what,) if entry.observe else ())
    for tag in entry.tags:
        known = taxonomy.tags.get(tag)
        _count(item, weights["tag"], (tag, known.title, *known.synonyms) if known else (tag,))
    for use in entry.systems:
        system = taxonomy.systems.get(use.id)
        words = (use.id, system.title, *system.synonyms) if system else (use.id,)
        _count(item, weights["tag"], words)
    return item


def _from_pack(known: PackItem) -> _Item:
    item = _Item(
        id=known.id,
        title=known.title,
        summary=known.summary,
        category=known.category,
        severity=known.severity,
        page=False,
        signatures=known.signatures,
        leads_to=known.leads_to,
        texts={"summary": known.summary} if known.summary else {},
    )
    weights = knowledge()["build"]["fields"]
    _count(item, weights["title"], (known.title, known.id))
    _count(item, weights["signature"], (_readable(one.match) for one in known.signatures))
    _count(item, weights["summary"], (known.summary,))
    return item


def _entry(item: _Item, place: dict[str, int], aliases: dict[str, str]) -> dict[str, Any]:
    leads_to = {aliases.get(id_, id_) for id_ in item.leads_to}
    record: dict[str, Any] = {
        "id": item.id,
        "title": item.title,
        "category": item.category,
        "severity": item.severity,
        "leads_to": sorted(place[id_] for id_ in leads_to if id_ in place),
    }
    if item.aliases:
        record["aliases"] = list(item.aliases)
    if not item.page:
        record["page"] = False
    return record


def _set_roles(entries: list[dict[str, Any]], items: Sequence[_Item]) -> None:
    """Mark entries that are reports about other failures, by what leads to them.

    Signatures say their role themselves; a pack's often do not.
    """
    causes = Counter(target for entry in entries for target in entry["leads_to"])
    least = knowledge()["build"]["many_causes"]
    for at, (entry, item) in enumerate(zip(entries, items, strict=True)):
        roles = Counter(signature.role for signature in item.signatures if signature.role)
        roles.pop("context", None)
        says = roles["consequence"] * 2 > roles.total() if roles else causes[at] >= least
        if says:
            entry["role"] = "consequence"


# --- words -----------------------------------------------------------------

_PLACEHOLDER = re.compile(r"<[a-z.]{2,5}(?::[a-z0-9_]+)?>", re.ASCII)


def _readable(match: str) -> str:
    return _PLACEHOLDER.sub(" ", match).replace("\\<", "<")


def _count(item: _Item, weight: int, texts: Iterable[str]) -> None:
    """Add the words of a field; what a field says twice it does not say louder."""
    for word in dict.fromkeys(word for text in texts for word in words_of(text)):
        item.words[word] += weight


def _postings(items: Sequence[_Item]) -> dict[str, list[int]]:
    """Return each word's rarity and impacts: [rarity, step, impact, step, impact, ...].

    A step is the distance from the entry before, the first from 0: small numbers pack well.

    BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009),
    computed here once: matchers add integers.
    """
    bm25 = knowledge()["build"]["bm25"]
    k1, b, scale = bm25["k1"], bm25["b"], bm25["scale"]
    holders: dict[str, list[int]] = defaultdict(list)
    for at, item in enumerate(items):
        for word in item.words:
            holders[word].append(at)
    sizes = [sum(item.words.values()) for item in items]
    mean = sum(sizes) / len(sizes) if sizes else 1.0
    terms: dict[str, list[int]] = {}
    for word in sorted(holders):
        held = holders[word]
        rarity = math.log(1 + (len(items) - len(held) + 0.5) / (len(held) + 0.5))
        row = [round(scale * rarity)]
        last = 0
        for at in held:
            count = items[at].words[word]
            saturated = count * (k1 + 1) / (count + k1 * (1 - b + b * sizes[at] / mean))
            impact = round(bm25["impact_scale"] * rarity * saturated)
            if impact > 0:
                row += (at - last, impact)
                last = at
        terms[word] = row
    return terms


# --- signatures ------------------------------------------------------------


class _Compiler:
    def __init__(self) -> None:
        self.signatures: list[dict[str, Any]] = []
        self.withs: list[dict[str, Any]] = []
        self.signals: list[dict[str, Any]] = []
        self._with_places: dict[str, int] = {}

    def add(self, entry: int, signature: Signature | PackSignature, usual_role: str) -> None:
        template = parse_template(signature.match, whole_line=signature.whole_line)
        record = {"entry": entry, **_pattern(template, signature)}
        if signature.specific:
            record["specific"] = True
        record["role"] = signature.role or usual_role
        if signature.when:
            record["when"] = _tree(parse_condition(signature.when, template))
        if signature.with_:
            record["with"] = self._with(signature.with_)
        self.signatures.append(record)

    def add_signal(self, signal: dict[str, Any]) -> None:
        template = parse_template(signal["match"])
        record = {**_pattern(template, None), **{k: v for k, v in signal.items() if k != "match"}}
        self.signals.append(record)

    def _with(self, text: str) -> int:
        at = self._with_places.get(text)
        if at is None:
            at = self._with_places[text] = len(self.withs)
            self.withs.append(_pattern(parse_template(text), None))
        return at


def _pattern(template: Template, signature: Signature | PackSignature | None) -> dict[str, Any]:
    """Return `parts`, `anchor` and what else a matcher needs to find a template."""
    parts: list[IndexPart] = []
    for part in template.parts:
        if isinstance(part, Literal):
            parts.append(fold(part.text))
        elif part.name:
            parts.append([part.kind, part.name])
        else:
            parts.append([part.kind])
    whole_line = signature is not None and signature.whole_line
    ignore_case = signature is not None and signature.ignore_case
    if not whole_line:
        parts = _without_exception(parts)
    literals = [part for part in parts if isinstance(part, str)]
    record: dict[str, Any] = {
        "parts": parts,
        "size": sum(len(literal.encode()) for literal in literals),
        "anchor": _anchor(literals, ignore_case),
    }
    if ignore_case:
        record["ignore_case"] = True
    if whole_line:
        record["whole_line"] = True
    return record


def _without_exception(parts: list[IndexPart]) -> list[IndexPart]:
    """Drop the exception's name before a long message: pastes and wrappers often lack it."""
    known = knowledge()["build"]
    if not parts or not isinstance(parts[0], str):
        return parts
    rest = re.sub(known["exception"], "", parts[0], flags=re.ASCII)
    size = sum(len(part) for part in [rest, *parts[1:]] if isinstance(part, str))
    if rest == parts[0] or size < known["exception_rest"] or len(rest.encode()) < ANCHOR_BYTES:
        return parts
    return [rest, *parts[1:]]


def _anchor(literals: Sequence[str], ignore_case: bool) -> str:
    """Return the rarest window of the literals; the longest literal where all are shorter."""
    encoded = [(one.lower() if ignore_case else one).encode() for one in literals]
    windows = [
        literal[start : start + ANCHOR_BYTES]
        for literal in encoded
        for start in range(len(literal) - ANCHOR_BYTES + 1)
    ]
    if not windows:
        return max(encoded, key=len, default=b"").decode()
    costs = window_costs()

    def worth(window: bytes) -> tuple[int, int]:
        # Logs may hold two blanks, or a printer's quote, where a template has a plain one.
        unsure = sum(byte in b" '\"" for byte in window)
        return (-1 if not window.isascii() else 1, costs.cost(window) - 24 * unsure)

    return max(windows, key=worth).decode(errors="replace")


# --- conditions ------------------------------------------------------------


def _tree(condition: Condition) -> list[Any]:
    """Return a condition as nested lists: ["and", ...], ["or", ...], [operator, left, right].

    An operand is a number, {"text": ...} or {"name": ..., "kind": ...}.
    """
    if isinstance(condition, Comparison):
        return [condition.operator, _operand(condition.left), _operand(condition.right)]
    joined = "and" if isinstance(condition, AllOf) else "or"
    assert isinstance(condition, (AllOf, AnyOf))
    return [joined, *(_tree(inner) for inner in condition.conditions)]


def _operand(operand: Operand) -> int | float | dict[str, str]:
    if isinstance(operand, Number):
        return operand.value
    if isinstance(operand, Text):
        return {"text": operand.value}
    assert isinstance(operand, Name)
    return {"name": operand.name, "kind": operand.kind}
