"""Which pages the site has, and the rendering of each.

A plan says that a page exists; rendering it is a function of the site and the
plan, so that one changed entry can be rendered alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import jinja2

from generator.site.records import PageKind, PagePlan, RenderedPage, Site
from generator.site.views.browse import browse_page
from generator.site.views.diagnose import diagnose_page
from generator.site.views.entry import entry_page
from generator.site.views.graph import graph_page
from generator.site.views.groups import group_page, groupings, index_page
from generator.site.views.sitewide import sitewide_plans, stats_page, view_page


def plans(site: Site) -> tuple[PagePlan, ...]:
    """Return every generated page except home, which has a hand-written source."""
    root = site.encyclopedia.root
    taxonomy_file = root / "taxonomy.yml"
    found = [
        PagePlan(f"failures/{id_}/", "entry", id_, root / entry.path)
        for id_, entry in site.encyclopedia.entries.items()
    ]
    for grouping in groupings(site):
        found.append(PagePlan(f"{grouping.index}/", grouping.index, "", taxonomy_file))
        found += [
            PagePlan(f"{grouping.index}/{id_}/", grouping.member, id_, taxonomy_file)
            for id_ in grouping.entries
        ]
    found.append(PagePlan("browse/", "browse", "", taxonomy_file))
    found.append(PagePlan("diagnose/", "diagnose", "", taxonomy_file))
    found.append(PagePlan("graph/", "graph", "", taxonomy_file))
    found += sitewide_plans(site)
    return tuple(found)


_RENDERERS: Mapping[PageKind, Callable[[jinja2.Environment, Site, PagePlan], RenderedPage]] = {
    "entry": entry_page,
    "category": group_page,
    "tag": group_page,
    "system": group_page,
    "categories": index_page,
    "tags": index_page,
    "systems": index_page,
    "browse": browse_page,
    "diagnose": diagnose_page,
    "graph": graph_page,
    "symptoms": view_page,
    "signatures": view_page,
    "checklists": view_page,
    "references": view_page,
    "faq": view_page,
    "stats": stats_page,
}


def render(env: jinja2.Environment, site: Site, plan: PagePlan) -> RenderedPage:
    """Render one planned page.

    Args:
        env: the environment of the pages.
        site: everything that rendering needs.
        plan: the page.
    """
    return _RENDERERS[plan.kind](env, site, plan)
