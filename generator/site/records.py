"""The records of the site: what a page is, and everything that rendering needs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from generator.graph import Layout, Related, related_entries
from generator.model import SEVERITIES, Encyclopedia, Entry

PageKind = Literal[
    "home",
    "entry",
    "category",
    "tag",
    "system",
    "categories",
    "tags",
    "systems",
    "browse",
    "diagnose",
    "symptoms",
    "signatures",
    "checklists",
    "references",
    "faq",
    "stats",
    "graph",
]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a publisher decides.

    Attributes:
        site_name: the name in titles.
        site_url: absolute address of the home page with a closing slash, or empty.
        repository: address of the repository's web page, or empty.
        branch: branch that "edit" opens.
        entries_path: the entries folder as the repository names it.
    """

    site_name: str = "Faultbook"
    site_url: str = ""
    repository: str = ""
    branch: str = "main"
    entries_path: str = "entries"


@dataclass(frozen=True, slots=True)
class Site:
    """Everything that rendering needs, computed once for all pages.

    `layouts` is filled by the page that draws all entries, so that a later version of
    the same entries is drawn at the same places.
    """

    encyclopedia: Encyclopedia
    settings: Settings
    related: Mapping[str, tuple[Related, ...]]
    by_category: Mapping[str, tuple[Entry, ...]]
    by_tag: Mapping[str, tuple[Entry, ...]]
    by_system: Mapping[str, tuple[Entry, ...]]
    layouts: dict[str, Layout] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PagePlan:
    """A page that exists.

    Attributes:
        url: address below the site's root, with a closing slash; empty for home.
        kind: which template renders it.
        key: id of the entry, category, tag or system.
        source: file that the page is made from; its time decides whether the page changed.
    """

    url: str
    kind: PageKind
    key: str
    source: Path


@dataclass(frozen=True, slots=True)
class RenderedPage:
    """A page's content inside the frame.

    Attributes:
        title: plain text.
        description: plain text for the meta description.
        html: content, safe to publish.
        sections: pairs of anchor and title, in order.
        targets: further anchors on the page, kept for links that were published.
        structured: JSON-LD, escaped for a script element; may be empty.
        edit_path: file that "edit" opens, as the repository names it; may be empty.
    """

    title: str
    description: str
    html: str
    sections: tuple[tuple[str, str], ...] = ()
    targets: tuple[str, ...] = ()
    structured: str = ""
    edit_path: str = ""


def urgent_first(entry: Entry) -> tuple[int, str]:
    """Return the key that sorts entries by severity, then by title."""
    return SEVERITIES.index(entry.severity), entry.title.lower()


def make_site(
    encyclopedia: Encyclopedia,
    settings: Settings,
    related: Mapping[str, tuple[Related, ...]] | None = None,
) -> Site:
    """Group the entries and compute their relations.

    Args:
        encyclopedia: entries that passed the checks.
        settings: what the publisher decided.
        related: their relations, where they are known already.
    """
    ordered = sorted(encyclopedia.entries.values(), key=urgent_first)
    by_category: dict[str, list[Entry]] = {id_: [] for id_ in encyclopedia.taxonomy.categories}
    by_tag: dict[str, list[Entry]] = defaultdict(list)
    by_system: dict[str, list[Entry]] = defaultdict(list)
    for entry in ordered:
        by_category[entry.category].append(entry)
        for tag in entry.tags:
            by_tag[tag].append(entry)
        for use in entry.systems:
            by_system[use.id].append(entry)
    return Site(
        encyclopedia=encyclopedia,
        settings=settings,
        related=related_entries(encyclopedia) if related is None else related,
        by_category={id_: tuple(found) for id_, found in by_category.items()},
        by_tag={id_: tuple(by_tag[id_]) for id_ in encyclopedia.taxonomy.tags if id_ in by_tag},
        by_system={
            id_: tuple(by_system[id_]) for id_ in encyclopedia.taxonomy.systems if id_ in by_system
        },
    )
