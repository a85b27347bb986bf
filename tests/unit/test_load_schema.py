"""Schema errors in plain words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from generator.load import PATTERNS, SCHEMA_FOLDER, Document, Schema, parse, schema_named


def problems(schema: dict[str, Any], text: str) -> list[str]:
    document = Document("x.yml", Path("x.yml"), text)
    found = Schema(schema).problems(parse(text).data, document, [])
    return [str(problem).removesuffix(" [schema]") for problem in found]


def patterns(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if isinstance(schema.get("pattern"), str):
            yield schema["pattern"]
        for value in schema.values():
            yield from patterns(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from patterns(value)


@pytest.mark.parametrize("name", ["entry.schema.json", "taxonomy.schema.json"])
def test_every_pattern_is_said_in_words(name: str) -> None:
    schema = json.loads((SCHEMA_FOLDER / name).read_text(encoding="utf-8"))
    assert set(patterns(schema)) <= set(PATTERNS)


def test_the_deepest_alternative_speaks() -> None:
    inner = {
        "type": "object",
        "properties": {"c": {"enum": ["right", "left"]}},
        "additionalProperties": False,
    }
    schema = {
        "properties": {
            "a": {
                "anyOf": [
                    {"type": "string"},
                    {
                        "type": "object",
                        "properties": {"b": {"anyOf": [{"type": "integer"}, inner]}},
                    },
                    {"type": "object", "required": ["z"]},
                ]
            }
        }
    }
    assert problems(schema, "a: {b: {c: rihgt}}") == [
        "x.yml:1:12: a.b.c: 'rihgt' is not one of right, left, did you mean 'right'?"
    ]
    assert problems(schema, "a: [1]") == [
        "x.yml:1:4: a: expected text or a mapping (key: value), got a list; "
        "put a text that begins with [ in quotes"
    ]


def test_a_pattern_ends_where_the_text_ends() -> None:
    # Python's `$` would also match before the last line break.
    schema = {"properties": {"a": {"type": "string", "pattern": "^[a-z]+$"}}}
    assert problems(schema, 'a: "b\\n"') == ["x.yml:1:4: a: 'b' must match ^[a-z]+$"]


def test_a_misspelt_key_is_not_missing_too() -> None:
    schema = {
        "properties": {"title": {}, "why": {}},
        "required": ["title", "why"],
        "additionalProperties": False,
    }
    assert problems(schema, "titel: x\nb: y\n") == [
        "x.yml:1:1: missing key 'why'",
        "x.yml:1:1: unknown key 'titel', did you mean 'title'?",
        "x.yml:2:1: unknown key 'b'; allowed here: title, why",
    ]


def test_numbers_and_counts() -> None:
    schema = {
        "properties": {
            "a": {"minimum": 1},
            "b": {"maximum": 1},
            "c": {"maxItems": 1},
            "d": {"minProperties": 1},
            "e": {"const": 1},
            "f": {"maxLength": 2},
        }
    }
    assert problems(schema, "a: 0\nb: 2\nc: [1, 2]\nd: {}\ne: 2\nf: äöü\n") == [
        "x.yml:1:4: a: 0 is too small, at least 1",
        "x.yml:2:4: b: 2 is too large, at most 1",
        "x.yml:3:4: c: has 2 items, at most 1 are allowed",
        "x.yml:4:4: d: is empty; write one of its keys, or leave it out",
        "x.yml:5:4: e: must be 1",
        "x.yml:6:4: f: is too long: 3 characters, at most 2 are allowed",
    ]


def test_a_flood_of_problems_is_cut() -> None:
    text = "\n".join(f"unknown{number}: 1" for number in range(200))
    found = problems({"additionalProperties": False}, text)
    assert len(found) == 51
    assert found[-1] == "x.yml: and 150 more problems in this file"


def test_what_covers_a_path_silences_it() -> None:
    schema = {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}
    document = Document("x.yml", Path("x.yml"), "a: []\nb: []\n")
    found = Schema(schema).problems({"a": [], "b": []}, document, [("a",)])
    assert [problem.field for problem in found] == ["b"]


def test_the_schemas_are_read_once() -> None:
    assert schema_named("entry.schema.json") is schema_named("entry.schema.json")
