"""The list of all pages for search engines: `/sitemap.xml` (https://www.sitemaps.org)."""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import quote
from xml.sax.saxutils import escape

from generator.export.dates import reviewed_at
from generator.export.urls import absolute, entry_path
from generator.model import Encyclopedia

_OPEN = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n'
)


def sitemap_xml(pages: Iterable[str], encyclopedia: Encyclopedia, site_url: str) -> str:
    """Return the sitemap.

    Args:
        pages: addresses below the site's root, with or without a leading slash; those
            of entries may be among them.
        encyclopedia: the entries; each is listed with the day of its review.
        site_url: absolute address of the home page.

    Returns:
        XML with every address once, sorted; only entries have a `lastmod`, since
        nothing says when another page changed.

    Raises:
        ProblemsError: where a review date is no day of the calendar.
    """
    reviewed = {
        entry_path(entry.id): reviewed_at(entry).date().isoformat()
        for entry in encyclopedia.entries.values()
    }
    addresses = {f"/{page.lstrip('/')}" for page in pages} | reviewed.keys()
    lines = []
    for address in sorted(addresses):
        place = escape(absolute(site_url, quote(address, safe="/%")))
        day = reviewed.get(address)
        lines.append(f"<url><loc>{place}</loc>{f'<lastmod>{day}</lastmod>' if day else ''}</url>\n")
    return _OPEN + "".join(lines) + "</urlset>\n"
