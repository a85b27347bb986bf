"""The page of one entry."""

from __future__ import annotations

import jinja2

from generator.export import structured
from generator.export.faq import questions
from generator.model import Question
from generator.site import prose
from generator.site.entry_view import SECTION_ALIASES, absent_sections, section_ids, signature_views
from generator.site.records import PagePlan, RenderedPage, Site
from generator.site.views.graph import neighbourhood
from generator.site.views.rendering import render_template


def _plain(asked: tuple[Question, ...]) -> tuple[Question, ...]:
    """Return the questions with the text of their rendered answers, which the page shows."""
    return tuple(Question(one.question, prose.block(one.answer).striptags()) for one in asked)


def entry_page(env: jinja2.Environment, site: Site, plan: PagePlan) -> RenderedPage:
    """Render the entry whose id is the plan's key."""
    entry = site.encyclopedia.entries[plan.key]
    related = site.related[entry.id]
    faq = questions(entry, site.encyclopedia)
    sections = section_ids(entry, has_related=bool(related), has_faq=bool(faq))
    html = render_template(
        env,
        site,
        plan,
        "entry.html",
        entry=entry,
        sections=dict(sections),
        section_aliases=SECTION_ALIASES,
        related=related,
        neighbourhood=neighbourhood(site, entry),
        questions=faq,
        absent=absent_sections(sections),
        signatures=signature_views(entry, site.encyclopedia.taxonomy),
    )
    return RenderedPage(
        title=entry.title,
        description=entry.summary,
        html=html,
        sections=sections,
        targets=absent_sections(sections),
        structured=structured.entry_json_ld(
            entry, site.encyclopedia, site.settings.site_url, asked=_plain(faq)
        ),
        edit_path=f"{site.settings.entries_path}/{entry.path}",
    )
