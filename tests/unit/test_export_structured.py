"""Structured data has the shape that schema.org and search engines ask for."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.export.structured import (
    collection_json_ld,
    entry_json_ld,
    script_json,
    website_json_ld,
)
from generator.model import Entry, Question
from tests.unit.export_fixtures import DISK_FULL, INODES, SILENT, SITE, encyclopedia

ALL = encyclopedia()


def nodes(text: str) -> dict[str, dict[str, Any]]:
    document = json.loads(text)
    assert document["@context"] == "https://schema.org"
    return {node["@type"]: node for node in document["@graph"]}


def is_absolute(url: object) -> bool:
    return isinstance(url, str) and url.startswith(SITE)


def check_breadcrumbs(node: dict[str, Any]) -> list[str]:
    steps = node["itemListElement"]
    assert [step["position"] for step in steps] == list(range(1, len(steps) + 1))
    assert all(step["@type"] == "ListItem" and step["name"] for step in steps)
    assert all(is_absolute(step["item"]) for step in steps)
    return [step["item"].removeprefix(SITE) for step in steps]


@pytest.mark.parametrize("entry", [DISK_FULL, SILENT, INODES], ids=lambda e: str(e.id))
def test_an_entry_is_article_questions_and_breadcrumbs(entry: Entry) -> None:
    found = nodes(entry_json_ld(entry, ALL, SITE))
    assert list(found) == ["TechArticle", "FAQPage", "BreadcrumbList"]
    article = found["TechArticle"]
    assert article["headline"] == entry.title
    assert article["description"] == entry.summary
    assert date.fromisoformat(article["dateModified"]) == date.fromisoformat(entry.reviewed.date)
    assert is_absolute(article["url"])
    assert article["mainEntityOfPage"] == article["url"]
    for role in ("author", "publisher"):
        assert article[role] == {"@type": "Organization", "name": "Faultbook", "url": SITE}
    asked = found["FAQPage"]["mainEntity"]
    assert asked
    for question in asked:
        assert question["@type"] == "Question"
        assert question["name"].endswith("?")
        assert question["acceptedAnswer"]["@type"] == "Answer"
        assert question["acceptedAnswer"]["text"].strip()
        assert "```" not in question["acceptedAnswer"]["text"]
    assert check_breadcrumbs(found["BreadcrumbList"]) == [
        "",
        f"categories/{entry.category}/",
        f"failures/{entry.id}/",
    ]


def test_the_pages_own_questions_can_be_handed_over() -> None:
    asked = (Question("Why?", "Since x."),)
    (one,) = nodes(entry_json_ld(SILENT, ALL, SITE, asked))["FAQPage"]["mainEntity"]
    assert one["acceptedAnswer"]["text"] == "Since x."


def test_a_headline_has_at_most_110_characters() -> None:
    found = nodes(entry_json_ld(replace(SILENT, title="long " * 40), ALL, SITE))
    assert len(found["TechArticle"]["headline"]) <= 110


def test_a_list_page_is_a_collection_below_its_parent() -> None:
    text = collection_json_ld(
        "Storage", "Files.", "categories/storage/", SITE, ("Categories", "categories/")
    )
    found = nodes(text)
    assert list(found) == ["CollectionPage", "BreadcrumbList"]
    assert found["CollectionPage"]["url"] == f"{SITE}categories/storage/"
    assert check_breadcrumbs(found["BreadcrumbList"]) == [
        "",
        "categories/",
        "categories/storage/",
    ]


def test_home_is_a_website() -> None:
    site = nodes(website_json_ld("Faultbook", SITE, "Failures."))["WebSite"]
    assert (site["name"], site["url"], site["description"]) == ("Faultbook", SITE, "Failures.")


def test_without_an_address_there_is_no_structured_data() -> None:
    assert entry_json_ld(DISK_FULL, ALL, "") == ""
    assert collection_json_ld("a", "b", "c/", "") == ""
    assert website_json_ld("a", "") == ""


@given(st.text(st.sampled_from("<>&/!-\u2028\u2029\"'\\ script"), max_size=30))
def test_nothing_ends_the_script_element(text: str) -> None:
    made = script_json({"text": text, text: [text]})
    assert not set("<>&\u2028\u2029") & set(made)
    assert json.loads(made)["text"] == text or text == "text"


def test_a_hostile_entry_ends_no_script_element() -> None:
    bomb = "</script><script>alert(1)</script>\u2028"
    hostile = replace(DISK_FULL, title=bomb, summary=bomb, mechanism=bomb, recurrence=bomb)
    made = entry_json_ld(hostile, encyclopedia(hostile), SITE)
    assert "<" not in made
    assert nodes(made)["TechArticle"]["description"] == bomb
