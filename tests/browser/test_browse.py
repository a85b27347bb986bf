"""The facets of the browse page, against a count over the published list of entries."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.published import entries, visit
from tests.browser.watch import OpenContext, Watch
from tests.built import Site

#: Facet in the address, with the entry's key in the API.
FACETS = {
    "severity": "severity",
    "category": "category",
    "system": "systems",
    "phase": "phases",
    "tag": "tags",
    "evidence": "evidence",
}
Choice = dict[str, set[str]]


def values(entry: dict[str, Any], facet: str) -> set[str]:
    value = entry[FACETS[facet]]
    return set(value) if isinstance(value, list) else {value or "silent"}


def matching(site: Site, choice: Choice) -> list[dict[str, Any]]:
    """Any of the values within a facet, all of the facets."""
    return [
        entry
        for entry in entries(site)
        if all(values(entry, facet) & wanted for facet, wanted in choice.items() if wanted)
    ]


def expected_ids(site: Site, choice: Choice) -> set[str]:
    return {entry["id"] for entry in matching(site, choice)}


def expected_numbers(site: Site, choice: Choice, facet: str) -> Counter[str]:
    """What each value would show, given what is chosen in the other facets."""
    others = {name: wanted for name, wanted in choice.items() if name != facet}
    found = matching(site, others)
    return Counter(value for entry in found for value in values(entry, facet))


def random_choice(site: Site, seed: int) -> Choice:
    """Values of one to three facets, taken from entries so that some are found together."""
    chance = random.Random(seed)
    choice: Choice = {}
    for facet in chance.sample(sorted(FACETS), chance.randint(1, 3)):
        some = chance.sample(entries(site), chance.randint(1, 3))
        choice[facet] = {chance.choice(sorted(values(entry, facet))) for entry in some}
    return choice


def query_of(page: Page) -> Choice:
    given = parse_qs(urlsplit(page.url).query, keep_blank_values=True)
    return {name: set(",".join(several).split(",")) for name, several in given.items()}


def option(page: Page, facet: str, value: str) -> Locator:
    return page.locator(f"input[name={facet}][value='{value}']")


def open_facets(page: Page) -> None:
    folded = page.locator("form details:not([open]) > summary")
    while folded.count():
        folded.first.click()


def shown_ids(page: Page) -> set[str]:
    links = page.locator(".fb-browse .fb-list > li:visible a")
    addresses: list[str] = links.evaluate_all("links => links.map(link => link.href)")
    return {address.rstrip("/").rsplit("/", 1)[-1] for address in addresses}


def assert_shows(page: Page, site: Site, choice: Choice) -> None:
    found = expected_ids(site, choice)
    count = page.get_by_role("status")
    expect(count).to_have_text(f"{len(found)} of {len(entries(site))} entries")
    assert shown_ids(page) == found
    ticked = page.locator("form input:checked")
    pairs = ticked.evaluate_all("boxes => boxes.map(box => [box.name, box.value])")
    chosen = [[facet, value] for facet, wanted in choice.items() for value in wanted]
    assert sorted(pairs) == sorted(chosen)


@pytest.fixture
def browse(built_site: Site, page: Page) -> Page:
    visit(page, built_site.page("browse"))
    return page


def test_everything_is_shown_at_first(built_site: Site, browse: Page) -> None:
    assert_shows(browse, built_site, {})
    expect(browse.get_by_role("button", name="Clear all")).to_be_hidden()
    for facet in FACETS:
        numbers = expected_numbers(built_site, {}, facet)
        expect(browse.locator(f"input[name={facet}]")).to_have_count(len(numbers))


@pytest.mark.parametrize("seed", range(6))
def test_choices(built_site: Site, browse: Page, seed: int) -> None:
    choice = random_choice(built_site, seed)
    open_facets(browse)

    for facet, wanted in choice.items():
        for value in sorted(wanted):
            option(browse, facet, value).check()

    assert_shows(browse, built_site, choice)
    assert query_of(browse) == choice
    for facet in FACETS:
        numbers = expected_numbers(built_site, choice, facet)
        shown = browse.locator(f"input[name={facet}]").evaluate_all(
            "boxes => boxes.map(box => [box.value, box.labels[0].innerText.split(/\\s+/).pop()])"
        )
        assert shown
        assert shown == [[value, str(numbers[value])] for value, _ in shown], facet

    visit(browse, browse.url)
    assert_shows(browse, built_site, choice)
    for facet in choice:
        # What is chosen can be seen, also in a group that is folded at first.
        expect(browse.locator(f"input[name={facet}]:checked").first).to_be_visible()


def test_a_choice_that_no_entry_has(built_site: Site, browse: Page) -> None:
    pairs = (
        {"category": values(one, "category"), "system": values(other, "system")}
        for one in entries(built_site)
        for other in entries(built_site)
    )
    choice = next(pair for pair in pairs if not expected_ids(built_site, pair))
    address = "&".join(f"{facet}={','.join(wanted)}" for facet, wanted in choice.items())

    visit(browse, f"{built_site.page('browse')}?{address}")

    assert_shows(browse, built_site, choice)
    expect(browse.get_by_text("No entry has all of that")).to_be_visible()


def test_taking_a_choice_back_empties_the_address(built_site: Site, browse: Page) -> None:
    option(browse, "severity", "critical").check()
    option(browse, "severity", "critical").uncheck()

    assert browse.url == built_site.page("browse")
    assert_shows(browse, built_site, {})


def test_what_the_address_does_not_know_is_ignored(
    built_site: Site, browse: Page, watch: Watch
) -> None:
    unknown = (
        "category=nothing,%3Cscript%3E&tag=&colour=red&__proto__=x&%E0%A4=1&severity=critical,x"
    )
    visit(browse, f"{built_site.page('browse')}?{unknown}")

    assert_shows(browse, built_site, {"severity": {"critical"}})
    watch.assert_clean(built_site.url)


def test_back_and_forward(built_site: Site, browse: Page) -> None:
    first: Choice = {"severity": {"critical"}}
    both: Choice = {"severity": {"critical", "high"}}
    option(browse, "severity", "critical").check()
    option(browse, "severity", "high").check()
    assert_shows(browse, built_site, both)

    browse.go_back()
    assert_shows(browse, built_site, first)
    browse.go_back()
    assert_shows(browse, built_site, {})
    browse.go_forward()
    assert_shows(browse, built_site, first)

    # From an entry, back leads to the choice that found it.
    browse.locator(".fb-browse .fb-list > li:visible a").first.click()
    expect(browse.locator("#quick-answer")).to_be_visible()
    browse.go_back()
    assert_shows(browse, built_site, first)


def test_clearing(built_site: Site, browse: Page) -> None:
    visit(browse, f"{built_site.page('browse')}?severity=critical,high")

    browse.get_by_role("button", name="Clear all").click()

    assert_shows(browse, built_site, {})
    assert browse.url == built_site.page("browse")
    expect(browse.get_by_role("button", name="Clear all")).to_be_hidden()


def test_by_keyboard(built_site: Site, browse: Page) -> None:
    severity = browse.get_by_role("group", name="Severity").get_by_role("checkbox")
    browse.locator("summary", has_text="Severity").focus()
    browse.keyboard.press("Tab")
    expect(severity.first).to_be_focused()

    browse.keyboard.press("Space")
    assert_shows(browse, built_site, {"severity": {severity.first.get_attribute("value") or ""}})
    expect(severity.first).to_be_focused()

    browse.locator("summary", has_text="Phase").focus()
    browse.keyboard.press("Enter")
    browse.keyboard.press("Tab")
    expect(browse.get_by_role("group", name="Phase").get_by_role("checkbox").first).to_be_focused()

    browse.get_by_role("button", name="Clear all").focus()
    browse.keyboard.press("Enter")
    assert_shows(browse, built_site, {})
    # The button is gone, the focus stays in the form.
    assert browse.evaluate("document.activeElement.closest('form') !== null")


def test_each_option_has_a_name(browse: Page) -> None:
    open_facets(browse)
    boxes = browse.get_by_role("checkbox")
    expect(browse.get_by_role("checkbox", name=re.compile(r"^\w"))).to_have_count(boxes.count())


def test_the_result_is_announced(browse: Page) -> None:
    """An `output` is a live region: what changes in it is read out."""
    role = browse.get_by_role("status").evaluate("element => element.tagName")

    assert role == "OUTPUT"


def test_without_javascript(built_site: Site, open_context: OpenContext) -> None:
    context, _ = open_context(javascript=False)
    page = context.new_page()
    page.goto(f"{built_site.page('browse')}?severity=critical")

    assert shown_ids(page) == expected_ids(built_site, {})
    # A form that nothing would read is not shown.
    assert page.locator("article :is(input, button, select, summary):visible").count() == 0
