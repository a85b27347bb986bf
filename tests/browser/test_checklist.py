"""Ticks of a checklist stay in the reader's browser, per entry."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.browser.published import ENTRY, entry, entry_url, visit
from tests.browser.watch import Watch
from tests.built import Site

OTHER = "collective-watchdog-timeout"


def steps(page: Page, id_: str = ENTRY) -> Locator:
    return page.locator(f"[data-checklist={id_}]").get_by_role("checkbox")


def clear(page: Page) -> Locator:
    return page.get_by_role("button", name="Clear the ticks")


@pytest.fixture
def entry_page(built_site: Site, page: Page) -> Page:
    visit(page, entry_url(built_site))
    expect(steps(page)).to_have_count(len(entry(built_site)["confirm"]))
    return page


def test_ticks_survive_a_reload(entry_page: Page) -> None:
    steps(entry_page).nth(0).check()
    steps(entry_page).nth(2).check()

    entry_page.reload()

    expect(steps(entry_page).nth(0)).to_be_checked()
    expect(steps(entry_page).nth(1)).not_to_be_checked()
    expect(steps(entry_page).nth(2)).to_be_checked()


def test_another_tab_follows(built_site: Site, context: BrowserContext, entry_page: Page) -> None:
    other = context.new_page()
    visit(other, entry_url(built_site))
    expect(steps(other).nth(1)).not_to_be_checked()

    steps(entry_page).nth(1).check()
    expect(steps(other).nth(1)).to_be_checked()

    steps(other).nth(1).uncheck()
    expect(steps(entry_page).nth(1)).not_to_be_checked()


def test_each_entry_has_its_own(built_site: Site, entry_page: Page) -> None:
    for box in steps(entry_page).all():
        box.check()

    visit(entry_page, entry_url(built_site, OTHER))

    assert steps(entry_page, OTHER).count() > 1
    for box in steps(entry_page, OTHER).all():
        expect(box).not_to_be_checked()


def test_clearing(entry_page: Page) -> None:
    expect(clear(entry_page)).to_be_hidden()
    steps(entry_page).nth(0).check()
    steps(entry_page).nth(1).check()

    clear(entry_page).click()

    for _ in range(2):
        for box in steps(entry_page).all():
            expect(box).not_to_be_checked()
        expect(clear(entry_page)).to_be_hidden()
        entry_page.reload()


def test_clearing_leaves_other_entries_alone(built_site: Site, entry_page: Page) -> None:
    steps(entry_page).nth(0).check()
    visit(entry_page, entry_url(built_site, OTHER))
    steps(entry_page, OTHER).nth(0).check()

    clear(entry_page).click()
    visit(entry_page, entry_url(built_site))

    expect(steps(entry_page).nth(0)).to_be_checked()


def test_by_keyboard(entry_page: Page) -> None:
    steps(entry_page).nth(0).focus()
    entry_page.keyboard.press("Space")
    expect(steps(entry_page).nth(0)).to_be_checked()

    clear(entry_page).focus()
    entry_page.keyboard.press("Enter")

    expect(steps(entry_page).nth(0)).not_to_be_checked()
    # The button is gone, the focus is not.
    expect(steps(entry_page).nth(0)).to_be_focused()


@pytest.mark.parametrize("value", ["", "{not json", "null", "42", '"text"', "{}", "[1, null, {}]"])
def test_a_damaged_memory_does_no_harm(
    built_site: Site, entry_page: Page, watch: Watch, value: str
) -> None:
    steps(entry_page).nth(0).check()
    (key,) = [key for key in entry_page.evaluate("Object.keys(localStorage)") if "checklist" in key]
    entry_page.evaluate("pair => localStorage.setItem(...pair)", [key, value])

    entry_page.reload(wait_until="networkidle")

    expect(steps(entry_page).nth(0)).not_to_be_checked()
    steps(entry_page).nth(1).check()
    entry_page.reload()
    expect(steps(entry_page).nth(1)).to_be_checked()
    watch.assert_clean(built_site.url)


def test_the_list_of_all_checklists_shares_them(built_site: Site, entry_page: Page) -> None:
    steps(entry_page).nth(1).check()

    visit(entry_page, f"{built_site.url}checklists/")

    expect(steps(entry_page).nth(1)).to_be_checked()
    expect(steps(entry_page).nth(0)).not_to_be_checked()
    steps(entry_page).nth(0).check()

    visit(entry_page, entry_url(built_site))
    expect(steps(entry_page).nth(0)).to_be_checked()
    expect(steps(entry_page).nth(1)).to_be_checked()
