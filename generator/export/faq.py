"""The standing questions about a failure, answered from its entry's own fields.

Answers are the entry's sentences and facts with hardly any words around them, so
that no answer could stand under another entry. A question whose field is empty is
not asked.
"""

from __future__ import annotations

from collections.abc import Iterator

from generator.export.markdown import (
    after,
    code_span,
    escape,
    fence,
    item,
    items,
    labelled,
    link,
    prose,
)
from generator.model import Encyclopedia, Entry, Question, Signature

_LAYERS = {
    "hardware": "Hardware",
    "driver": "Driver",
    "configuration": "Configuration",
    "code": "Code",
    "data": "Data",
    "environment": "Environment",
}
#: Units of time by their minutes, the largest first.
_UNITS = {24 * 60: "day", 60: "hour", 1: "minute"}
#: How many texts the answer on automatic finding names, of each kind.
_MOST_CERTAIN = 6
_MOST_SHARED = 3


def layer_words(kind: str) -> str:
    """Return a layer's name as a word at the start of a sentence."""
    return _LAYERS.get(kind, kind)


def _unit(value: int) -> int:
    """Return the largest unit, in minutes, that divides a number of minutes."""
    return next((size for size in _UNITS if value and value % size == 0), 1)


def _amount(value: int, unit: int) -> str:
    count = value // unit
    return f"{count} {_UNITS[unit]}" if count == 1 else f"{count} {_UNITS[unit]}s"


def minutes(span: tuple[int, int]) -> str:
    """Return a span of minutes in words: `1 to 2 minutes`, `30 minutes to 4 hours`.

    Args:
        span: least and most, in minutes.
    """
    least, most = span
    unit = _unit(most)
    if least == most:
        return _amount(most, unit)
    if least == 0:
        return f"up to {_amount(most, unit)}"
    least_unit = min(_unit(least), unit)
    if least_unit == unit:
        return f"{least // unit} to {_amount(most, unit)}"
    return f"{_amount(least, least_unit)} to {_amount(most, unit)}"


def _blocks(*blocks: str) -> str:
    return "\n\n".join(block for block in blocks if block)


def _in_production(entry: Entry) -> str:
    if entry.observe:
        return prose(entry.observe.what)
    return items(item(prose(symptom.sign)) for symptom in entry.symptoms)


def _layer(entry: Entry) -> str:
    if entry.layer is None:
        return ""
    return after(f"{layer_words(entry.layer.kind)}.", prose(entry.layer.why))


def _effort(entry: Entry) -> str:
    if entry.effort is None:
        return ""
    confirming, fixing = minutes(entry.effort.confirm_minutes), minutes(entry.effort.fix_minutes)
    # Other failures take as long: what stretches it, or the step to begin with, is its own.
    particular = entry.effort.note or entry.fix[0].step
    return after(f"Confirming takes {confirming}, the fix {fixing}.", prose(particular))


def _phases(entry: Entry, encyclopedia: Encyclopedia) -> str:
    known = encyclopedia.taxonomy.phases
    names = [escape(known[id_].title if id_ in known else id_) for id_ in entry.phases]
    # Phases alone would answer for other entries too: what shows then makes it this one.
    onset = entry.observe.onset if entry.observe else ""
    return after(f"{', '.join(names)}.", prose(onset or entry.symptoms[0].sign))


def _cheapest(entry: Entry) -> str:
    step = entry.cheapest
    return _blocks(
        prose(step.step),
        fence(step.run, "bash") if step.run else "",
        labelled("Expect", prose(step.expect)),
    )


def _what_decides(signature: Signature) -> str:
    """Return what makes a match certain, empty for a shared text without a condition."""
    conditions = []
    if signature.when:
        conditions.append(f"where {code_span(signature.when)}")
    if signature.with_:
        conditions.append(f"beside {code_span(signature.with_)}")
    if conditions:
        return "certain " + " and ".join(conditions)
    return "points here alone" if signature.specific else ""


def _first(made: list[str], most: int) -> list[str]:
    """Return the first items, and how many more there are."""
    more = len(made) - most
    return [*made[:most], item(f"{more} more, under Signatures")] if more > 1 else made


