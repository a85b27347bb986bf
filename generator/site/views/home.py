"""The home page."""

from __future__ import annotations

from pathlib import Path

import jinja2
from markupsafe import Markup

from generator.export import structured
from generator.site.records import PagePlan, RenderedPage, Site, urgent_first
from generator.site.views.rendering import render_template
from generator.site.views.sitewide import VIEWS

_MOST = 6


def home_page(env: jinja2.Environment, site: Site, intro: str, source: Path) -> RenderedPage:
    """Render the home page.

    Args:
        env: the environment of the pages.
        site: everything that rendering needs.
        intro: HTML of the hand-written text, as MkDocs rendered it.
        source: its file.
    """
    entries = list(site.encyclopedia.entries.values())
    latest = sorted(entries, key=lambda entry: (entry.reviewed.date, entry.id), reverse=True)
    html = render_template(
        env,
        site,
        PagePlan("", "home", "", source),
        "home.html",
        intro=Markup(intro),
        latest=latest[:_MOST],
        urgent=sorted(entries, key=urgent_first)[:_MOST],
        views=VIEWS,
        total=len(entries),
        signature_count=sum(len(entry.signatures) for entry in entries),
    )
    return RenderedPage(
        title=site.settings.site_name,
        description="",
        html=html,
        structured=structured.website_json_ld(site.settings.site_name, site.settings.site_url),
    )
