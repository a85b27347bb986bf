"""The drawing of all entries: complete, readable, and quick to narrow down."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.published import ENTRY, entries, entry, visit
from tests.browser.watch import OpenContext
from tests.built import Site

Pair = tuple[str, str]


@pytest.fixture
def graph(built_site: Site, page: Page) -> Page:
    visit(page, built_site.page("graph"))
    return page


def related(site: Site, kind: str) -> set[Pair]:
    """The relations that the entries state, as (holder, other)."""
    return {
        (each["id"], other if isinstance(other, str) else other["id"])
        for each in entries(site)
        for other in entry(site, each["id"]).get("relations", {}).get(kind, ())
    }


def nodes(page: Page) -> Locator:
    return page.locator(".fb-graph__svg a.fb-node")


def node(page: Page, id_: str = ENTRY) -> Locator:
    return page.locator(f".fb-graph__svg a[href$='/{id_}/']")


def drawn(page: Page, kind: str) -> set[Pair]:
    """The visible lines of a kind, as (from, to)."""
    lines: list[list[str]] = page.locator(f".fb-edge--{kind}").evaluate_all(
        "lines => lines.filter(line => getComputedStyle(line).display !== 'none')"
        ".map(line => [line.dataset.from, line.dataset.to])"
    )
    return {(source, target) for source, target in lines}


def shown_ids(page: Page) -> set[str]:
    addresses: list[str] = page.locator(".fb-graph__svg a.fb-node:visible").evaluate_all(
        "links => links.map(link => link.href.baseVal)"
    )
    return {address.rstrip("/").rsplit("/", 1)[-1] for address in addresses}


def opacity(found: Locator) -> float:
    return float(found.evaluate("element => getComputedStyle(element).opacity"))


def all_ids(site: Site) -> set[str]:
    return {each["id"] for each in entries(site)}


def test_every_entry_is_a_link(built_site: Site, graph: Page) -> None:
    assert nodes(graph).count() == len(all_ids(built_site))
    assert shown_ids(graph) == all_ids(built_site)
    node(graph).click()
    expect(graph.get_by_role("heading", level=1)).to_have_text(entry(built_site)["title"])


def test_each_node_is_named(built_site: Site, graph: Page) -> None:
    titles = {each["id"]: each["title"] for each in entries(built_site)}
    named: list[list[str]] = nodes(graph).evaluate_all(
        "links => links.map(link => [link.dataset.id, link.getAttribute('aria-label')])"
    )

    assert [label for id_, label in named if not label.startswith(titles[id_])] == []


def test_leads_to_is_drawn_as_stated(built_site: Site, graph: Page) -> None:
    stated = related(built_site, "leads_to")
    assert stated

    assert drawn(graph, "leads-to") == stated
    for arrow in graph.locator(".fb-edge--leads-to").all():
        marker = (arrow.get_attribute("marker-end") or "").removeprefix("url(").removesuffix(")")
        expect(graph.locator(f"marker{marker} path")).to_have_count(1)


def test_mistaken_for_is_drawn_as_stated(built_site: Site, graph: Page) -> None:
    stated = {frozenset(pair) for pair in related(built_site, "mistaken_for")}
    assert stated

    assert {frozenset(pair) for pair in drawn(graph, "mistaken-for")} == stated
    # Neither is the other's cause.
    expect(graph.locator(".fb-edge--mistaken-for[marker-end]")).to_have_count(0)


def test_an_arrow_ends_at_the_dot_it_points_to(graph: Page) -> None:
    far: list[str] = graph.locator(".fb-edge--leads-to").evaluate_all(
        """lines => lines.filter(line => {
            const end = line.getPointAtLength(line.getTotalLength());
            const dot = document.querySelector(`a[data-id="${line.dataset.to}"] circle`);
            return Math.hypot(end.x - dot.cx.baseVal.value, end.y - dot.cy.baseVal.value) > 12;
        }).map(line => line.dataset.to)"""
    )
    assert far == []


def test_labels_keep_apart(graph: Page) -> None:
    boxes: list[dict[str, Any]] = graph.locator(".fb-node text").evaluate_all(
        "texts => texts.map(text => ({label: text.textContent, box: text.getBBox()}))"
        ".map(({label, box: {x, y, width, height}}) =>"
        " ({label, x, y, right: x + width, bottom: y + height}))"
    )
    overlapping = [
        (one["label"], other["label"])
        for one, other in combinations(boxes, 2)
        if one["x"] < other["right"]
        and other["x"] < one["right"]
        and one["y"] < other["bottom"]
        and other["y"] < one["bottom"]
    ]

    assert len(boxes) > 1
    assert overlapping == []


def test_nothing_is_cut_off(graph: Page) -> None:
    outside: list[str] = nodes(graph).evaluate_all(
        """links => {
            const frame = document.querySelector(".fb-graph__svg").viewBox.baseVal;
            return links.filter(link => {
                const box = link.getBBox();
                return box.x < 0 || box.y < 0 || box.x + box.width > frame.width
                    || box.y + box.height > frame.height;
            }).map(link => link.dataset.id);
        }"""
    )
    assert outside == []


def test_choosing_categories(built_site: Site, graph: Page) -> None:
    storage = {each["id"] for each in entries(built_site) if each["category"] == "storage"}
    graph.locator("summary", has_text="Categories").click()
    group = graph.get_by_role("group", name="Categories")

    group.get_by_role("checkbox", name="Storage").uncheck()
    assert shown_ids(graph) == all_ids(built_site) - storage
    assert not any(storage & set(pair) for pair in drawn(graph, "leads-to"))

    group.get_by_role("button", name="None").click()
    assert shown_ids(graph) == set()
    group.get_by_role("checkbox", name="Storage").check()
    assert shown_ids(graph) == storage

    group.get_by_role("button", name="All").click()
    assert shown_ids(graph) == all_ids(built_site)
    assert drawn(graph, "leads-to") == related(built_site, "leads_to")


def test_choosing_kinds_of_links(graph: Page) -> None:
    group = graph.get_by_role("group", name="Links")
    assert drawn(graph, "alike") == set()

    group.get_by_role("checkbox", name="leads to").uncheck()
    group.get_by_role("checkbox", name="alike").check()

    assert drawn(graph, "leads-to") == set()
    assert drawn(graph, "alike")
    assert drawn(graph, "mistaken-for")


def test_focus_shows_the_neighbours(built_site: Site, graph: Page) -> None:
    neighbours = {
        other
        for kind in ("leads-to", "mistaken-for", "see-also")
        for pair in drawn(graph, kind)
        if ENTRY in pair
        for other in pair
    }
    distant = all_ids(built_site) - neighbours
    assert len(neighbours) > 1
    assert distant

    node(graph).focus()
    assert {id_ for id_ in all_ids(built_site) if opacity(node(graph, id_)) == 1} == neighbours

    node(graph).blur()
    assert {id_ for id_ in distant if opacity(node(graph, id_)) < 1} == set()


def test_pointing_shows_the_neighbours(built_site: Site, graph: Page) -> None:
    node(graph).hover()
    assert any(opacity(node(graph, id_)) < 1 for id_ in all_ids(built_site))

    graph.get_by_role("heading", level=1).hover()
    assert all(opacity(node(graph, id_)) == 1 for id_ in all_ids(built_site))


def test_zoom(graph: Page) -> None:
    drawing, frame = graph.locator(".fb-graph__svg"), graph.locator(".fb-graph__frame")

    def size() -> tuple[float, float]:
        box = drawing.bounding_box()
        assert box
        return box["width"], box["height"]

    natural = size()
    graph.get_by_role("button", name="Larger").click()
    assert size() > natural
    graph.get_by_role("button", name="Smaller").click()
    graph.get_by_role("button", name="Smaller").click()
    assert size() < natural

    graph.get_by_role("button", name="Whole").click()
    width, height = size()
    room = frame.bounding_box()
    assert room
    assert width <= room["width"]
    assert height <= room["height"]
    assert width / height == pytest.approx(natural[0] / natural[1], rel=0.02)


def test_on_a_phone(built_site: Site, open_context: OpenContext) -> None:
    context, _ = open_context(width=390, height=844)
    page = context.new_page()
    page.goto(built_site.page("graph"))

    page.evaluate("scrollTo(1000, 0)")
    assert page.evaluate("scrollX") == 0
    # The drawing scrolls inside its frame, and what it shows can be chosen.
    assert page.locator(".fb-graph__frame").evaluate("frame => frame.scrollWidth > 390")
    expect(page.get_by_role("checkbox", name="leads to")).to_be_visible()
    # The theme's scripts come with the first scroll and may move what is to be clicked.
    page.wait_for_load_state("networkidle")
    node(page).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(entry(built_site)["title"])


def test_without_javascript(built_site: Site, open_context: OpenContext) -> None:
    context, _ = open_context(javascript=False)
    page = context.new_page()
    page.goto(built_site.page("graph"))

    assert page.locator(".fb-graph__svg a.fb-node:visible").count() == len(all_ids(built_site))
    assert page.locator("article :is(input, button):visible").count() == 0
    node(page).click()
    expect(page.get_by_role("heading", level=1)).to_have_text(entry(built_site)["title"])
