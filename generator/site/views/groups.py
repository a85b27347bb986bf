"""Pages that list entries by a controlled word: categories, tags, systems."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import jinja2

from generator.export import structured
from generator.model import Category, Entry, System, Tag
from generator.site.records import PageKind, PagePlan, RenderedPage, Site
from generator.site.views.rendering import render_template


@dataclass(frozen=True, slots=True)
class Grouping:
    """One way to group the entries.

    Attributes:
        index: kind of the page that lists the groups; also its address.
        member: kind of a group's own page.
        title: heading of the index.
        lead: what the groups are.
        items: the controlled words.
        entries: the entries of each word that has a page.
    """

    index: PageKind
    member: PageKind
    title: str
    lead: str
    items: Mapping[str, Category] | Mapping[str, System] | Mapping[str, Tag]
    entries: Mapping[str, tuple[Entry, ...]]


def groupings(site: Site) -> tuple[Grouping, ...]:
    """Return the ways in which this site groups its entries."""
    taxonomy = site.encyclopedia.taxonomy
    return (
        Grouping(
            "categories",
            "category",
            "Categories",
            "Where in the stack the failure lies. Every entry belongs to exactly one.",
            taxonomy.categories,
            site.by_category,
        ),
        Grouping(
            "tags",
            "tag",
            "Tags",
            "What a failure has to do with, across the categories.",
            taxonomy.tags,
            site.by_tag,
        ),
        Grouping(
            "systems",
            "system",
            "Systems",
            "Programs, libraries, platforms and devices in which the failures are seen.",
            taxonomy.systems,
            site.by_system,
        ),
    )


def _grouping(site: Site, kind: PageKind) -> Grouping:
    return next(one for one in groupings(site) if kind in (one.index, one.member))


def _plural(count: int) -> str:
    return "1 entry" if count == 1 else f"{count} entries"


def group_page(env: jinja2.Environment, site: Site, plan: PagePlan) -> RenderedPage:
    """Render the entries of one category, tag or system."""
    grouping = _grouping(site, plan.kind)
    item = grouping.items[plan.key]
    found = grouping.entries[plan.key]
    description = item.description or f"Failures that are seen in {item.title}."
    html = render_template(
        env,
        site,
        plan,
        "group.html",
        grouping=grouping,
        item=item,
        synonyms=() if isinstance(item, Category) else item.synonyms,
        found=found,
        count=_plural(len(found)),
    )
    return RenderedPage(
        title=item.title,
        description=description,
        html=html,
        structured=structured.collection_json_ld(
            item.title,
            description,
            plan.url,
            site.settings.site_url,
            parent=(grouping.title, f"{grouping.index}/"),
        ),
    )


def index_page(env: jinja2.Environment, site: Site, plan: PagePlan) -> RenderedPage:
    """Render the list of all categories, tags or systems."""
    grouping = _grouping(site, plan.kind)
    return RenderedPage(
        title=grouping.title,
        description=grouping.lead,
        html=render_template(env, site, plan, "index.html", grouping=grouping),
        structured=structured.collection_json_ld(
            grouping.title, grouping.lead, plan.url, site.settings.site_url
        ),
    )
