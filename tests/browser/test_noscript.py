"""Every page can be read with JavaScript switched off."""

from __future__ import annotations

import pytest

from tests.browser.watch import OpenContext
from tests.built import PAGE_KINDS, Site

# Controls, what a script fills or shows, and panels that a radio button opens without a script
# (tested below).
_EXEMPT = "form, [hidden], .fb-role, noscript, dialog"
_HIDDEN = f"""
() => [...document.querySelectorAll('article :is(h1, h2, h3, h4, p, li, td, th, dd, pre)')]
  .filter(e => e.textContent.trim() && !e.closest('{_EXEMPT}, details:not([open])'))
  .filter(e => !e.checkVisibility({{ visibilityProperty: true, opacityProperty: true }}))
  .map(e => e.textContent.trim().slice(0, 80))
"""


@pytest.mark.parametrize("kind", PAGE_KINDS)
def test_reading(built_site: Site, open_context: OpenContext, kind: str) -> None:
    context, watch = open_context(javascript=False)
    page = context.new_page()
    page.goto(built_site.page(kind), wait_until="load")

    assert page.locator("h1").first.is_visible()
    assert page.evaluate(_HIDDEN) == []
    watch.assert_clean(built_site.url)


def test_an_entry_shows_its_sections(built_site: Site, open_context: OpenContext) -> None:
    context, _ = open_context(javascript=False)
    page = context.new_page()
    page.goto(built_site.page("entry"), wait_until="load")

    sections = page.locator("article h2")

    assert sections.count() >= 6, sections.all_inner_texts()


def test_each_role_can_be_read(built_site: Site, open_context: OpenContext) -> None:
    context, _ = open_context(javascript=False)
    page = context.new_page()
    page.goto(built_site.page("entry"), wait_until="load")
    panels = page.locator(".fb-role")
    labels = page.locator(".fb-roles label")
    assert labels.count() == panels.count() >= 2

    for index in range(labels.count()):
        labels.nth(index).click()
        shown = [panels.nth(n).is_visible() for n in range(panels.count())]
        assert shown == [n == index for n in range(panels.count())]
