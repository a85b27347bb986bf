"""The page that lists every entry with facets to choose by.

Without scripts it is the full list; the browser module `browse.js` does the choosing,
from the values that each item carries.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import jinja2

from generator.export import structured
from generator.model import EVIDENCE, SEVERITIES, Entry
from generator.site.records import PagePlan, RenderedPage, Site, urgent_first
from generator.site.views.rendering import render_template

#: What an entry without a printed text has in the facet of evidence.
SILENT = "silent"


@dataclass(frozen=True, slots=True)
class Option:
    """One value of a facet with the number of entries that have it."""

    value: str
    title: str
    count: int


@dataclass(frozen=True, slots=True)
class Facet:
    """A field to choose by; `name` is its key in the address."""

    name: str
    title: str
    options: tuple[Option, ...]


def facet_values(entry: Entry) -> Mapping[str, tuple[str, ...]]:
    """Return the values of an entry in each facet, by the facet's name."""
    return {
        "category": (entry.category,),
        "severity": (entry.severity,),
        "system": tuple(use.id for use in entry.systems),
        "phase": entry.phases,
        "tag": entry.tags,
        "evidence": (entry.evidence or SILENT,),
    }


def _facet(
    name: str, title: str, words: Iterable[tuple[str, str]], counts: Counter[tuple[str, str]]
) -> Facet:
    return Facet(
        name,
        title,
        tuple(
            Option(value, label, counts[name, value])
            for value, label in words
            if counts[name, value]
        ),
    )


def facets(site: Site) -> tuple[Facet, ...]:
    """Return the facets with the values that occur; long ones have the commonest first."""
    taxonomy = site.encyclopedia.taxonomy
    counts: Counter[tuple[str, str]] = Counter(
        (name, value)
        for entry in site.encyclopedia.entries.values()
        for name, values in facet_values(entry).items()
        for value in values
    )

    def commonest(name: str, words: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        return sorted(words, key=lambda word: (-counts[name, word[0]], word[1].lower()))

    return (
        _facet("severity", "Severity", ((one, one) for one in SEVERITIES), counts),
        _facet(
            "category",
            "Category",
            ((id_, item.title) for id_, item in taxonomy.categories.items()),
            counts,
        ),
        _facet(
            "system",
            "System",
            commonest("system", ((id_, item.title) for id_, item in taxonomy.systems.items())),
            counts,
        ),
        _facet(
            "phase", "Phase", ((id_, item.title) for id_, item in taxonomy.phases.items()), counts
        ),
        _facet(
            "tag",
            "Tag",
            commonest("tag", ((id_, item.title) for id_, item in taxonomy.tags.items())),
            counts,
        ),
        _facet("evidence", "Evidence", ((one, one) for one in (*EVIDENCE, SILENT)), counts),
    )


def browse_page(env: jinja2.Environment, site: Site, plan: PagePlan) -> RenderedPage:
    """Render the full list with the facets."""
    found = sorted(site.encyclopedia.entries.values(), key=urgent_first)
    title = "Browse"
    description = (
        f"All {len(found)} entries, by category, severity, system, phase, tag and evidence."
    )
    return RenderedPage(
        title=title,
        description=description,
        html=render_template(
            env,
            site,
            plan,
            "browse.html",
            facets=facets(site),
            found=[(entry, facet_values(entry)) for entry in found],
        ),
        structured=structured.collection_json_ld(
            title, description, plan.url, site.settings.site_url
        ),
    )
