"""Every entry reaches every other, and each link says why it stands."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from generator.graph import Related, lay_out, related_entries
from generator.load import load_encyclopedia
from generator.model import Encyclopedia, Entry, Relation, Relations

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def real() -> Encyclopedia:
    return load_encyclopedia(ROOT / "entries").encyclopedia


@pytest.fixture(scope="module")
def related(real: Encyclopedia) -> dict[str, tuple[Related, ...]]:
    return dict(related_entries(real))


def with_entries(base: Encyclopedia, *entries: Entry) -> Encyclopedia:
    return replace(base, entries={entry.id: entry for entry in entries})


def reached(related: dict[str, tuple[Related, ...]], start: str) -> set[str]:
    seen, pending = {start}, [start]
    while pending:
        for link in related[pending.pop()]:
            if link.id not in seen:
                seen.add(link.id)
                pending.append(link.id)
    return seen


def test_every_entry_reaches_every_other(related: dict[str, tuple[Related, ...]]) -> None:
    for start in related:
        assert reached(related, start) == set(related)


def test_nothing_is_related_to_everything(related: dict[str, tuple[Related, ...]]) -> None:
    for id_, links in related.items():
        assert id_ not in {link.id for link in links}
        assert len({link.id for link in links}) < len(related) * 0.9


def test_stated_relations_come_first_in_the_words_of_their_entry(
    real: Encyclopedia, related: dict[str, tuple[Related, ...]]
) -> None:
    stated = 0
    for entry in real.entries.values():
        for relation in entry.relations.leads_to:
            assert Related(relation.id, "leads-to", relation.text) in related[entry.id]
            assert "caused-by" in {
                link.kind for link in related[relation.id] if link.id == entry.id
            }
            stated += 1
    assert stated > 20
    order = ["leads-to", "caused-by", "mistaken-for", "see-also", "alike"]
    for links in related.values():
        kinds = [order.index(link.kind) for link in links]
        assert kinds == sorted(kinds)


def test_an_alike_entry_shares_what_the_reason_names(
    real: Encyclopedia, related: dict[str, tuple[Related, ...]]
) -> None:
    tags = real.taxonomy.tags
    alike = 0
    for id_, links in related.items():
        for link in (link for link in links if link.kind == "alike"):
            alike += 1
            assert link.text
            shared = set(real.entries[id_].tags) & set(real.entries[link.id].tags)
            if "share the tag" in link.text:
                named = (
                    link.text.split("share the tag")[1].split(";")[0].removeprefix("s").strip(" .")
                )
                titles = {tags[tag].title for tag in shared}
                assert all(part.strip() in titles for part in named.split(","))
    assert alike


def test_a_rare_tag_counts_more_than_a_common_one(real: Encyclopedia) -> None:
    tags = list(real.taxonomy.tags)
    base = next(iter(real.entries.values()))
    plain = replace(base, relations=Relations(), systems=(), signatures=(), phases=())

    def entry(id_: str, *tags: str) -> Entry:
        return replace(plain, id=id_, tags=tags, category=f"none-{id_}")

    common, rare = tags[0], tags[1]
    crowd = [entry(f"crowd-{number}", common) for number in range(12)]
    asked, twin = entry("asked", common, rare), entry("twin", rare)
    found = related_entries(with_entries(real, asked, twin, *crowd))
    assert found["asked"][0].id == "twin"


def test_entries_without_anything_in_common_are_joined_all_the_same(real: Encyclopedia) -> None:
    base = next(iter(real.entries.values()))
    alone = [
        replace(
            base, id=f"alone-{n}", category=f"c{n}", tags=(f"t{n}",), systems=(), phases=(),
            signatures=(), relations=Relations(),
        )
        for n in range(5)
    ]  # fmt: skip
    found = dict(related_entries(with_entries(real, *alone)))
    for start in found:
        assert reached(found, start) == set(found)


def test_a_link_to_an_unknown_entry_is_left_out(real: Encyclopedia) -> None:
    base = next(iter(real.entries.values()))
    entry = replace(base, relations=Relations(leads_to=(Relation("nowhere", "never"),)))
    other = replace(base, id="other", relations=Relations())
    found = related_entries(with_entries(real, entry, other))
    assert {link.id for link in found[entry.id]} == {"other"}


def test_the_layout_gives_each_entry_a_cell_of_its_own(
    real: Encyclopedia, related: dict[str, tuple[Related, ...]]
) -> None:
    layout = lay_out(real, related)
    assert set(layout.cells) == set(real.entries)
    assert len(set(layout.cells.values())) == len(layout.cells)
    assert all(
        0 <= cell.column < layout.columns and 0 <= cell.row < layout.rows
        for cell in layout.cells.values()
    )
    assert lay_out(real, related) == layout
