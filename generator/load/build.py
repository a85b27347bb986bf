"""Plain data that fits the schema to the records of `model`."""

from __future__ import annotations

from typing import Any

from generator.model import (
    Category,
    Cause,
    CodeExample,
    ConfirmStep,
    Effort,
    Entry,
    FixStep,
    Layer,
    Monitor,
    Observe,
    Perspectives,
    Phase,
    PrintedBy,
    Question,
    Reference,
    Relation,
    Relations,
    Reproduction,
    Reviewed,
    Sample,
    Scale,
    Signature,
    Symptom,
    System,
    SystemUse,
    Tag,
    Taxonomy,
)

Data = dict[str, Any]


def build_entry(data: Data, path: str) -> Entry:
    """Returns the entry that valid data states.

    Args:
        data: the document, valid by entry.schema.json.
        path: the file relative to the entries folder.
    """
    relations = data.get("relations", {})
    return Entry(
        path=path,
        id=data["id"],
        title=data["title"].strip(),
        category=data["category"],
        severity=data["severity"],
        tags=tuple(data["tags"]),
        systems=tuple(
            SystemUse(item) if isinstance(item, str) else SystemUse(item["id"], item["how"].strip())
            for item in data["systems"]
        ),
        phases=tuple(data["phases"]),
        summary=data["summary"].strip(),
        symptoms=tuple(
            Symptom(item["sign"].strip(), item["why"].strip()) for item in data["symptoms"]
        ),
        mechanism=data["mechanism"].strip(),
        causes=tuple(Cause(item["cause"].strip(), item["tell"].strip()) for item in data["causes"]),
        confirm=tuple(_confirm(item) for item in data["confirm"]),
        fix=tuple(_fix(item) for item in data["fix"]),
        references=tuple(
            Reference(item["title"].strip(), item["url"], item["kind"], item["supports"].strip())
            for item in data["references"]
        ),
        reviewed=Reviewed(data["reviewed"]["date"], tuple(data["reviewed"]["versions"])),
        aliases=tuple(data.get("aliases", ())),
        silent=data.get("silent", False),
        layer=_layer(data.get("layer")),
        signatures=tuple(build_signature(item) for item in data.get("signatures", ())),
        observe=_observe(data.get("observe")),
        prevent=tuple(_fix(item) for item in data.get("prevent", ())),
        code=tuple(_code(item) for item in data.get("code", ())),
        reproduce=_reproduce(data.get("reproduce")),
        samples=tuple(
            Sample(item["title"].strip(), _layout(item["log"])) for item in data.get("samples", ())
        ),
        effort=_effort(data.get("effort")),
        scale=_scale(data.get("scale")),
        recurrence=_text(data, "recurrence"),
        monitor=tuple(
            Monitor(item["signal"].strip(), _layout(item["query"]), item["kind"])
            for item in data.get("monitor", ())
        ),
        perspectives=_perspectives(data.get("perspectives")),
        faq=tuple(
            Question(item["question"].strip(), item["answer"].strip())
            for item in data.get("faq", ())
        ),
        relations=Relations(
            leads_to=_edges(relations.get("leads_to", ()), "how"),
            mistaken_for=_edges(relations.get("mistaken_for", ()), "tell_apart"),
            see_also=_edges(relations.get("see_also", ()), "why"),
        ),
    )


def build_signature(data: Data) -> Signature:
    """Returns one signature from data that is valid by the schema's `signature`."""
    printed_by = data["printed_by"]
    return Signature(
        match=data["match"],
        printed_by=PrintedBy(
            printed_by["program"].strip(),
            printed_by["where"].strip(),
            _text(printed_by, "versions"),
            printed_by.get("url", ""),
        ),
        specific=data["specific"],
        evidence=data["evidence"],
        ignore_case=data.get("ignore_case", False),
        whole_line=data.get("whole_line", False),
        when=_layout(data.get("when", "")),
        with_=_layout(data.get("with", "")),
        role=data.get("role"),
        note=_text(data, "note"),
    )


