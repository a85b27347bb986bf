"""Who is related to whom, and why.

Typed relations come first, each seen from both sides. Then each entry gets the
entries that are most like it. Last, links are added until every entry can be
reached from every other by following related entries.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import igraph

from generator.graph.likeness import Feature, Likeness
from generator.model import Encyclopedia, Entry, Taxonomy

RelationKind = Literal["leads-to", "caused-by", "mistaken-for", "see-also", "alike"]

#: Words for a kind of link, strongest first; the order in which links are shown.
KINDS: Mapping[RelationKind, str] = {
    "leads-to": "leads to",
    "caused-by": "can be caused by",
    "mistaken-for": "mistaken for",
    "see-also": "see also",
    "alike": "alike",
}

#: An entry with fewer links than this is given alike ones.
_ENOUGH = 6
#: However many typed links it has, so many alike ones are sought.
_LEAST_ALIKE = 2
_MOST_REASONS = 3


@dataclass(frozen=True, slots=True)
class Related:
    """A link from one entry to another.

    Attributes:
        id: the other entry.
        kind: the kind of link, seen from the entry that holds it.
        text: why: the words of the entry that states the link, or what both share.
    """

    id: str
    kind: RelationKind
    text: str


def _stated(entry: Entry) -> Iterator[tuple[str, Related]]:
    """Yield (holder, link) for each stated relation and its inverse."""
    for relation in entry.relations.leads_to:
        yield entry.id, Related(relation.id, "leads-to", relation.text)
        yield relation.id, Related(entry.id, "caused-by", relation.text)
    for relation in entry.relations.mistaken_for:
        yield entry.id, Related(relation.id, "mistaken-for", relation.text)
        yield relation.id, Related(entry.id, "mistaken-for", relation.text)
    for relation in entry.relations.see_also:
        yield entry.id, Related(relation.id, "see-also", relation.text)
        yield relation.id, Related(entry.id, "see-also", relation.text)


def typed_links(encyclopedia: Encyclopedia) -> dict[str, dict[tuple[str, str], Related]]:
    """Return the stated relations of each entry, from both sides.

    Args:
        encyclopedia: all entries; links to unknown ids are left out, the checks
            report them.

    Returns:
        By holder, links by (other entry, kind). An entry's own words win over the
        inverse of the other's, and a `see also` is dropped beside a stronger link.
    """
    links: dict[str, dict[tuple[str, str], Related]] = {id_: {} for id_ in encyclopedia.entries}
    inverse: list[tuple[str, Related]] = []
    for entry in encyclopedia.entries.values():
        for holder, link in _stated(entry):
            if holder not in links or link.id not in links:
                continue
            if holder == entry.id:
                links[holder].setdefault((link.id, link.kind), link)
            else:
                inverse.append((holder, link))
    for holder, link in inverse:
        links[holder].setdefault((link.id, link.kind), link)
    for held in links.values():
        for other, kind in list(held):
            if kind == "see-also" and sum(1 for id_, _ in held if id_ == other) > 1:
                del held[other, kind]
    return links


def _words(features: Sequence[Feature], taxonomy: Taxonomy) -> str:
    """Say what two entries share, the rarest first."""
    by_kind: dict[str, list[str]] = defaultdict(list)
    for kind, name in features:
        by_kind[kind].append(name)
    parts: list[str] = []
    if by_kind["signature"]:
        parts.append("print the same text")
    tags = [taxonomy.tags[name].title for name in by_kind["tag"] if name in taxonomy.tags]
    if tags:
        listed = ", ".join(tags[:_MOST_REASONS])
        parts.append(f"share the tag{'s' if len(tags[:_MOST_REASONS]) > 1 else ''} {listed}")
    if by_kind["category"] and (category := taxonomy.categories.get(by_kind["category"][0])):
        parts.append(f"belong to {category.title}")
    systems = [
        taxonomy.systems[name].title for name in by_kind["system"] if name in taxonomy.systems
    ]
    if systems and len(parts) < _MOST_REASONS:
        parts.append(f"are seen in {', '.join(systems[:_MOST_REASONS])}")
    if not parts and by_kind["phase"]:
        phases = [taxonomy.phases[name].title for name in by_kind["phase"]]
        parts.append(f"happen in the phase {phases[0]}")
    return "Both " + "; both ".join(parts) + "." if parts else ""


class _Links:
    """The links as they grow; an alike link is added where no link stands yet."""

    def __init__(self, encyclopedia: Encyclopedia) -> None:
        self.ids = list(encyclopedia.entries)
        self.place = {id_: index for index, id_ in enumerate(self.ids)}
        self.held = typed_links(encyclopedia)
        self.likeness = Likeness(list(encyclopedia.entries.values()))
        self._taxonomy = encyclopedia.taxonomy

    def linked(self, one: int, other: int) -> bool:
        target = self.ids[other]
        return any(id_ == target for id_, _ in self.held[self.ids[one]])

    def add(self, one: int, other: int) -> None:
        if self.linked(one, other):
            return
        text = _words(self.likeness.shared(one, other), self._taxonomy)
        link = Related(self.ids[other], "alike", text or "The nearest entry of another field.")
        self.held[self.ids[one]][link.id, link.kind] = link

    def edges(self) -> set[tuple[int, int]]:
        return {
            (self.place[holder], self.place[other])
            for holder, held in self.held.items()
            for other, _ in held
        }


def _add_alike(links: _Links) -> None:
    for index, neighbours in enumerate(links.likeness.nearest(_ENOUGH + _LEAST_ALIKE)):
        held = links.held[links.ids[index]]
        wanted = max(_LEAST_ALIKE, _ENOUGH - len({id_ for id_, _ in held}))
        fresh = [one for one in neighbours if not links.linked(index, one.index)]
        for neighbour in fresh[:wanted]:
            links.add(index, neighbour.index)


def _join(links: _Links) -> None:
    """Make every entry reachable from every other, by the likest pairs."""
    edges = links.edges()
    graph = igraph.Graph(n=len(links.ids), edges=sorted(edges), directed=False)
    graph.es["cost"] = [-links.likeness.score(edge.source, edge.target) for edge in graph.es]
    # A spanning forest that can be walked both ways joins what it spans.
    for edge in graph.spanning_tree(weights="cost", return_tree=False):
        one, other = graph.es[edge].tuple
        links.add(one, other)
        links.add(other, one)
    components = sorted(graph.connected_components(), key=lambda part: (-len(part), part))
    joined = list(components[0]) if components else []
    for part in components[1:]:
        one, other = max(
            ((a, b) for a in part for b in joined[:200]),
            key=lambda pair: (links.likeness.score(*pair), -pair[0], -pair[1]),
        )
        links.add(one, other)
        links.add(other, one)
        joined += part


def related_entries(encyclopedia: Encyclopedia) -> Mapping[str, tuple[Related, ...]]:
    """Return each entry's links, strongest kind first.

    Args:
        encyclopedia: all entries.

    Returns:
        By entry id, its links: stated ones with their inverses, then alike entries.
        Following them leads from every entry to every other.
    """
    links = _Links(encyclopedia)
    _add_alike(links)
    _join(links)
    order = {kind: rank for rank, kind in enumerate(KINDS)}
    place = links.place

    def strength(holder: int, link: Related) -> tuple[int, int, str]:
        score = links.likeness.score(holder, place[link.id]) if link.kind == "alike" else 0
        return order[link.kind], -score, link.id

    return {
        id_: tuple(sorted(links.held[id_].values(), key=lambda link: strength(place[id_], link)))
        for id_ in links.ids
    }
