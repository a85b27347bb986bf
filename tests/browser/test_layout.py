"""Narrow screens, the panels by role, paper, and the dark scheme."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.published import entry, entry_url, visit
from tests.browser.watch import OpenContext, color_scheme_of
from tests.built import PAGE_KINDS, Site

ROLES = {"On call": "on_call", "Engineer": "engineer", "Executive": "executive"}


# test_axe.py looks at 390 px.
@pytest.mark.parametrize("kind", PAGE_KINDS)
def test_nothing_sticks_out_at_320_px(
    built_site: Site, open_context: OpenContext, kind: str
) -> None:
    context, _ = open_context(width=320, height=640)
    page = context.new_page()
    page.goto(built_site.page(kind), wait_until="networkidle")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")

    wider: list[str] = page.evaluate(
        """() => document.documentElement.scrollWidth <= innerWidth ? []
          : [...document.querySelectorAll("main *")]
            .filter((each) => each.getBoundingClientRect().right > innerWidth + 0.5)
            .map((each) => each.outerHTML.slice(0, 120))"""
    )
    page.evaluate("scrollTo(1000, 0)")

    assert page.evaluate("scrollX") == 0, "\n".join(wider[:5])


# --- roles ---


def shown_roles(page: Page) -> list[str]:
    return [name for name, key in ROLES.items() if page.locator(f".fb-role--{key}").is_visible()]


def test_roles_by_keyboard(built_site: Site, page: Page) -> None:
    page.goto(entry_url(built_site))
    group = page.get_by_role("group", name="Read as")
    expect(group.get_by_role("radio")).to_have_count(len(ROLES))
    assert shown_roles(page) == ["On call"]

    group.get_by_role("radio", name="On call").focus()
    for name in ("Engineer", "Executive", "On call"):
        page.keyboard.press("ArrowRight")
        expect(group.get_by_role("radio", name=name)).to_be_focused()
        assert shown_roles(page) == [name]


def test_focus_on_a_role_can_be_seen(built_site: Site, page: Page) -> None:
    page.goto(entry_url(built_site))
    page.get_by_role("radio", name="On call").focus()
    page.keyboard.press("ArrowRight")

    outline = page.locator(".fb-roles label", has_text="Engineer").evaluate(
        "label => getComputedStyle(label).outlineStyle"
    )

    assert outline == "solid"


# --- paper ---


def test_on_paper_nothing_is_folded_away(built_site: Site, page: Page) -> None:
    page.goto(entry_url(built_site))
    page.emulate_media(media="print")

    assert shown_roles(page) == list(ROLES)
    for name, key in ROLES.items():
        expect(page.locator(f".fb-role--{key} .fb-role__name")).to_have_text(name)
        expect(page.locator(f".fb-role--{key} .fb-role__name")).to_be_visible()
    folded = page.locator("article details > :not(summary)").evaluate_all(
        "found => found.filter((each) => !each.checkVisibility() || !each.offsetHeight).length"
    )
    assert folded == 0
    for reference in entry(built_site)["references"][:2]:
        link = page.locator(f"#references ~ ol a[href='{reference['url']}']")
        printed = link.evaluate("link => getComputedStyle(link, '::after').content")
        assert reference["url"] in printed


def test_paper_has_no_controls(built_site: Site, page: Page) -> None:
    page.goto(entry_url(built_site))
    expect(page.locator("button.fb-copy").first).to_be_visible()
    page.emulate_media(media="print")

    expect(page.locator("button:visible, header:visible, nav.md-nav:visible")).to_have_count(0)


# --- schemes ---


def brightness(page: Page) -> float:
    """Of the page's paper, from 0 (black) to 1 (white)."""
    value: float = page.evaluate(
        """() => {
            const color = getComputedStyle(document.body).backgroundColor;
            const [r, g, b] = color.match(/[\\d.]+/g).map(Number);
            return (r + g + b) / 3 / 255;
        }"""
    )
    return value


@pytest.mark.parametrize("kind", ["home", "entry", "404"])
def test_the_system_s_scheme(built_site: Site, open_context: OpenContext, kind: str) -> None:
    context, _ = open_context(color_scheme="dark")
    page = context.new_page()
    page.goto(built_site.page(kind))

    assert color_scheme_of(page) == "slate"
    assert brightness(page) < 0.2
    # Scroll bars and boxes of the browser follow.
    assert page.evaluate("getComputedStyle(document.body).colorScheme").split()[0] == "dark"


@pytest.mark.parametrize("by", ["pointer", "keyboard"])
def test_the_switch_is_remembered(built_site: Site, page: Page, by: str) -> None:
    visit(page, entry_url(built_site))
    assert brightness(page) > 0.8

    switch = page.get_by_role("button", name="Switch to the dark scheme")
    if by == "pointer":
        switch.click()
    else:
        switch.focus()
        page.keyboard.press("Enter")
    expect(page.locator("body")).to_have_attribute("data-md-color-scheme", "slate")
    assert brightness(page) < 0.2

    page.reload()
    assert brightness(page) < 0.2
    visit(page, built_site.page("home"))
    assert brightness(page) < 0.2

    page.get_by_role("button", name="Switch to the light scheme").click()
    page.reload()
    assert brightness(page) > 0.8
