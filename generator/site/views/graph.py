"""The drawing of all entries and their links, and the small one on an entry's page."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass

import jinja2

from generator.export import structured
from generator.graph import KINDS, Related, RelationKind, lay_out
from generator.model import Entry
from generator.site.records import PagePlan, RenderedPage, Site
from generator.site.views.rendering import render_template

# Sizes in CSS pixels. A cell holds a dot and a title of three lines at 12 px.
_CELL_WIDTH, _CELL_HEIGHT = 190, 76
_LABEL_LETTERS, _LABEL_LINES = 25, 3
_MARGIN = 24

_SMALL_MOST = 10
_SMALL_ROW = 30
_SMALL_LETTERS = 34

#: The kind that is drawn for a pair, where both directions are stated: one line each.
_FORWARD: Mapping[RelationKind, RelationKind] = {"caused-by": "leads-to"}


@dataclass(frozen=True, slots=True)
class Node:
    """An entry in the drawing; `x` and `y` are the middle of its dot."""

    entry: Entry
    x: int
    y: int
    lines: tuple[str, ...]
    hue: int


@dataclass(frozen=True, slots=True)
class Edge:
    """A line between two entries, as an SVG path."""

    source: str
    target: str
    kind: RelationKind
    path: str


def _lines(title: str, letters: int, most: int) -> tuple[str, ...]:
    wrapped = textwrap.wrap(title, letters, max_lines=most, placeholder=" …")
    return tuple(wrapped) or (title[:letters],)


def category_hues(site: Site) -> Mapping[str, int]:
    """Return a hue in degrees for each category, far apart for neighbours in the list."""
    ids = list(site.encyclopedia.taxonomy.categories)
    # The golden angle: any run of categories is spread around the circle.
    return {id_: round(index * 137.508) % 360 for index, id_ in enumerate(ids)}


def _curve(x1: float, y1: float, x2: float, y2: float) -> str:
    """Return a slightly bent line that ends at the rim of the target's dot."""
    dx, dy = x2 - x1, y2 - y1
    length = math.hypot(dx, dy) or 1.0
    gap = 9
    x2, y2 = x2 - dx / length * gap, y2 - dy / length * gap
    bend = min(26.0, length / 9)
    cx, cy = (x1 + x2) / 2 - dy / length * bend, (y1 + y2) / 2 + dx / length * bend
    return f"M{x1:.0f} {y1:.0f}Q{cx:.0f} {cy:.0f} {x2:.0f} {y2:.0f}"


def _edges(
    related: Mapping[str, tuple[Related, ...]], nodes: Mapping[str, Node]
) -> tuple[Edge, ...]:
    drawn: dict[tuple[str, str, RelationKind], Edge] = {}
    for holder, links in related.items():
        for link in links:
            source, target = holder, link.id
            kind = _FORWARD.get(link.kind, link.kind)
            if kind != link.kind or (kind != "leads-to" and target < source):
                source, target = target, source
            if (source, target, kind) in drawn:
                continue
            a, b = nodes[source], nodes[target]
            path = _curve(a.x, a.y, b.x, b.y)
            drawn[source, target, kind] = Edge(source, target, kind, path)
    order = list(KINDS)[::-1]
    return tuple(sorted(drawn.values(), key=lambda e: (order.index(e.kind), e.source, e.target)))


def graph_page(env: jinja2.Environment, site: Site, plan: PagePlan) -> RenderedPage:
    """Render the drawing of all entries."""
    layout = site.layouts.get(plan.url) or lay_out(site.encyclopedia, site.related)
    site.layouts[plan.url] = layout
    hues = category_hues(site)
    nodes: dict[str, Node] = {}
    for id_, cell in layout.cells.items():
        entry = site.encyclopedia.entries[id_]
        nodes[id_] = Node(
            entry=entry,
            # Every other row stands half a cell aside, so that lines find gaps.
            x=_MARGIN + cell.column * _CELL_WIDTH + (cell.row % 2) * _CELL_WIDTH // 2,
            y=_MARGIN + cell.row * _CELL_HEIGHT,
            lines=_lines(entry.title, _LABEL_LETTERS, _LABEL_LINES),
            hue=hues[entry.category],
        )
    edges = _edges(site.related, nodes)
    title = "Graph"
    description = "How the failures hang together: which leads to which, and which look alike."
    html = render_template(
        env,
        site,
        plan,
        "graph.html",
        lead=description,
        nodes=sorted(nodes.values(), key=lambda node: (node.y, node.x)),
        edges=edges,
        kinds=[
            (kind, KINDS[kind], sum(1 for edge in edges if edge.kind == kind))
            for kind in KINDS
            if any(edge.kind == kind for edge in edges)
        ],
        hues=hues,
        width=2 * _MARGIN + layout.columns * _CELL_WIDTH + _CELL_WIDTH // 2,
        height=2 * _MARGIN + layout.rows * _CELL_HEIGHT,
    )
    return RenderedPage(
        title=title,
        description=description,
        html=html,
        structured=structured.collection_json_ld(
            title, description, plan.url, site.settings.site_url
        ),
    )


@dataclass(frozen=True, slots=True)
class SmallNode:
    """A neighbour in an entry's own drawing; `path` leads to it or from it."""

    entry: Entry
    kind: RelationKind
    y: int
    line: str
    path: str
    hue: int


@dataclass(frozen=True, slots=True)
class Neighbourhood:
    """An entry's own drawing.

    Attributes:
        nodes: its nearest neighbours.
        height: of the drawing, in CSS pixels.
        more: neighbours that are listed but not drawn.
    """

    nodes: tuple[SmallNode, ...]
    height: int
    more: int


def neighbourhood(site: Site, entry: Entry) -> Neighbourhood:
    """Return the drawing of an entry with its nearest neighbours.

    Args:
        site: the relations of all entries.
        entry: the entry in the middle.
    """
    hues = category_hues(site)
    first: dict[str, Related] = {}
    for link in site.related[entry.id]:
        first.setdefault(link.id, link)
    shown = list(first.values())[:_SMALL_MOST]
    height = max(2, len(shown)) * _SMALL_ROW + 8
    middle = height / 2
    nodes: list[SmallNode] = []
    for index, link in enumerate(shown):
        y = round(middle + (index - (len(shown) - 1) / 2) * _SMALL_ROW)
        start, end = (20.0, middle), (92.0, float(y))
        if link.kind == "caused-by":
            start, end = (98.0, float(y)), (27.0, middle)
        bend = (start[0] + end[0]) / 2
        points = (bend, start[1]), (bend, end[1]), end
        curve = " ".join(f"{px:.0f} {py:.0f}" for px, py in points)
        path = f"M{start[0]:.0f} {start[1]:.0f}C{curve}"
        other = site.encyclopedia.entries[link.id]
        nodes.append(
            SmallNode(
                other,
                link.kind,
                y,
                _lines(other.title, _SMALL_LETTERS, 1)[0],
                path,
                hues[other.category],
            )
        )
    return Neighbourhood(tuple(nodes), height, len(first) - len(shown))
