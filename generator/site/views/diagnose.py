"""The page that reads whole logs; `diagnose.js` does the reading, on the reader's machine."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

import jinja2

from generator.export import structured
from generator.model import Entry
from generator.site.records import PagePlan, RenderedPage, Site, urgent_first
from generator.site.views.rendering import render_template

#: Samples that are offered, the most severe entries first, and the longest of them, in
#: characters: they travel with the page, so that choosing one asks no server for anything.
MOST_SAMPLES = 100
LONGEST = 4_000


@dataclass(frozen=True, slots=True)
class Offered:
    """A log excerpt to try; `key` is its place in the page's data."""

    key: str
    title: str
    log: str


def offered_samples(site: Site) -> Mapping[str, tuple[Offered, ...]]:
    """Return the samples that the page offers, by category."""
    chosen: dict[str, list[Offered]] = {id_: [] for id_ in site.encyclopedia.taxonomy.categories}
    left = MOST_SAMPLES
    for entry in sorted(site.encyclopedia.entries.values(), key=urgent_first):
        offered = _first_short(entry)
        if offered is None or not left:
            continue
        left -= 1
        chosen[entry.category].append(offered)
    return {id_: tuple(found) for id_, found in chosen.items() if found}


def _first_short(entry: Entry) -> Offered | None:
    for sample in entry.samples:
        if len(sample.log) <= LONGEST:
            return Offered(entry.id, entry.title, sample.log)
    return None


def diagnose_page(env: jinja2.Environment, site: Site, plan: PagePlan) -> RenderedPage:
    """Render the form; without scripts it says what it needs."""
    samples = offered_samples(site)
    title = "Diagnose"
    description = (
        "Paste a log, or choose the logs of all ranks: which failure, and who failed first."
    )
    logs = {one.key: one.log for found in samples.values() for one in found}
    return RenderedPage(
        title=title,
        description=description,
        html=render_template(
            env,
            site,
            plan,
            "diagnose.html",
            samples=samples,
            logs=json.dumps(logs, ensure_ascii=False),
        ),
        structured=structured.collection_json_ld(
            title, description, plan.url, site.settings.site_url
        ),
    )
