"""Entries and packs to the one index that every matcher works from.

The index is plain data, described in `docs/index-format.md`; `diagnose` and the browser's
matcher read nothing else.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
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
from generator.signatures.expand import (
    RARITY_SCALE,
    VERSION,
    Index,
    pack_steps,
    printed_words,
    title_words,
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

#: What the build alone needs, and signals, which are compiled.
_BUILD_ONLY = ("build", "signals")
IndexPart = str | list[str]


@dataclass(slots=True)
class _Item:
    """What one failure puts into the index; `words` are those beside title and signatures."""

    id: str
    title: str
    summary: str
    category: str
    severity: str
    page: bool
    signatures: Sequence[Signature | PackSignature]
    leads_to: Sequence[str]
    aliases: Sequence[str] = ()
    words: set[str] = field(default_factory=set)
    texts: dict[str, Any] = field(default_factory=dict)


def compile_index(encyclopedia: Encyclopedia, packs: Sequence[Pack] = ()) -> Index:
    """Compile the index.

    Args:
        encyclopedia: the entries.
        packs: known issues without pages; an entry with the same id or alias wins, and
            of two packs the first.

    Returns:
        The index as plain data with `texts`, the same for the same input.
    """
    items = _items(encyclopedia, packs)
    place = {item.id: at for at, item in enumerate(items)}
    aliases = {
        alias: entry.id for entry in encyclopedia.entries.values() for alias in entry.aliases
    }
    entries = [_entry(item, place, aliases) for item in items]
    _set_roles(entries, items)
    known = knowledge()
    compiler = _Compiler()
    for entry, item in zip(entries, items, strict=True):
        usual = known["build"]["default_roles"].get(item.category, "initiating")
        if "role" not in entry and usual != "initiating":
            entry["usual"] = usual
        entry["signatures"] = []
        for signature in item.signatures:
            with suppress(TemplateError):  # the checks report it; the rest is of use without it
                entry["signatures"].append(compiler.record(signature))
    return {
        "schema": VERSION,
        "entries": entries,
        "withs": compiler.withs,
        "signals": [_signal(signal) for signal in known["signals"]],
        **_words(entries, items),
        "knowledge": {key: value for key, value in known.items() if key not in _BUILD_ONLY},
        "texts": {item.id: item.texts for item in items if item.texts},
    }


def core_index(index: Index) -> Index:
    """Return an index without its texts: all that finding a failure needs."""
    return {key: value for key, value in index.items() if key != "texts"}


def index_texts(index: Index) -> dict[str, Any]:
    """Return what is shown of failures, as it is published beside the core of an index."""
    return {"schema": index["schema"], "texts": index.get("texts", {})}


def dump_index(index: Mapping[str, Any]) -> str:
    """Return an index, or a part of it, as JSON on one line."""
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
    texts = [entry.summary, *(one.sign for one in entry.symptoms)]
    texts += [_readable(one.match) for one in entry.signatures]
    if entry.observe:
        texts.append(entry.observe.what)
    for tag in entry.tags:
        known = taxonomy.tags.get(tag)
        texts += (tag, known.title, *known.synonyms) if known else (tag,)
    for use in entry.systems:
        system = taxonomy.systems.get(use.id)
        texts += (use.id, system.title, *system.synonyms) if system else (use.id,)
    item.words.update(word for text in texts for word in words_of(text))
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
    texts = (known.summary, *(_readable(one.match) for one in known.signatures))
    item.words.update(word for text in texts for word in words_of(text))
    return item


def _entry(item: _Item, place: dict[str, int], aliases: dict[str, str]) -> dict[str, Any]:
    leads_to = {aliases.get(id_, id_) for id_ in item.leads_to}
    record: dict[str, Any] = {
        "id": item.id,
        "title": item.title,
        "category": item.category,
        "severity": item.severity,
    }
    if places := sorted(place[id_] for id_ in leads_to if id_ in place):
        record["leads_to"] = places
    if item.aliases:
        record["aliases"] = list(item.aliases)
    if not item.page:
        record["page"] = False
    return record


def _set_roles(entries: list[dict[str, Any]], items: Sequence[_Item]) -> None:
    """Mark entries that are reports about other failures, by what leads to them.

    Signatures say their role themselves; a pack's often do not.
    """
    causes = Counter(target for entry in entries for target in entry.get("leads_to", ()))
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


def _words(entries: Sequence[dict[str, Any]], items: Sequence[_Item]) -> dict[str, Any]:
    """Return the words that titles and signatures lack, and what weighs all of them.

    Okapi BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009).
    Its logarithm is taken here, once: matchers work with whole numbers.
    """
    build = knowledge()["build"]
    seen: dict[str, list[int]] = {}  # by word, in the order in which a reader meets them
    holders: Counter[str] = Counter()
    more: dict[str, list[int]] = defaultdict(list)
    for at, (entry, item) in enumerate(zip(entries, items, strict=True)):
        shown = set()
        for word in (*title_words(entry), *printed_words(entry)):
            seen.setdefault(word, [])
            shown.add(word)
        for word in item.words - shown:
            more[word].append(at)
        holders.update(shown | item.words)
    new = sorted(more.keys() - seen.keys())
    words = [*seen, *new]
    background = background_words()
    count = len(items)
    rarities = {
        held: round(RARITY_SCALE * math.log(1 + (count - held + 0.5) / (held + 0.5)))
        for held in sorted(set(holders.values()))
    }
    return {
        "words": " ".join(new),
        "more": " ".join(pack_steps(more.get(word, ())) for word in words),
        "background": pack_steps(at for at, word in enumerate(words) if word in background),
        "bm25": {
            "k1": round(10 * build["bm25"]["k1"]),
            "b": round(10 * build["bm25"]["b"]),
            "impact": build["bm25"]["impact_scale"],
            "rarity": build["bm25"]["scale"],
            "title": build["fields"]["title"],
            "signature": build["fields"]["signature"],
            "more": build["fields"]["summary"],
            "rarities": [number for pair in rarities.items() for number in pair],
        },
    }


# --- signatures ------------------------------------------------------------


class _Compiler:
    def __init__(self) -> None:
        self.withs: list[dict[str, Any]] = []
        self._with_places: dict[str, int] = {}

    def record(self, signature: Signature | PackSignature) -> list[Any]:
        """Return a signature as `[anchor's place, kind, part, ...]`."""
        template = parse_template(signature.match, whole_line=signature.whole_line)
        pattern = compile_pattern(template, signature)
        more: dict[str, Any] = {
            key: True for key in ("ignore_case", "whole_line") if getattr(signature, key)
        }
        if signature.role:
            more["role"] = signature.role
        if signature.when:
            more["when"] = condition_tree(parse_condition(signature.when, template))
            if signature.note:
                more["note"] = _first_sentence(signature.note)
        if signature.with_:
            more["with"] = self._with(signature.with_)
        if more and signature.specific:
            more["specific"] = True
        kind = more or int(signature.specific)
        return [pattern["anchor"], kind, *pattern["parts"]]

    def _with(self, text: str) -> int:
        at = self._with_places.get(text)
        if at is None:
            at = self._with_places[text] = len(self.withs)
            self.withs.append(compile_pattern(parse_template(text)))
        return at


def _first_sentence(text: str) -> str:
    plain = " ".join(text.split())
    return plain.partition(". ")[0].removesuffix(".")


def _signal(signal: Mapping[str, Any]) -> dict[str, Any]:
    record = compile_pattern(parse_template(signal["match"]))
    return {**record, **{key: value for key, value in signal.items() if key != "match"}}


def compile_pattern(
    template: Template, signature: Signature | PackSignature | None = None
) -> dict[str, Any]:
    """Compile what finds a template.

    Args:
        template: the text as printed.
        signature: whose template it is, where it is one.

    Returns:
        `parts`, and as `anchor` its place in the bytes of all literals.
    """
    parts: list[IndexPart] = []
    for part in template.parts:
        if isinstance(part, Literal):
            parts.append(fold(part.text))
        elif part.name:
            parts.append([part.kind, part.name])
        else:
            parts.append([part.kind])
    if signature is None or not signature.whole_line:
        parts = _without_exception(parts)
    literals = [part for part in parts if isinstance(part, str)]
    ignore_case = signature is not None and signature.ignore_case
    return {"parts": parts, "anchor": _anchor_place(literals, ignore_case)}


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


def _anchor_place(literals: Sequence[str], ignore_case: bool) -> int:
    """Return where the rarest window of any literal begins; of the longest if all are short."""
    encoded = [one.encode() for one in literals]
    if ignore_case:
        encoded = [one.lower() for one in encoded]  # ASCII letters only
    starts = [sum(map(len, encoded[:at])) for at in range(len(encoded))]
    windows = {
        before + start: literal[start : start + ANCHOR_BYTES]
        for before, literal in zip(starts, encoded, strict=True)
        for start in range(len(literal) - ANCHOR_BYTES + 1)
        if literal[start] & 0xC0 != 0x80  # a whole character begins here
    }
    if not windows:
        return max(starts, key=lambda start: len(encoded[starts.index(start)]), default=0)
    costs = window_costs()

    def worth(place: int) -> tuple[int, int]:
        # Logs may hold two blanks, or a printer's quote, where a template has a plain one.
        unsure = sum(byte in b" '\"" for byte in windows[place])
        return (
            1 if windows[place].isascii() else -1,
            costs.cost(windows[place]) - 24 * unsure,
        )

    return max(windows, key=worth)


# --- conditions ------------------------------------------------------------


def condition_tree(condition: Condition) -> list[Any]:
    """Return a condition as nested lists: ["and", ...], ["or", ...], [operator, left, right].

    An operand is a number, {"text": ...} or {"name": ..., "kind": ...}.
    """
    if isinstance(condition, Comparison):
        return [condition.operator, _operand(condition.left), _operand(condition.right)]
    joined = "and" if isinstance(condition, AllOf) else "or"
    assert isinstance(condition, (AllOf, AnyOf))
    return [joined, *(condition_tree(inner) for inner in condition.conditions)]


def _operand(operand: Operand) -> int | float | dict[str, str]:
    if isinstance(operand, Number):
        return operand.value
    if isinstance(operand, Text):
        return {"text": operand.value}
    assert isinstance(operand, Name)
    return {"name": operand.name, "kind": operand.kind}
