"""A grammar that names how many bytes decide about it never looks further."""

from __future__ import annotations

from re import _parser  # type: ignore[attr-defined]  # the only source of an expression's width

import pytest

from generator.signatures.knowledge import knowledge

BOUNDED = [one for one in knowledge()["prefixes"] if "longest" in one]


@pytest.mark.parametrize("grammar", BOUNDED, ids=[one["name"] for one in BOUNDED])
def test_longest_is_the_width_of_the_expression(grammar: dict[str, object]) -> None:
    width = _parser.parse(grammar["regex"]).getwidth()[1]
    if "rest" in grammar:
        width += _parser.parse(grammar["rest"]).getwidth()[1]
    assert grammar["longest"] == width


def test_the_usual_launchers_are_bounded() -> None:
    names = {one["name"] for one in BOUNDED}
    assert {"torchrun-rank", "torchrun-default", "slurm-label", "mpi"} <= names
