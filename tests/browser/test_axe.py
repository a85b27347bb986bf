"""No accessibility violation that axe-core can find, in both schemes, wide and narrow."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.watch import ColorScheme, OpenContext, color_scheme_of
from tests.built import PAGE_KINDS, Site

SCHEMES: dict[ColorScheme, str] = {"light": "default", "dark": "slate"}


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("kind", PAGE_KINDS)
def test_no_violations(
    built_site: Site, open_context: OpenContext, kind: str, scheme: ColorScheme, width: int
) -> None:
    context, _ = open_context(color_scheme=scheme, width=width)
    page = context.new_page()
    page.goto(built_site.page(kind), wait_until="networkidle")
    assert color_scheme_of(page) == SCHEMES[scheme]

    # The others' details cost axe most of its time.
    results = Axe().run(page, options={"resultTypes": ["violations"]})
    violations = results.response["violations"]

    found = [
        f"{violation['id']} ({violation['impact']}): {violation['help']}\n  {node['html']}"
        for violation in violations
        for node in violation["nodes"]
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("kind", PAGE_KINDS)
def test_nothing_sticks_out_on_a_phone(
    built_site: Site, open_context: OpenContext, kind: str
) -> None:
    context, _ = open_context(width=390, height=844)
    page = context.new_page()
    page.goto(built_site.page(kind), wait_until="networkidle")

    overflow = page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )

    assert overflow <= 0, f"the page is {overflow} px wider than the screen"
