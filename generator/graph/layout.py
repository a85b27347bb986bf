"""Where each entry stands in a drawing of all of them.

igraph finds the places: linked entries, and those of one category, come to lie
near each other. Each entry is then moved to the nearest free cell of a grid, so
that no label covers another, however many there are.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import igraph

from generator.graph.relations import Related
from generator.model import Encyclopedia

_SEED = 20
_ITERATIONS = 300
#: From so many entries on, fewer iterations: the time of one grows with their number.
_LARGE = 1000
_LEAST_ITERATIONS = 30
#: How strongly a kind of link pulls, and how strongly a common category does.
_PULL = {"leads-to": 3.0, "caused-by": 3.0, "mistaken-for": 2.0, "see-also": 1.5, "alike": 1.0}
_CATEGORY_PULL = 1.2
#: Cells for each entry: room for the drawing to keep its shape.
_ROOM = 1.7
#: A cell is wider than high, as labels are.
_WIDTH_TO_HEIGHT = 2.6


@dataclass(frozen=True, slots=True)
class Cell:
    """A place in the grid, counted from the upper left corner."""

    column: int
    row: int


@dataclass(frozen=True, slots=True)
class Layout:
    """The grid's size, and the place of each entry by its id."""

    columns: int
    rows: int
    cells: Mapping[str, Cell]


def _edges(
    encyclopedia: Encyclopedia, related: Mapping[str, tuple[Related, ...]], place: Mapping[str, int]
) -> dict[tuple[int, int], float]:
    pull: dict[tuple[int, int], float] = {}
    for holder, links in related.items():
        for link in links:
            one, other = sorted((place[holder], place[link.id]))
            pull[one, other] = max(pull.get((one, other), 0.0), _PULL[link.kind])
    by_category: dict[str, int] = {}
    for id_, entry in encyclopedia.entries.items():
        # A chain through the category holds it together without linking all with all.
        if (last := by_category.get(entry.category)) is not None:
            pull.setdefault((last, place[id_]), _CATEGORY_PULL)
        by_category[entry.category] = place[id_]
    return pull


def lay_out(encyclopedia: Encyclopedia, related: Mapping[str, tuple[Related, ...]]) -> Layout:
    """Place every entry.

    Args:
        encyclopedia: all entries.
        related: the links of each.

    Returns:
        A layout that depends on its arguments alone.
    """
    ids = list(encyclopedia.entries)
    if not ids:
        return Layout(0, 0, {})
    place = {id_: index for index, id_ in enumerate(ids)}
    pull = _edges(encyclopedia, related, place)
    edges = sorted(pull)
    generator = random.Random(_SEED)
    igraph.set_random_number_generator(generator)
    graph = igraph.Graph(n=len(ids), edges=edges)
    # A fixed start makes the drawing change little when one entry changes.
    start = [[generator.uniform(-1, 1), generator.uniform(-1, 1)] for _ in ids]
    points = graph.layout_fruchterman_reingold(
        weights=[pull[edge] for edge in edges],
        niter=max(_LEAST_ITERATIONS, min(_ITERATIONS, _ITERATIONS * _LARGE // len(ids))),
        seed=start,
    ).coords
    columns = max(1, math.ceil(math.sqrt(len(ids) * _ROOM / _WIDTH_TO_HEIGHT)))
    rows = max(1, math.ceil(len(ids) * _ROOM / columns))
    return _trimmed(ids, _on_grid(points, columns, rows))


def _scaled(values: Sequence[float], most: int) -> list[float]:
    """Spread values over 0 to `most` by rank and by distance in equal parts.

    Distance keeps the shape, rank fills the corners that a round drawing leaves empty.
    """
    low, high = min(values), max(values)
    order = sorted(range(len(values)), key=values.__getitem__)
    by_rank = {index: rank for rank, index in enumerate(order)}
    last = max(1, len(values) - 1)
    span = (high - low) or 1.0
    return [
        most * ((value - low) / span + by_rank[index] / last) / 2
        for index, value in enumerate(values)
    ]


def _on_grid(points: Sequence[Sequence[float]], columns: int, rows: int) -> list[Cell]:
    across = _scaled([point[0] for point in points], columns - 1)
    down = _scaled([point[1] for point in points], rows - 1)
    middle = (columns - 1) / 2, (rows - 1) / 2
    # From the middle outwards: those that have to give way move to the rim.
    order = sorted(
        range(len(points)),
        key=lambda i: ((across[i] - middle[0]) ** 2 + (down[i] - middle[1]) ** 2, i),
    )
    free = {(column, row) for column in range(columns) for row in range(rows)}
    cells = [Cell(0, 0)] * len(points)
    for index in order:
        column, row = _nearest(free, across[index], down[index], rows + _WIDTH_TO_HEIGHT * columns)
        free.remove((column, row))
        cells[index] = Cell(column, row)
    return cells


def _nearest(free: set[tuple[int, int]], x: float, y: float, most: float) -> tuple[int, int]:
    """Return the free cell nearest to a point, looking in wider and wider windows."""
    reach = 1.0
    while True:
        wide = reach / _WIDTH_TO_HEIGHT
        found = min(
            (
                ((_WIDTH_TO_HEIGHT * (column - x)) ** 2 + (row - y) ** 2, (column, row))
                for column in range(math.ceil(x - wide), math.floor(x + wide) + 1)
                for row in range(math.ceil(y - reach), math.floor(y + reach) + 1)
                if (column, row) in free
            ),
            default=None,
        )
        # Beyond the window every cell is farther away than its edge.
        if found is not None and (found[0] <= reach * reach or reach > most):
            return found[1]
        reach *= 2


def _trimmed(ids: Sequence[str], cells: Sequence[Cell]) -> Layout:
    left = min(cell.column for cell in cells)
    top = min(cell.row for cell in cells)
    moved = {
        id_: Cell(cell.column - left, cell.row - top) for id_, cell in zip(ids, cells, strict=True)
    }
    return Layout(
        columns=1 + max(cell.column for cell in moved.values()),
        rows=1 + max(cell.row for cell in moved.values()),
        cells=moved,
    )
