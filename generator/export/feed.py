"""The Atom feed: `/feed.xml`."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from heapq import nlargest

from feedgen.feed import FeedGenerator

from generator.export.dates import reviewed_at
from generator.export.urls import absolute, entry_url
from generator.model import Encyclopedia, Entry

#: How many entries a feed holds.
MOST = 50
# XML 1.0 has no way to write these.
_NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NEVER = datetime(1970, 1, 1, tzinfo=UTC)


def _clean(text: str) -> str:
    return _NOT_IN_XML.sub("\ufffd", text)


def _newest(encyclopedia: Encyclopedia, most: int) -> list[Entry]:
    # The id decides among entries of one day, so that the order depends on nothing else.
    by_id = sorted(encyclopedia.entries.values(), key=lambda entry: entry.id)
    return nlargest(most, by_id, key=lambda entry: entry.reviewed.date)


def feed_xml(
    encyclopedia: Encyclopedia,
    site_url: str,
    *,
    title: str = "Faultbook",
    subtitle: str = "How ML training and inference runs fail: the entries reviewed last.",
) -> bytes:
    """Return the feed of the entries that were reviewed last.

    Args:
        encyclopedia: the entries.
        site_url: absolute address of the home page.
        title: the feed's title.
        subtitle: what it is about.

    Returns:
        Atom as UTF-8, newest review first, then by id. Dates are review dates at
        midnight UTC: the same entries give the same bytes.

    Raises:
        ProblemsError: where a review date is no day of the calendar.
    """
    newest = _newest(encyclopedia, MOST)
    home = absolute(site_url, "/")
    feed = FeedGenerator()
    feed.id(home)
    feed.title(_clean(title))
    feed.subtitle(_clean(subtitle))
    feed.author(name=_clean(title))
    feed.generator("Faultbook")
    feed.language("en")
    feed.link(href=home, rel="alternate", type="text/html")
    feed.link(href=absolute(site_url, "/feed.xml"), rel="self", type="application/atom+xml")
    # Left out, these would be the time of the build.
    feed.updated(reviewed_at(newest[0]) if newest else _NEVER)
    categories = encyclopedia.taxonomy.categories
    for entry in newest:
        url = entry_url(site_url, entry.id)
        category = categories.get(entry.category)
        item = feed.add_entry(order="append")
        item.id(url)
        item.title(_clean(entry.title))
        item.link(href=url, rel="alternate", type="text/html")
        item.updated(reviewed_at(entry))
        item.summary(_clean(entry.summary))
        item.category(term=entry.category, label=_clean(category.title) if category else None)
    return bytes(feed.atom_str(pretty=True))
