"""Views over all entries of one thing that they hold: symptoms, signatures and so on.

Each is one page with a section for each category, or, where that grows long, an
index with a page for each category. The index keeps the sections' anchors.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import jinja2

from generator.export import structured
from generator.model import EVIDENCE, SEVERITIES, Entry, Reference
from generator.site.entry_view import signature_views
from generator.site.records import PageKind, PagePlan, RenderedPage, Site, urgent_first
from generator.site.views.rendering import render_template

#: More rows than this make a view an index of pages by category.
LONG = 600


@dataclass(frozen=True, slots=True)
class View:
    """One view.

    Attributes:
        kind: kind of its pages, which is also its address.
        title: its heading.
        lead: what it lists.
        rows: how many rows an entry contributes.
    """

    kind: PageKind
    title: str
    lead: str
    rows: Callable[[Entry], int]


VIEWS: tuple[View, ...] = (
    View(
        "symptoms",
        "Symptoms",
        "What engineers see, and the failure behind each sign.",
        lambda entry: len(entry.symptoms),
    ),
    View(
        "signatures",
        "Signatures",
        "Texts that programs print when a run fails, with who prints them.",
        lambda entry: len(entry.signatures),
    ),
    View(
        "checklists",
        "Checklists",
        "Steps and commands that confirm each failure, the cheapest first.",
        lambda entry: len(entry.confirm),
    ),
    View(
        "references",
        "References",
        "Pages that the entries rest on, with the entries that cite each.",
        lambda entry: len(entry.references),
    ),
    View(
        "faq",
        "Questions",
        "Questions that people asked about single failures, with their answers.",
        lambda entry: len(entry.faq),
    ),
)


@dataclass(frozen=True, slots=True)
class Cited:
    """A page that entries cite, with what each cites it for."""

    url: str
    title: str
    kind: str
    by: tuple[tuple[Entry, Reference], ...]


def _view(kind: PageKind) -> View:
    return next(view for view in VIEWS if view.kind == kind)


def _groups(site: Site, view: View) -> Mapping[str, tuple[Entry, ...]]:
    """Return the entries that contribute to a view, by category."""
    groups = {
        id_: tuple(entry for entry in found if view.rows(entry))
        for id_, found in site.by_category.items()
    }
    return {id_: found for id_, found in groups.items() if found}


def is_long(site: Site, view: View) -> bool:
    """Return whether a view is split by category."""
    return sum(view.rows(entry) for entry in site.encyclopedia.entries.values()) > LONG


def sitewide_plans(site: Site) -> tuple[PagePlan, ...]:
    """Return the pages of all views."""
    source = site.encyclopedia.root / "taxonomy.yml"
    found: list[PagePlan] = []
    for view in VIEWS:
        found.append(PagePlan(f"{view.kind}/", view.kind, "", source))
        if is_long(site, view):
            found += [
                PagePlan(f"{view.kind}/{id_}/", view.kind, id_, source)
                for id_ in _groups(site, view)
            ]
    found.append(PagePlan("stats/", "stats", "", source))
    return tuple(found)


def cited_pages(entries: tuple[Entry, ...]) -> tuple[Cited, ...]:
    """Return the pages that entries cite, the most cited first."""
    by_url: dict[str, list[tuple[Entry, Reference]]] = defaultdict(list)
    for entry in entries:
        for reference in entry.references:
            by_url[reference.url].append((entry, reference))
    found = (
        Cited(url, by[0][1].title, by[0][1].kind, tuple(by)) for url, by in sorted(by_url.items())
    )
    return tuple(sorted(found, key=lambda cited: (-len(cited.by), cited.title.lower(), cited.url)))


def view_page(env: jinja2.Environment, site: Site, plan: PagePlan) -> RenderedPage:
    """Render a view's page: all of it, its index, or one category of it."""
    view = _view(plan.kind)
    groups = _groups(site, view)
    categories = site.encyclopedia.taxonomy.categories
    split = is_long(site, view)
    if plan.key:
        groups = {plan.key: groups[plan.key]}
        title = f"{view.title}: {categories[plan.key].title}"
    else:
        title = view.title
    whole = bool(plan.key) or not split
    html = render_template(
        env,
        site,
        plan,
        "view.html",
        view=view,
        title=title,
        groups=groups,
        rows={id_: sum(map(view.rows, found)) for id_, found in groups.items()},
        whole=whole,
        category=plan.key,
        cited={id_: cited_pages(found) for id_, found in groups.items()}
        if view.kind == "references" and whole
        else {},
        signature_views=lambda entry: signature_views(entry, site.encyclopedia.taxonomy),
    )
    return RenderedPage(
        title=title,
        description=view.lead,
        html=html,
        sections=() if plan.key else tuple((id_, categories[id_].title) for id_ in groups),
        structured=structured.collection_json_ld(
            title,
            view.lead,
            plan.url,
            site.settings.site_url,
            parent=(view.title, f"{view.kind}/") if plan.key else None,
        ),
    )


