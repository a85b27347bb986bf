"""One entry as data: a dict that its schema accepts, JSON, and Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from generator import model
from generator.export import urls
from generator.export.faq import layer_words, minutes
from generator.export.markdown import code_span, escape, fence, item, items, labelled, link, prose
from generator.graph import KINDS, Related
from generator.model import Encyclopedia, Entry, FixStep, Relation
from generator.signatures import parse_template
from generator.signatures.grep import grep_command

#: Record type -> pairs of key and attribute, in the order of the schema.
_KEYS: Mapping[type, tuple[tuple[str, str], ...]] = {
    record: tuple((name, "with_" if name == "with" else name) for name in names.split())
    for record, names in (
        (
            model.Entry,
            "id title category severity tags systems phases layer summary aliases silent "
            "signatures symptoms observe mechanism causes confirm fix prevent code reproduce "
            "samples effort scale recurrence monitor perspectives faq relations references "
            "reviewed",
        ),
        (model.SystemUse, "id how"),
        (model.Layer, "kind why"),
        (
            model.Signature,
            "match ignore_case whole_line when with role printed_by specific evidence note",
        ),
        (model.PrintedBy, "program where versions url"),
        (model.Symptom, "sign why"),
        (model.Observe, "what onset"),
        (model.Cause, "cause tell"),
        (model.ConfirmStep, "step run expect rules_out cheapest"),
        (model.FixStep, "step run verify"),
        (model.CodeExample, "title language stack code why"),
        (model.Reproduction, "script needs exit output versions note"),
        (model.Sample, "title log"),
        (model.Effort, "confirm_minutes fix_minutes note"),
        (model.Scale, "one_gpu one_node many_nodes"),
        (model.Monitor, "signal query kind"),
        (model.Perspectives, "executive engineer on_call"),
        (model.Question, "question answer"),
        (model.Reference, "title url kind supports"),
        (model.Reviewed, "date versions"),
    )
}
#: A relation's text is named by its kind.
_RELATION_TEXT = {"leads_to": "how", "mistaken_for": "tell_apart", "see_also": "why"}


def _value(value: Any) -> Any:
    if type(value) is tuple:
        return [_value(one) for one in value]
    if type(value) in _KEYS:
        return _record(value)
    return value


def _record(record: Any) -> dict[str, Any]:
    data: dict[str, Any] = {}
    for key, attribute in _KEYS[type(record)]:
        value = getattr(record, attribute)
        kind = type(value)
        if kind is str:
            if value:
                data[key] = value
        elif value is None or value == () or (value is False and key != "specific"):
            continue
        elif kind is bool or kind is int:
            data[key] = value
        else:
            data[key] = _value(value)
    return data


def _relation(relation: Relation, text_key: str) -> str | dict[str, str]:
    return {"id": relation.id, text_key: relation.text} if relation.text else relation.id


def _relations(relations: model.Relations) -> dict[str, Any]:
    return {
        kind: [_relation(relation, text_key) for relation in stated]
        for kind, text_key in _RELATION_TEXT.items()
        if (stated := getattr(relations, kind))
    }


def entry_dict(entry: Entry) -> dict[str, Any]:
    """Return an entry as its YAML file states it.

    Args:
        entry: the entry.

    Returns:
        A dict that entry.schema.json accepts, keys in the schema's order, without
        empty fields.
    """
    data = _record(entry)
    data["systems"] = [
        {"id": use.id, "how": use.how} if use.how else use.id for use in entry.systems
    ]
    if entry.observe is not None and not entry.observe.onset:
        data["observe"] = entry.observe.what
    relations = _relations(entry.relations)
    if relations:
        data["relations"] = relations
    else:
        data.pop("relations", None)
    return data


def entry_json(entry: Entry, site_url: str) -> str:
    """Return an entry as one JSON document, on one line.

    Args:
        entry: the entry.
        site_url: address of the home page.

    Returns:
        `entry_dict` with `url` and `evidence` (null for a silent failure) after it.
    """
    data = entry_dict(entry)
    data["url"] = urls.entry_url(site_url, entry.id)
    data["evidence"] = entry.evidence
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


# --- Markdown ----------------------------------------------------------------


class _Page:
    """What the sections of one page share."""

    def __init__(
        self,
        entry: Entry,
        encyclopedia: Encyclopedia,
        site_url: str,
        related: Sequence[Related] | None,
    ) -> None:
        self.entry = entry
        self.encyclopedia = encyclopedia
        self.site_url = site_url
        self.related = _own_relations(entry) if related is None else related

    def link_to(self, id_: str) -> str:
        """Return a link to an entry by its title, or the id alone where there is none."""
        other = self.encyclopedia.entries.get(id_)
        if other is None:
            return code_span(id_)
        return link(escape(other.title), urls.entry_url(self.site_url, id_))


def _own_relations(entry: Entry) -> tuple[Related, ...]:
    own = entry.relations
    return (
        *(Related(relation.id, "leads-to", relation.text) for relation in own.leads_to),
        *(Related(relation.id, "mistaken-for", relation.text) for relation in own.mistaken_for),
        *(Related(relation.id, "see-also", relation.text) for relation in own.see_also),
    )


def _titles(ids: Sequence[str], words: Mapping[str, Any]) -> str:
    return ", ".join(escape(words[id_].title if id_ in words else id_) for id_ in ids)


def _head(page: _Page) -> Iterator[str]:
    entry, taxonomy = page.entry, page.encyclopedia.taxonomy
    yield f"# {escape(entry.title)}"
    category = escape(
        taxonomy.categories[entry.category].title
        if entry.category in taxonomy.categories
        else entry.category
    )
    category_url = urls.absolute(page.site_url, f"/categories/{entry.category}/")
    reviewed = f"{escape(entry.reviewed.date)} ({escape(', '.join(entry.reviewed.versions))})"
    facts = {
        "Severity": entry.severity,
        "Category": link(category, category_url),
        "Tags": _titles(entry.tags, taxonomy.tags),
        "Systems": _titles([use.id for use in entry.systems], taxonomy.systems),
        "Phases": _titles(entry.phases, taxonomy.phases),
        "Evidence": entry.evidence or "silent: nothing is printed",
        "Reviewed": reviewed,
    }
    yield "\n".join(f"- {name}: {value}" for name, value in facts.items())


def _quick_answer(page: _Page) -> Iterator[str]:
    entry = page.entry
    yield "## Quick answer"
    yield escape(entry.summary)
    yield labelled("Symptom", prose(entry.symptoms[0].sign))
    yield labelled("Root cause", prose(entry.causes[0].cause))
    yield labelled("Fix", prose(entry.fix[0].step))
    if entry.cheapest.run:
        yield "**Confirm with:**"
        yield fence(entry.cheapest.run, "bash")


def _perspectives(page: _Page) -> Iterator[str]:
    views = page.entry.perspectives
    if views is None:
        return
    yield "## For your role"
    for title, text in (
        ("Executive", views.executive),
        ("Engineer", views.engineer),
        ("On call", views.on_call),
    ):
        if text:
            yield f"### {title}"
            yield prose(text)


def _what_it_is(page: _Page) -> Iterator[str]:
    # The summary stands in the quick answer already; the deciding layer is what is new.
    if page.entry.layer:
        yield "## What it is"
        yield labelled(layer_words(page.entry.layer.kind), prose(page.entry.layer.why))


def _observe(page: _Page) -> Iterator[str]:
    observe = page.entry.observe
    if observe:
        yield "## What you will observe"
        yield prose(observe.what)
        yield labelled("Onset", prose(observe.onset))


def _symptoms(page: _Page) -> Iterator[str]:
    yield "## Symptoms and what they mean"
    yield items(
        item(prose(symptom.sign), labelled("Why", prose(symptom.why)))
        for symptom in page.entry.symptoms
    )


def _systems(page: _Page) -> Iterator[str]:
    yield "## Affected systems"
    systems = page.encyclopedia.taxonomy.systems
    yield items(
        item(escape(systems[use.id].title if use.id in systems else use.id), prose(use.how))
        for use in page.entry.systems
    )


def _mechanism(page: _Page) -> Iterator[str]:
    yield "## Why it happens"
    yield prose(page.entry.mechanism)


def _confirm(page: _Page) -> Iterator[str]:
    yield "## Confirm it"
    for number, step in enumerate(page.entry.confirm, start=1):
        others = ", ".join(page.link_to(id_) for id_ in step.rules_out)
        yield item(
            labelled("Cheapest", prose(step.step)) if step.cheapest else prose(step.step),
            fence(step.run, "bash") if step.run else "",
            labelled("Expect", prose(step.expect)),
            f"**Rules out:** {others}" if others else "",
            marker=f"{number}. ",
        )


def _causes(page: _Page) -> Iterator[str]:
    yield "## Root causes"
    yield items(
        item(prose(cause.cause), labelled("Tell", prose(cause.tell)), marker=f"{number}. ")
        for number, cause in enumerate(page.entry.causes, start=1)
    )


def _steps(steps: Sequence[FixStep]) -> str:
    return items(
        item(
            prose(step.step),
            fence(step.run, "bash") if step.run else "",
            labelled("Verify", prose(step.verify)),
            marker=f"{number}. ",
        )
        for number, step in enumerate(steps, start=1)
    )


def _fix(page: _Page) -> Iterator[str]:
    yield "## Fix it"
    effort = page.entry.effort
    if effort:
        yield (
            f"**Time:** {minutes(effort.confirm_minutes)} to confirm, "
            f"{minutes(effort.fix_minutes)} to fix."
        )
        yield prose(effort.note)
    yield _steps(page.entry.fix)


def _prevent(page: _Page) -> Iterator[str]:
    entry = page.entry
    if entry.prevent or entry.recurrence:
        yield "## Prevent it"
        yield labelled("Recurrence", prose(entry.recurrence))
        yield _steps(entry.prevent)


def _code(page: _Page) -> Iterator[str]:
    if page.entry.code:
        yield "## Code"
    for example in page.entry.code:
        stack = f" ({escape(example.stack)})" if example.stack else ""
        yield f"### {escape(example.title)}{stack}"
        yield fence(example.code, example.language)
        yield prose(example.why)


def _signature(signature: model.Signature) -> str:
    printed = signature.printed_by
    where = f"{escape(printed.program)}, {link(escape(printed.where), printed.url)}"
    if printed.versions:
        where += f", {escape(printed.versions)}"
    template = parse_template(signature.match, whole_line=signature.whole_line)
    grade = "points here alone" if signature.specific else "shared with other failures"
    conditions = {
        "Only when": signature.when,
        "Only with": signature.with_,
        "Role": signature.role or "",
    }
    return item(
        fence(signature.match, "text"),
        f"Printed by {where}. Evidence: {signature.evidence}; {grade}.",
        *(f"{label} {code_span(text)}" for label, text in conditions.items() if text),
        prose(signature.note),
        fence(grep_command(template, ignore_case=signature.ignore_case), "bash"),
    )


def _signatures(page: _Page) -> Iterator[str]:
    entry = page.entry
    if entry.signatures:
        yield "## Signatures"
    for signature in entry.signatures:
        yield _signature(signature)
    for sample in entry.samples:
        yield f"### {escape(sample.title)}"
        yield fence(sample.log, "text")


def _reproduction(page: _Page) -> Iterator[str]:
    made = page.entry.reproduce
    if made is None:
        return
    yield "## Reproduction"
    facts = {
        "Script": code_span(made.script),
        "Needs": escape(made.needs),
        "Exit status": "" if made.exit is None else str(made.exit),
        "Captured output": code_span(made.output),
        "Versions": escape(made.versions),
    }
    yield "\n".join(f"- {name}: {value}" for name, value in facts.items() if value)
    yield prose(made.note)


def _scale(page: _Page) -> Iterator[str]:
    scale = page.entry.scale
    if scale:
        yield "## From one GPU to many nodes"
        sizes = (
            ("One GPU", scale.one_gpu),
            ("One node", scale.one_node),
            ("Many nodes", scale.many_nodes),
        )
        yield items(item(labelled(size, prose(text))) for size, text in sizes if text)


def _monitoring(page: _Page) -> Iterator[str]:
    if page.entry.monitor:
        yield "## Monitoring"
    for watch in page.entry.monitor:
        yield item(prose(watch.signal), fence(watch.query, watch.kind))


def _questions(page: _Page) -> Iterator[str]:
    if page.entry.faq:
        yield "## Questions"
    for asked in page.entry.faq:
        yield f"### {escape(asked.question)}"
        yield prose(asked.answer)


def _related(page: _Page) -> Iterator[str]:
    if page.related:
        yield "## Related entries"
    yield items(
        item(f"{KINDS[other.kind].capitalize()}: {page.link_to(other.id)}", prose(other.text))
        for other in page.related
    )


def _references(page: _Page) -> Iterator[str]:
    yield "## References"
    yield items(
        item(
            f"{link(escape(reference.title), reference.url)} ({reference.kind})",
            prose(reference.supports),
        )
        for reference in page.entry.references
    )


def _data(page: _Page) -> Iterator[str]:
    yield "## This entry as data"
    places = {"Page": urls.entry_url(page.site_url, page.entry.id)}
    for kind, url in urls.data_urls(page.site_url, page.entry.id).items():
        places[kind.upper() if kind == "json" else {"yml": "YAML", "md": "Markdown"}[kind]] = url
    yield "\n".join(f"- {link(name, url)}" for name, url in places.items())


_SECTIONS = (
    _head,
    _quick_answer,
    _perspectives,
    _what_it_is,
    _observe,
    _symptoms,
    _systems,
    _mechanism,
    _confirm,
    _causes,
    _fix,
    _prevent,
    _code,
    _signatures,
    _reproduction,
    _scale,
    _monitoring,
    _questions,
    _related,
    _references,
    _data,
)


def entry_markdown(
    entry: Entry,
    encyclopedia: Encyclopedia,
    site_url: str,
    related: Sequence[Related] | None = None,
) -> str:
    """Return an entry's page as Markdown, in the order of the page.

    The derived questions are left out: their answers are the other sections.

    Args:
        entry: an entry whose templates were checked.
        encyclopedia: titles of other entries and of the taxonomy's words.
        site_url: address of the home page, for links.
        related: the entry's links with the inverse ones, from
            `generator.graph.related_entries`; the entry's own where not given.

    Returns:
        CommonMark without HTML. Whatever an entry's text holds, it stays inside its
        section: text is escaped, and prose that is more than harmless Markdown is
        shown as text.
    """
    page = _Page(entry, encyclopedia, site_url, related)
    return "\n\n".join(block for section in _SECTIONS for block in section(page) if block) + "\n"
