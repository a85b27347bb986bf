"""Rules about what an entry says of other entries."""

from __future__ import annotations

from collections.abc import Iterator

from generator.lint.rule import AllContext, AllRule, EntryContext, EntryRule, Finding
from generator.load import TreePath, did_you_mean, quote
from generator.model import Entry


def _named(entry: Entry) -> Iterator[tuple[TreePath, str]]:
    """Yields every id of another entry that an entry names, with its place."""
    relations = entry.relations
    for kind, edges in (
        ("leads_to", relations.leads_to),
        ("mistaken_for", relations.mistaken_for),
        ("see_also", relations.see_also),
    ):
        for index, edge in enumerate(edges):
            place: TreePath = ("relations", kind, index)
            yield ((*place, "id") if edge.text else place), edge.id
    for number, step in enumerate(entry.confirm):
        for index, id_ in enumerate(step.rules_out):
            yield ("confirm", number, "rules_out", index), id_


def _no_self_relation(context: EntryContext) -> Iterator[Finding]:
    for path, id_ in _named(context.entry):
        if id_ == context.entry.id:
            yield Finding(path, f"{quote(id_)} is this entry itself; name another one")


def _no_relation_twice(context: EntryContext) -> Iterator[Finding]:
    seen: set[tuple[TreePath, str]] = set()
    for path, id_ in _named(context.entry):
        if path[0] != "relations":
            continue
        of_kind = (path[:2], id_)
        if of_kind in seen:
            yield Finding(path, f"{quote(id_)} stands twice under {path[1]}; join the two")
        seen.add(of_kind)


def _one_cheapest(context: EntryContext) -> Iterator[Finding]:
    marked = [index for index, step in enumerate(context.entry.confirm) if step.cheapest]
    for index in marked[1:]:
        yield Finding(
            ("confirm", index, "cheapest"),
            f"only one step is the cheapest, and step {marked[0]} is marked already",
        )


def _minutes_in_order(context: EntryContext) -> Iterator[Finding]:
    effort = context.entry.effort
    if effort is None:
        return
    for key, (least, most) in (
        ("confirm_minutes", effort.confirm_minutes),
        ("fix_minutes", effort.fix_minutes),
    ):
        if least > most:
            yield Finding(
                ("effort", key), f"[{least}, {most}] is the wrong way round: [least, most]"
            )


def _relations_exist(context: AllContext) -> Iterator[Finding]:
    entries = context.encyclopedia.entries
    former = {alias: entry.id for entry in entries.values() for alias in entry.aliases}
    guesses: dict[str, str] = {}
    for entry in entries.values():
        for path, id_ in _named(entry):
            if id_ in context.ids or id_ == entry.id:
                continue
            if id_ in former:
                message = f"{quote(id_)} is a former id of {quote(former[id_])}; write that"
            else:
                if id_ not in guesses:
                    guesses[id_] = did_you_mean(id_, context.ids)
                message = f"there is no entry {quote(id_)}{guesses[id_]}"
            yield Finding(path, message, entry=entry)


ENTRY_RULES = (
    EntryRule("self-relation", "No entry names itself as another.", _no_self_relation),
    EntryRule("relation-twice", "A list of relations names an entry once.", _no_relation_twice),
    EntryRule("one-cheapest", "At most one confirming step is the cheapest.", _one_cheapest),
    EntryRule("effort-range", "Minutes are [least, most].", _minutes_in_order),
)

ALL_RULES = (AllRule("unknown-relation", "Every entry that is named exists.", _relations_exist),)
