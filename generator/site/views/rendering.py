"""The environment in which pages of entries are rendered."""

from __future__ import annotations

from typing import Any

import jinja2

from generator.graph import KINDS
from generator.model import SEVERITIES
from generator.site import highlight, prose
from generator.site.entry_view import step_key
from generator.site.records import PagePlan, Site

TEMPLATES = "pages"


def environment(template_dirs: list[str]) -> jinja2.Environment:
    """Return the environment that renders entries: escaping, and strict about names.

    Args:
        template_dirs: theme folders, the first that holds a template wins.
    """
    env = jinja2.Environment(
        loader=jinja2.FileSystemLoader([f"{folder}/{TEMPLATES}" for folder in template_dirs]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=True,
    )
    env.filters["md"] = prose.block
    env.filters["mdi"] = prose.inline
    env.filters["highlight"] = highlight.code
    env.filters["step_key"] = step_key
    env.globals["severities"] = SEVERITIES
    env.globals["relation_words"] = KINDS
    return env


def root_prefix(url: str) -> str:
    """Return the relative way from a page to the site's root, empty for home."""
    return "../" * url.count("/")


def render_template(
    env: jinja2.Environment, site: Site, plan: PagePlan, template: str, **values: Any
) -> str:
    """Render a template with what every page knows.

    Args:
        env: from `environment`.
        site: everything that rendering needs.
        plan: the page; links are relative to its address.
        template: file below `theme/pages/`.
        values: what the template needs beyond that.
    """
    return env.get_template(template).render(
        site=site,
        taxonomy=site.encyclopedia.taxonomy,
        entries=site.encyclopedia.entries,
        settings=site.settings,
        root=root_prefix(plan.url),
        page_url=plan.url,
        **values,
    )
