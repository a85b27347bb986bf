"""The API's list, the feed, the sitemap and llms.txt."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from xml.etree import ElementTree as ET

import pytest

from generator.export.api import entries_json
from generator.export.feed import MOST, feed_xml
from generator.export.llms import llms_txt
from generator.export.sitemap import sitemap_xml
from generator.model import Encyclopedia, ProblemsError, Reviewed
from tests.unit.export_fixtures import DISK_FULL, INODES, SILENT, SITE, WATCHDOG, encyclopedia

ALL = encyclopedia()
ATOM = {"a": "http://www.w3.org/2005/Atom"}
MAP = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


def backwards(book: Encyclopedia) -> Encyclopedia:
    return replace(book, entries=dict(reversed(list(book.entries.items()))))


def test_the_api_lists_every_entry_with_its_addresses_and_texts() -> None:
    document = json.loads(entries_json(ALL, SITE))
    assert document["schema"] == 1
    assert document["count"] == len(document["entries"]) == 4
    assert document["reviewed"] == "2026-12-01"
    found = {entry["id"]: entry for entry in document["entries"]}[DISK_FULL.id]
    assert found["systems"] == ["pytorch", "kubernetes"]
    assert found["signatures"] == [signature.match for signature in DISK_FULL.signatures]
    assert found["url"] == f"{SITE}failures/{DISK_FULL.id}/"
    assert found["data"]["json"] == f"{SITE}failures/{DISK_FULL.id}.json"
    assert found["evidence"] == "reproduced"
    words = document["taxonomy"]
    assert [word["id"] for word in words["categories"]] == list(ALL.taxonomy.categories)
    assert words["systems"][0]["synonyms"] == ["torch"]


def test_an_empty_encyclopedia_has_an_empty_list() -> None:
    document = json.loads(entries_json(replace(ALL, entries={}), SITE))
    assert (document["count"], document["reviewed"], document["entries"]) == (0, None, [])


def feed_ids(feed: bytes) -> list[str]:
    # Our own output: nothing in it can harm the parser.
    places = ET.fromstring(feed).findall("a:entry/a:id", ATOM)
    return [str(place.text).rstrip("/").rpartition("/")[2] for place in places]


def test_the_feed_has_the_newest_review_first_then_ids() -> None:
    expected = [SILENT.id, DISK_FULL.id, INODES.id, WATCHDOG.id]
    assert feed_ids(feed_xml(ALL, SITE)) == expected
    assert feed_ids(feed_xml(backwards(ALL), SITE)) == expected


def test_the_feed_is_a_function_of_the_entries() -> None:
    feed = feed_xml(ALL, SITE)
    assert feed == feed_xml(encyclopedia(), SITE)
    root = ET.fromstring(feed)
    assert root.findtext("a:updated", namespaces=ATOM) == "2026-12-01T00:00:00+00:00"
    assert [e.text for e in root.findall("a:entry/a:updated", ATOM)][1] == (
        "2026-11-30T00:00:00+00:00"
    )
    links = {link.get("rel"): link.get("href") for link in root.findall("a:link", ATOM)}
    assert links == {"alternate": SITE, "self": f"{SITE}feed.xml"}
    assert ET.fromstring(feed_xml(replace(ALL, entries={}), SITE)).findall("a:entry", ATOM) == []


def test_the_feed_holds_fifty_entries_at_most() -> None:
    days = [str(date(2026, 1, 1) + timedelta(days=number)) for number in range(MOST + 5)]
    many = [replace(SILENT, id=f"entry-{day}", reviewed=Reviewed(day, ("x",))) for day in days]
    assert feed_ids(feed_xml(encyclopedia(*many), SITE)) == [
        f"entry-{day}" for day in reversed(days[-MOST:])
    ]


def test_the_feed_escapes_titles_and_what_xml_cannot_hold() -> None:
    odd = replace(SILENT, title="A <b>&amp;</b> \x1b[31m title\ud800")
    root = ET.fromstring(feed_xml(encyclopedia(odd), SITE))
    title = root.findtext("a:entry/a:title", namespaces=ATOM)
    assert title == "A <b>&amp;</b> \ufffd[31m title\ufffd"


def test_a_date_that_does_not_exist_names_the_file() -> None:
    wrong = encyclopedia(replace(SILENT, reviewed=Reviewed("2026-02-31", ("x",))))
    for make in (lambda: feed_xml(wrong, SITE), lambda: sitemap_xml([], wrong, SITE)):
        with pytest.raises(
            ProblemsError, match=r"sampler-epoch-missing\.yml.*2026-02-31"
        ) as caught:
            make()
        assert caught.value.problems[0].field == "reviewed.date"


def test_the_sitemap_lists_each_page_once_and_dates_entries() -> None:
    pages = ["", "browse/", "/categories/storage/", f"failures/{DISK_FULL.id}/", "tags/c++ & d/"]
    root = ET.fromstring(sitemap_xml(pages, ALL, SITE))
    places = [place.text for place in root.findall("s:url/s:loc", MAP)]
    assert places == sorted(set(map(str, places)))
    assert len(places) == 4 + 4
    assert {SITE, f"{SITE}browse/", f"{SITE}tags/c%2B%2B%20%26%20d/"} < set(places)
    dated = {
        url.findtext("s:loc", namespaces=MAP): url.findtext("s:lastmod", namespaces=MAP)
        for url in root.findall("s:url", MAP)
    }
    assert dated[f"{SITE}failures/{DISK_FULL.id}/"] == "2026-11-30"
    assert dated[f"{SITE}browse/"] is None


def test_llms_txt_lists_markdown_by_category_then_the_data() -> None:
    lines = llms_txt(ALL, SITE).split("\n")
    assert lines[0] == "# Faultbook"
    assert lines[2].startswith("> ")
    assert [line for line in lines if line.startswith("## ")] == [
        "## Storage",
        "## Data pipeline",
        "## Distributed training",
        "## Data",
    ]
    storage = lines[lines.index("## Storage") + 2 :][:2]
    assert storage[0] == (
        f"- [Disk full during training]({SITE}failures/disk-full-during-training.md): "
        f"{DISK_FULL.summary}"
    )
    assert "&lt;script>" in storage[1]
