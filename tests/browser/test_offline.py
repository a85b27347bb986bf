"""A copy of the site can be read from a folder: no server, no module scripts."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.published import ENTRY, entries, entry
from tests.browser.watch import Watch
from tests.built import Site

#: Headings, paragraphs and the like that hold text and cannot be seen.
_HIDDEN = """
() => [...document.querySelectorAll('article :is(h1, h2, h3, p, li, td, th, dt, dd, pre, summary)')]
  .filter((e) => e.textContent.trim() && !e.closest('form, [hidden], .fb-role'))
  .filter((e) => !e.checkVisibility({visibilityProperty: true, opacityProperty: true}))
  .map((e) => e.textContent.trim().slice(0, 80))
"""


@pytest.mark.parametrize("kind", ["home", "entry", "browse", "graph"])
def test_everything_can_be_read(built_site: Site, page: Page, watch: Watch, kind: str) -> None:
    failed: list[str] = []
    page.on("requestfailed", lambda request: failed.append(request.url))
    page.goto(built_site.file(kind).as_uri(), wait_until="networkidle")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")

    assert page.evaluate(_HIDDEN) == []
    # No button or box that nothing would answer, but those of the roles and the ticks.
    dead = page.locator("article :is(button, input:not([name=role], [data-key])):visible")
    expect(dead).to_have_count(0)
    assert failed == []
    watch.assert_clean("file://")


def test_the_roles_of_an_entry(built_site: Site, page: Page) -> None:
    page.goto(built_site.file("entry").as_uri())
    for name in ("Executive", "Engineer", "On call"):
        page.locator(".fb-roles label", has_text=name).click()
        expect(page.locator(".fb-role:visible")).to_have_count(1)
        expect(page.locator(".fb-role:visible")).to_contain_text(name)


def test_lists_are_complete(built_site: Site, page: Page) -> None:
    count = len(entries(built_site))
    page.goto(built_site.file("browse").as_uri())
    expect(page.locator(".fb-browse .fb-list > li:visible")).to_have_count(count)
    page.goto(built_site.file("graph").as_uri())
    expect(page.locator(".fb-graph__svg a.fb-node:visible")).to_have_count(count)


def test_from_page_to_page(built_site: Site, page: Page, watch: Watch) -> None:
    """Nobody turns a folder into its index.html here; the links do."""
    title = entry(built_site)["title"]
    heading = page.get_by_role("heading", level=1)
    folder = built_site.folder.as_uri()
    page.goto(built_site.file("home").as_uri())

    header = page.get_by_role("navigation", name="Header")
    header.get_by_role("link", name="Browse").click()
    expect(heading).to_have_text("Browse all entries")
    assert page.url == f"{folder}/browse/index.html"

    page.locator("article").get_by_role("link", name=title, exact=True).click()
    expect(heading).to_have_text(title)
    assert page.url == f"{folder}/failures/{ENTRY}/index.html"

    page.locator(".fb-related a").first.click()
    expect(heading).not_to_have_text(title)
    assert page.url.endswith("/index.html")

    header.get_by_role("link", name="Faultbook: home").click()
    assert page.url == f"{folder}/index.html"
    watch.assert_clean("file://")


def test_links_to_a_part_of_a_page(built_site: Site, page: Page) -> None:
    page.goto(built_site.file("entry").as_uri())
    page.get_by_role("heading", name="Fix it").hover()
    page.get_by_role("link", name="Link to section Fix it").click()
    assert page.url == f"{built_site.file('entry').as_uri()}#fix"

    page.goto(built_site.file("stats").as_uri())
    page.get_by_role("link", name="critical").click()
    assert page.url.startswith(f"{built_site.file('browse').as_uri()}?severity=critical")
    expect(page.get_by_role("heading", level=1)).to_have_text("Browse all entries")


def test_from_the_drawing(built_site: Site, page: Page) -> None:
    page.goto(built_site.file("graph").as_uri())

    page.locator(f".fb-graph__svg a[data-id={ENTRY}]").click()

    expect(page.get_by_role("heading", level=1)).to_have_text(entry(built_site)["title"])


def test_by_keyboard(built_site: Site, page: Page) -> None:
    page.goto(built_site.file("browse").as_uri())
    page.locator("article").get_by_role("link", name=entry(built_site)["title"]).focus()

    page.keyboard.press("Enter")

    expect(page.get_by_role("heading", level=1)).to_have_text(entry(built_site)["title"])


def test_in_a_new_tab(built_site: Site, page: Page) -> None:
    page.goto(built_site.file("browse").as_uri())

    with page.context.expect_page() as opened:
        page.locator("article").get_by_role("link", name=entry(built_site)["title"]).click(
            button="middle"
        )

    expect(opened.value.get_by_role("heading", level=1)).to_have_text(entry(built_site)["title"])
