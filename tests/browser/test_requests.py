"""A reader's browser talks to no other host, and no page prints an error."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.watch import Watch
from tests.built import PAGE_KINDS, Site


@pytest.mark.parametrize("kind", PAGE_KINDS)
def test_served(built_site: Site, page: Page, watch: Watch, kind: str) -> None:
    page.goto(built_site.page(kind), wait_until="networkidle")

    assert page.locator("h1").first.is_visible()
    watch.assert_clean(built_site.url)


# Only a server shows 404.html, which therefore names its assets by their full path.
@pytest.mark.parametrize("kind", [kind for kind in PAGE_KINDS if kind != "404"])
def test_from_an_offline_copy(built_site: Site, page: Page, watch: Watch, kind: str) -> None:
    """Reading is promised from `file://`, searching is not."""
    page.goto(built_site.file(kind).as_uri(), wait_until="networkidle")

    assert page.locator("h1").first.is_visible()
    watch.assert_clean("file://")


def test_unknown_address(built_site: Site, page: Page, watch: Watch) -> None:
    address = built_site.url + "failures/no-such-failure/"
    response = page.goto(address, wait_until="networkidle")

    assert response is not None
    assert response.status == 404
    assert page.locator("h1").first.is_visible()
    # Chromium reports the page's own status as a console error.
    watch.assert_clean(built_site.url, allow=(f"[{address}]",))