def build_taxonomy(data: Any) -> Taxonomy:
    """Returns the words of a taxonomy, also of one that has problems.

    A record without a usable id is left out, one without a title is named by its id: an
    entry that uses the word is not to be blamed for it. Of two with one id the first counts.
    """

    def records(kind: str) -> list[Data]:
        items = data.get(kind) if isinstance(data, dict) else None
        by_id: dict[str, Data] = {}
        for item in items if isinstance(items, list) else ():
            if isinstance(item, dict) and isinstance(item.get("id"), str):
                by_id.setdefault(item["id"], item)
        return list(by_id.values())

    return Taxonomy(
        categories={
            item["id"]: Category(item["id"], _title(item), _string(item, "description"))
            for item in records("categories")
        },
        systems={
            item["id"]: System(
                item["id"],
                _title(item),
                _string(item, "description"),
                _string(item, "issues"),
                _strings(item, "synonyms"),
            )
            for item in records("systems")
        },
        phases={
            item["id"]: Phase(item["id"], _title(item), _string(item, "description"))
            for item in records("phases")
        },
        tags={
            item["id"]: Tag(
                item["id"],
                _title(item),
                _string(item, "description"),
                _strings(item, "synonyms"),
            )
            for item in records("tags")
        },
    )


def _text(data: Data, key: str) -> str:
    value: str = data.get(key, "")
    return value.strip()


def _layout(text: str) -> str:
    """Keeps what a command, a log or code looks like; only the end is trimmed."""
    return text.rstrip("\n")


def _string(data: Data, key: str) -> str:
    value = data.get(key, "")
    return value.strip() if isinstance(value, str) else ""


def _title(data: Data) -> str:
    return _string(data, "title") or str(data["id"])


def _strings(data: Data, key: str) -> tuple[str, ...]:
    value = data.get(key, ())
    items = value if isinstance(value, list) else ()
    return tuple(item for item in items if isinstance(item, str))


def _layer(data: Data | None) -> Layer | None:
    return Layer(data["kind"], data["why"].strip()) if data is not None else None


def _observe(data: str | Data | None) -> Observe | None:
    if data is None:
        return None
    if isinstance(data, str):
        return Observe(data.strip())
    return Observe(data["what"].strip(), data["onset"].strip())


def _confirm(data: Data) -> ConfirmStep:
    return ConfirmStep(
        step=data["step"].strip(),
        run=_layout(data.get("run", "")),
        expect=_text(data, "expect"),
        rules_out=tuple(data.get("rules_out", ())),
        cheapest=data.get("cheapest", False),
    )


def _fix(data: Data) -> FixStep:
    return FixStep(data["step"].strip(), _layout(data.get("run", "")), _text(data, "verify"))


def _code(data: Data) -> CodeExample:
    return CodeExample(
        title=data["title"].strip(),
        language=data["language"],
        code=_layout(data["code"]),
        why=data["why"].strip(),
        stack=_text(data, "stack"),
    )


def _reproduce(data: Data | None) -> Reproduction | None:
    if data is None:
        return None
    return Reproduction(
        script=data["script"],
        needs=_text(data, "needs"),
        exit=data.get("exit"),
        output=data.get("output", ""),
        versions=_text(data, "versions"),
        note=_text(data, "note"),
    )


def _effort(data: Data | None) -> Effort | None:
    if data is None:
        return None
    confirm, fix = data["confirm_minutes"], data["fix_minutes"]
    return Effort(
        (int(confirm[0]), int(confirm[1])), (int(fix[0]), int(fix[1])), _text(data, "note")
    )


def _scale(data: Data | None) -> Scale | None:
    if data is None:
        return None
    return Scale(_text(data, "one_gpu"), _text(data, "one_node"), _text(data, "many_nodes"))


def _perspectives(data: Data | None) -> Perspectives | None:
    if data is None:
        return None
    return Perspectives(_text(data, "executive"), _text(data, "engineer"), _text(data, "on_call"))


def _edges(items: Any, text: str) -> tuple[Relation, ...]:
    return tuple(
        Relation(item) if isinstance(item, str) else Relation(item["id"], item[text].strip())
        for item in items
    )
