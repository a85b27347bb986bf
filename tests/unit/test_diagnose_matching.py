"""Templates against lines, and anchors against bytes, beside naive matchers."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.diagnose.conditions import holds, value_of
from generator.diagnose.patterns import Pattern
from generator.diagnose.scan import Scanner
from generator.signatures.compile import compile_pattern, condition_tree
from generator.signatures.condition import parse_condition
from generator.signatures.expand import expand_pattern
from generator.signatures.knowledge import knowledge
from generator.signatures.template import parse_template

CLASSES: dict[str, str] = knowledge()["classes"]
UNITS: dict[str, dict[str, float]] = knowledge()["units"]


def pattern(text: str) -> Pattern:
    return Pattern(expand_pattern(compile_pattern(parse_template(text))), CLASSES)


@pytest.mark.parametrize(
    ("template", "line", "captures"),
    [
        ("Tried to allocate <size:n>.", "Tried to allocate 1.70 GiB.", {"n": "1.70 GiB"}),
        ("Tried to allocate <size:n>.", "Tried to allocate 0 bytes.", {"n": "0 bytes"}),
        ("Xid (PCI:<hex:pci>): 79", "NVRM: Xid (PCI:0000:c1:00): 79", {"pci": "0000:c1:00"}),
        ("to peer <ip:peer>\\<<int>>", "to peer 10.0.0.1<4711>", {"peer": "10.0.0.1"}),
        ("started at <time:t> and", "started at 10:02:03.5 and", {"t": "10:02:03.5"}),
        ("first part <...>last part <int:n>", "first part a b last part 7", {"n": "7"}),
        ("loss is <num:x> now", "loss is 1.5e-3 now", {"x": "1.5e-3"}),
        ("open file '<path:p>'", "open file '/data/a b'", None),
        ("open file '<path:p>'", "open file '/data/a'", {"p": "/data/a"}),
    ],
)
def test_captures(template: str, line: str, captures: dict[str, str] | None) -> None:
    found = pattern(template).find(line)
    assert (found.captures if found else None) == captures


def test_segments_are_taken_from_the_left() -> None:
    found = pattern("alpha beta <...>gamma delta").find("alpha beta gamma delta gamma delta")
    assert found is not None
    assert found.spans == ((0, 11), (11, 22))


def test_a_literal_blank_may_be_a_line_end() -> None:
    found = pattern("a total capacity of <size:n> of which").find_loose(
        "a totalcapacity of 5GiBof which"
    )
    assert found is not None
    assert found.captures == {"n": "5GiB"}


def test_many_gaps_take_linear_time() -> None:
    whole = pattern("begin of it<...>middle of it<...>end of it")
    assert whole.find("begin of it " * 200_000) is None


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("1.5 GiB", "size", 1.5 * 2**30),
        ("35651584Ki", "size", 35651584 * 1024),
        ("0 bytes", "size", 0),
        ("00:10:00", "time", 600),
        ("250 ms", "time", 0.25),
        ("2 hours", "time", 7200),
        ("-7", "int", -7),
        ("1e3", "num", 1000),
        ("abc", "num", None),
    ],
)
def test_values(text: str, kind: str, value: float | None) -> None:
    assert (
        value_of(text, kind, UNITS) == pytest.approx(value)
        if value
        else not value_of(text, kind, UNITS)
    )


def test_the_reason_names_what_held() -> None:
    template = parse_template("<size:idle> idle of <size:request> wanted")
    tree = condition_tree(
        parse_condition("idle >= request and (idle > 9e9 or request < 2e9)", template)
    )
    captures = {"idle": "2.30 GiB", "request": "1.70 GiB"}
    assert holds(tree, captures, UNITS) == (
        "idle 2.30 GiB >= request 1.70 GiB",
        "request 1.70 GiB < 2 GB",
    )
    assert holds(tree, {"idle": "1 GiB", "request": "2 GiB"}, UNITS) is None


WORDS = st.text(alphabet="abcAB .", min_size=0, max_size=60)
ANCHORS = st.lists(
    st.tuples(st.text(alphabet="abcAB .", min_size=7, max_size=7), st.booleans()),
    min_size=1,
    max_size=12,
)


@settings(max_examples=300, deadline=None)
@given(WORDS, ANCHORS)
def test_scanner_finds_what_a_naive_search_finds(
    text: str, anchors: list[tuple[str, bool]]
) -> None:
    anchors = [(anchor.lower() if folded else anchor, folded) for anchor, folded in anchors]
    expected = {
        (at, number)
        for number, (anchor, folded) in enumerate(anchors)
        for at in range(len(text))
        if (text.lower() if folded else text)[at : at + 7] == anchor
    }
    assert set(Scanner(anchors).scan(text.encode())) == expected


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400), st.integers(min_value=0, max_value=300))
def test_scanner_finds_an_anchor_at_any_place(noise: bytes, at: int) -> None:
    data = noise[:at] + b"needle7" + noise[at:]
    offset = min(at, len(noise))
    assert (offset, 0) in set(Scanner([("needle7", False)]).scan(data))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(["alpha(", ") beta", " gamma=", "x"]), min_size=1, max_size=12))
def test_gaps_match_like_a_search_for_each_run(words: list[str]) -> None:
    line = "".join(words)
    found = pattern("alpha(<...>) beta<...> gamma=").find(line)
    naive = re.search(r"alpha\(.*?\) beta.*? gamma=", line)
    assert (found is not None) == (naive is not None)


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=string.printable, max_size=200))
def test_any_line_is_answered(line: str) -> None:
    for template in ("Tried to allocate <size:n>. GPU <int>", "begin <...>of the <word:w> end"):
        found = pattern(template).find(line)
        assert found is None or 0 <= found.start < found.end <= len(line)
