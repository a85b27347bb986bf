"""YAML to plain data: scalars, places, limits, and both parsers."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from generator.load import decode, parse
from generator.load.source import SourceError
from generator.load.tree import MAX_ALIASES, MAX_DEPTH, MAX_VALUES, fast_parser, pure_parser


def data(text: str) -> Any:
    tree = parse(text)
    assert tree.faults == []
    return tree.data


def messages(text: str) -> list[str]:
    return [f"{fault.line}:{fault.column} {fault.message}" for fault in parse(text).faults]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("2026-12-01", "2026-12-01"),
        ("12:30", "12:30"),
        ("no", "no"),
        ("Yes", "Yes"),
        ("off", "off"),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("", None),
        ("12", 12),
        ("-3", -3),
        ("010", 10),
        ("0o17", 15),
        ("0x1F", 31),
        ("3.10", 3.1),
        ("1e3", 1000.0),
        ("1_000", "1_000"),
        (".inf", ".inf"),
        ("1e999", "1e999"),
        ("-", None),
        ("1" * 5000, "1" * 5000),
        ("=", "="),
        ("'12'", "12"),
        ('"true"', "true"),
    ],
)
def test_scalars_follow_the_core_schema(written: str, value: Any) -> None:
    if written == "-":
        assert messages("a: -") == [
            "1:4 a value cannot begin with '- '; put the whole value in quotes"
        ]
        return
    read = data(f"a: {written}")["a"]
    assert read == value
    assert type(read) is type(value)


def test_a_key_that_stands_twice_keeps_the_first_value() -> None:
    tree = parse("a: 1\nb: 2\na: {c: 3}\n")
    assert tree.data == {"a": 1, "b": 2}
    assert [(f.line, f.column) for f in tree.faults] == [(3, 1)]


def test_several_faults_are_all_reported() -> None:
    assert messages("a: !x 1\nb: 2\nb: 3\n4: c\n<<: {d: 1}\n") == [
        "1:4 tag '!x' is not allowed; write the plain value",
        "3:1 key 'b' stands twice; keep one of the two",
        "4:1 key '4' is not text; a key is a word",
        "5:1 merge keys (<<) are not supported; write the values out",
    ]


def test_a_few_aliases_are_fine() -> None:
    assert data("a: &x [1, 2]\nb: *x\nc: {d: *x}") == {"a": [1, 2], "b": [1, 2], "c": {"d": [1, 2]}}


def test_limits_hold_exactly() -> None:
    deepest = "[" * (MAX_DEPTH - 1) + "]" * (MAX_DEPTH - 1)
    assert parse(f"a: {deepest}").faults == []
    assert messages(f"a: [{deepest}]") == [
        f"1:{3 + MAX_DEPTH} nested deeper than {MAX_DEPTH} levels"
    ]
    most = ", ".join(["1"] * (MAX_VALUES - 2))
    assert parse(f"a: [{most}]").faults == []
    assert messages(f"a: [{most}, 1]")[0].endswith(
        f"more than {MAX_VALUES} values; shorten the file"
    )
    repeated = ", ".join(["*x"] * MAX_ALIASES)
    assert parse(f"a: &x 1\nb: [{repeated}]").faults == []
    assert messages(f"a: &x 1\nb: [{repeated}, *x]")[0].endswith(
        f"more than {MAX_ALIASES} aliases; write the values out"
    )


@pytest.mark.parametrize("open_", ["[", "{a: ", "- ", "? ", "[{a: "])
def test_deep_nesting_is_one_message(open_: str) -> None:
    for parser in (fast_parser, pure_parser):
        tree = parse(open_ * 5000, parser=parser)
        assert len(tree.faults) == 1
        assert not tree.whole


def test_places_are_in_characters() -> None:
    text = decode("\ufeffé: ü\r\n😀: [ß, {x: 'y'}]\r\n".encode())
    places = parse(text, with_places=True).places
    assert [(path, place.line, place.column) for path, place in places.items()] == [
        ((), 1, 1),
        (("é",), 1, 4),
        (("😀",), 2, 4),
        (("😀", 0), 2, 5),
        (("😀", 1), 2, 8),
        (("😀", 1, "x"), 2, 12),
    ]
    assert places["😀", 1, "x"].key_column == 9


@pytest.mark.parametrize(
    ("content", "line", "column", "message"),
    [
        (b"a: b\n\xc3\xa9: \xe9", 2, 4, "byte 0xe9 is not UTF-8; save the file as UTF-8"),
        (b"\xff\xfea\x00", 0, 0, "is UTF-16; save it as UTF-8"),
        (b"a: \x00", 1, 4, "the invisible character U+0000 is not allowed"),
        (b"a\r\nb: \xe2\x80\xae", 2, 4, "the invisible character U+202E is not allowed"),
        (b"a: \xef\xbb\xbf", 1, 4, "the invisible character U+FEFF is not allowed"),
    ],
)
def test_bytes_that_are_no_clean_text(content: bytes, line: int, column: int, message: str) -> None:
    with pytest.raises(SourceError) as raised:
        decode(content)
    assert (raised.value.line, raised.value.column) == (line, column)
    assert raised.value.message.startswith(message)


def test_lone_surrogates_are_refused() -> None:
    assert not parse("a: \ud800").whole
    assert parse('a: "\\ud800"').faults
    assert parse('a: "\\ud800"', parser=pure_parser).faults


# --- properties ----------------------------------------------------------------

_json = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**15), 10**15)
    | st.floats(allow_nan=False, allow_infinity=False, width=32)
    | st.text(
        st.characters(
            codec="utf-8",
            exclude_categories=["Cs", "Cc"],
            exclude_characters="\u2028\u2029\ufeff\ufffe\uffff"
            + "".join(map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A)])),
        ),
        max_size=20,
    ),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.from_regex("[a-z]{1,5}", fullmatch=True), inner)
    ),
    max_leaves=12,
)


@given(_json)
def test_json_reads_as_itself(value: Any) -> None:
    assert parse(json.dumps(value, ensure_ascii=False)).data == value


@given(_json)
def test_dumped_yaml_reads_as_itself(value: Any) -> None:
    # PyYAML writes YAML 1.1: it quotes more than 1.2 needs, so every text stays one.
    text = yaml.safe_dump({"a": value}, allow_unicode=True, width=40)
    read = parse(text, max_values=10**6)
    assert read.whole or "*id" in text
    assert read.data == {"a": value}


@given(_json)
def test_places_show_where_values_stand(value: Any) -> None:
    text = yaml.safe_dump({"a": value}, allow_unicode=True, default_flow_style=True, width=10**6)
    tree = parse(text, with_places=True)
    lines = text.split("\n")
    for place in tree.places.values():
        if place.raw is not None:
            rest = lines[place.line - 1][place.column - 1 :]
            assert rest.startswith(place.style + place.raw[:1]) or place.style == '"'


_yaml_like = st.lists(
    st.sampled_from([*"ab01-:?[]{},&*!|>'\"%@`#<~ \t\n\r\\.é😀", "<<", "- ", ": ", "---\n"]),
    max_size=60,
).map("".join)


@given(_yaml_like | st.text(max_size=40))
@example("? ")
@example("a: &x [*x]")
@example("- !!binary |\n x")
@example("%TAG ! tag:a,2000:\n---\n!b c")
def test_no_text_raises(text: str) -> None:
    tree = parse(text, with_places=True)
    lines = text.splitlines() or [""]
    assert tree.whole or tree.faults
    for fault in tree.faults:
        assert fault.message
        assert "\n" not in fault.message
        assert 0 <= fault.line <= len(lines) + 2


@given(st.binary(max_size=60))
def test_no_bytes_raise(content: bytes) -> None:
    try:
        text = decode(content)
    except SourceError as error:
        assert error.message  # noqa: PT017 - either way is right, and both say something
        return
    assert isinstance(parse(text).faults, list)


@given(_yaml_like)
def test_both_parsers_agree_on_what_is_fine(text: str) -> None:
    fast = parse(text, with_places=True)
    slow = parse(text, with_places=True, parser=pure_parser)
    # libyaml takes tabs in more places and PyYAML's own parser some odd flow scalars.
    if fast.faults == [] and slow.faults == []:
        assert fast.data == slow.data
        # Where nothing is written, each has its own idea of where it would stand.
        for path, place in fast.places.items():
            assert place == slow.places[path] or place.raw == ""