def _found_automatically(entry: Entry) -> str:
    telling = [signature for signature in entry.signatures if signature.role != "context"]
    if not telling:
        if not entry.silent:
            return ""
        return after("Nothing is printed. What shows:", prose(entry.symptoms[0].sign))
    certain, shared = list[str](), list[str]()
    for signature in telling:
        # As it is printed: `\\<` is how a template writes a bracket.
        text = code_span(signature.match.replace("\\<", "<"))
        decides = _what_decides(signature)
        if decides:
            certain.append(item(f"{text}: {decides}"))
        else:
            shared.append(item(after(f"{text}: shared.", prose(signature.note))))
    listed = items([*_first(certain, _MOST_CERTAIN), *_first(shared, _MOST_SHARED)])
    if not shared:
        return listed
    # A shared text is a candidate only; the confirming step decides.
    return f"{listed}\n\n{after('What decides on a shared text:', prose(entry.cheapest.step))}"


def _check_next(entry: Entry, encyclopedia: Encyclopedia, base: str) -> str:
    lines = []
    for kind, relations in (
        ("leads to", entry.relations.leads_to),
        ("mistaken for", entry.relations.mistaken_for),
        ("see also", entry.relations.see_also),
    ):
        for relation in relations:
            other = encyclopedia.entries.get(relation.id)
            if other is not None:
                name = link(escape(other.title), f"{base}{other.id}/")
                lines.append(item(after(f"{name} ({kind}).", prose(relation.text))))
    return items(lines)


def _scale(entry: Entry) -> str:
    if entry.scale is None:
        return ""
    sizes = (
        ("One GPU", entry.scale.one_gpu),
        ("One node", entry.scale.one_node),
        ("Many nodes", entry.scale.many_nodes),
    )
    return items(item(labelled(size, prose(text))) for size, text in sizes if text)


def _monitor(entry: Entry) -> str:
    return items(
        item(prose(watch.signal), fence(watch.query, watch.kind)) for watch in entry.monitor
    )


def _documentation(entry: Entry) -> str:
    return items(
        item(after(f"{link(escape(page.title), page.url)}:", prose(page.supports)))
        for page in entry.references
        if page.kind == "docs"
    )


def _code(entry: Entry) -> str:
    # What each does; the code itself stands in the entry once.
    return items(
        item(
            after(
                f"{escape(f'{one.title} ({one.stack})' if one.stack else one.title)}:",
                prose(one.why),
            )
        )
        for one in entry.code
    )


def _standing(entry: Entry, encyclopedia: Encyclopedia, base: str) -> Iterator[tuple[str, str]]:
    yield "What does it look like in production?", _in_production(entry)
    yield "Is it a hardware or a software problem?", _layer(entry)
    yield "How long does the fix take?", _effort(entry)
    yield "Does it hit training or inference?", _phases(entry, encyclopedia)
    yield "What is the cheapest way to confirm it?", _cheapest(entry)
    yield "Can it be found in a log automatically?", _found_automatically(entry)
    yield "What should I check next?", _check_next(entry, encyclopedia, base)
    yield "Will it come back after the fix?", prose(entry.recurrence)
    yield "How does it change from one GPU to a thousand?", _scale(entry)
    yield "Is there a fingerprint that I can monitor?", _monitor(entry)
    yield "Which official documentation covers it?", _documentation(entry)
    yield "Is there working code?", _code(entry)


def questions(entry: Entry, encyclopedia: Encyclopedia, base: str = "../") -> tuple[Question, ...]:
    """Return an entry's questions: the standing ones it can answer, then its own.

    Args:
        entry: the entry.
        encyclopedia: titles of other entries and of the taxonomy's words.
        base: what stands before `<id>/` in a link to another entry; the default fits
            an entry's own page.

    Returns:
        Questions as plain text, answers as Markdown without HTML.
    """
    derived = tuple(
        Question(asked, answer) for asked, answer in _standing(entry, encyclopedia, base) if answer
    )
    return derived + tuple(Question(own.question, prose(own.answer)) for own in entry.faq)