@dataclass(frozen=True, slots=True)
class Count:
    """A bar of the statistics: share is of the largest, in percent."""

    title: str
    count: int
    share: int
    address: str = ""


def _counts(pairs: list[tuple[str, int, str]]) -> tuple[Count, ...]:
    most = max((count for _, count, _ in pairs), default=0) or 1
    return tuple(
        Count(title, count, round(100 * count / most), address) for title, count, address in pairs
    )


def stats_page(env: jinja2.Environment, site: Site, plan: PagePlan) -> RenderedPage:
    """Render the numbers: entries by category, severity and evidence, and freshness."""
    entries = list(site.encyclopedia.entries.values())
    categories = site.encyclopedia.taxonomy.categories
    severity = Counter(entry.severity for entry in entries)
    evidence: Counter[str] = Counter(entry.evidence or "silent" for entry in entries)
    signatures = Counter(one.evidence for entry in entries for one in entry.signatures)
    months = Counter(entry.reviewed.date[:7] for entry in entries)
    title = "Statistics"
    description = "Entries by category, severity and evidence, and when they were last checked."
    html = render_template(
        env,
        site,
        plan,
        "stats.html",
        title=title,
        lead=description,
        totals=(
            ("entries", len(entries)),
            ("signatures", sum(len(entry.signatures) for entry in entries)),
            ("symptoms", sum(len(entry.symptoms) for entry in entries)),
            ("confirming steps", sum(len(entry.confirm) for entry in entries)),
            ("pages cited", len(cited_pages(tuple(entries)))),
        ),
        tables=(
            (
                "by-category",
                "Entries by category",
                _counts(
                    [
                        (categories[id_].title, len(found), f"browse/?category={id_}")
                        for id_, found in site.by_category.items()
                    ]
                ),
            ),
            (
                "by-severity",
                "Entries by severity",
                _counts([(one, severity[one], f"browse/?severity={one}") for one in SEVERITIES]),
            ),
            (
                "by-evidence",
                "Entries by their strongest evidence",
                _counts(
                    [
                        (one, evidence[one], f"browse/?evidence={one}")
                        for one in (*EVIDENCE, "silent")
                    ]
                ),
            ),
            (
                "signatures-by-evidence",
                "Signatures by evidence",
                _counts([(one, signatures[one], "") for one in EVIDENCE]),
            ),
            (
                "freshness",
                "Entries by month of their last review",
                _counts([(one, months[one], "") for one in sorted(months, reverse=True)]),
            ),
        ),
        oldest=sorted(entries, key=lambda entry: (entry.reviewed.date, urgent_first(entry)))[:10],
    )
    return RenderedPage(
        title=title,
        description=description,
        html=html,
        sections=(
            ("by-category", "By category"),
            ("by-severity", "By severity"),
            ("by-evidence", "By evidence"),
            ("signatures-by-evidence", "Signatures"),
            ("freshness", "Freshness"),
        ),
        structured=structured.collection_json_ld(
            title, description, plan.url, site.settings.site_url
        ),
    )
