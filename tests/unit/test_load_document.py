"""Where a value stands, and a character inside it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.load import Document, parse

TEXT = """\
plain: a value <int>
single: 'it''s <int>'
double: "a \\"b\\" \\u00e9 <int>"
block: |-
  first

    second <int>
folded: >-
  first
  second <int>
long: a value
  goes on <int>
list:
  - one
  - {two: <int>}
empty:
"""


def document(text: str = TEXT) -> Document:
    return Document("x.yml", Path("nowhere/x.yml"), text)


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        (("plain",), 1, 16),
        (("single",), 2, 16),
        (("double",), 3, 25),
        (("block",), 7, 12),
        (("folded",), 8, 9),  # the start is near enough
        (("long",), 11, 7),
        (("list", 1, "two"), 15, 11),
    ],
)
def test_a_character_inside_a_text(path: tuple[str | int, ...], line: int, column: int) -> None:
    data = parse(TEXT).data
    for step in path:
        data = data[step]
    assert document().position(path, offset=data.index("<int>")) == (line, column)


def test_key_value_and_parent() -> None:
    found = document()
    assert found.position(("list",), key=True) == (13, 1)
    assert found.position(("list",)) == (14, 3)
    assert found.position(("list", 1, "three")) == (15, 5)
    assert found.position(("none",)) == (1, 1)
    assert found.position(("empty",)) == (16, 7)


def test_windows_line_ends() -> None:
    found = document(TEXT.replace("\n", "\r\n"))
    value = parse(TEXT).data["block"]
    assert found.position(("block",), offset=value.index("<int>")) == (7, 12)


def test_a_file_that_is_gone_has_no_places() -> None:
    assert Document("x.yml", Path("nowhere/x.yml")).position(("a",)) == (1, 1)


def test_raw_text_of_a_number() -> None:
    found = document("a: 3.10\nb: '3.10'\n")
    assert (found.raw(("a",)), found.raw(("b",))) == ("3.10", None)


_texts = st.text(st.sampled_from(list("ab<>'\"\\: é😀#")), min_size=1, max_size=20)


@given(_texts, st.sampled_from(["'", '"']), st.data())
def test_offset_points_at_the_character(value: str, style: str, data: st.DataObject) -> None:
    if style == "'":
        written = "'" + value.replace("'", "''") + "'"
    else:
        written = '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    text = f"é: [{written}]"
    assert parse(text).data == {"é": [value]}
    offset = data.draw(st.integers(0, len(value) - 1))
    line, column = document(text).position(("é", 0), offset=offset)
    assert line == 1
    shown = text[column - 1]
    assert shown in (value[offset], "\\")
