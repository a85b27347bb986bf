"""The template language and its conditions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.signatures import (
    ANCHOR_BYTES,
    KINDS,
    AllOf,
    AnyOf,
    Comparison,
    Literal,
    Name,
    Number,
    Placeholder,
    TemplateError,
    Text,
    check_template,
    parse_condition,
    parse_template,
)


def test_parts_have_their_place_in_the_source() -> None:
    template = parse_template(r"rank <int:rank> of \<all>: <...> died at <time>")
    assert template.parts == (
        Literal("rank ", 0, 5),
        Placeholder("int", "rank", 5, 15),
        Literal(" of <all>: ", 15, 27),
        Placeholder("...", "", 27, 32),
        Literal(" died at ", 32, 41),
        Placeholder("time", "", 41, 47),
    )
    assert template.names == {"rank": "int"}
    assert template.literals == ("rank ", " of <all>: ", " died at ")
    assert template.anchor == " of <all>: "


def test_a_backslash_elsewhere_is_itself() -> None:
    assert parse_template(r"C:\temp\new > file").literals == (r"C:\temp\new > file",)


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("error <itn> here", 6, "unknown placeholder '<itn>', did you mean <int>?"),
        ("error <unknown> here", 6, "unknown placeholder '<unknown>' (known are <int>"),
        ("error in < here", 9, "'<' begins a placeholder that is never closed"),
        ("error in <a b> here", 9, "'<a b>' is no placeholder"),
        ("error <int:Rank> here", 11, "'Rank' is no name"),
        ("error <int:> here", 11, "'' is no name"),
        ("error <int:and> here", 11, "'and' is a word of conditions"),
        ("error <int:a> here <num:a>", 24, "the name 'a' stands twice (before at character 12)"),
        ("error <...:a> here", 11, "a gap <...> captures nothing"),
        ("an error <int><word>", 14, "'<int><word>' has no literal text between"),
        ("an error <int><...> x", 14, "'<int><...>' has no literal text between"),
        ("<...> an error", 0, "a gap <...> at the beginning says nothing"),
        ("an error <...>", 9, "a gap <...> at the end says nothing"),
        ("<...>", 0, "a gap <...> at the beginning says nothing"),
        ("two\nlines of it", 3, "a template is one line"),
        ("Killed", 0, "its longest literal text 'Killed' has 6 bytes, at least 7 are needed"),
        ("------- <int> a", 0, "its long literal text '-------' has no letter or digit"),
        ("<int> : <int>", 0, "has no literal letter or digit"),
        ("", 0, "has no literal letter or digit"),
    ],
)
def test_errors_say_where_and_what(text: str, offset: int, message: str) -> None:
    with pytest.raises(TemplateError) as raised:
        parse_template(text)
    assert raised.value.offset == offset
    assert raised.value.message.startswith(message)


def test_an_anchor_counts_bytes() -> None:
    assert parse_template("ééé1").anchor == "ééé1"  # seven bytes, four characters
    with pytest.raises(TemplateError, match="has 6 bytes"):
        parse_template("ééé<int>1")


def test_a_whole_line_may_be_short() -> None:
    assert parse_template("Killed", whole_line=True).anchor == "Killed"
    with pytest.raises(TemplateError, match="no literal letter or digit"):
        parse_template("<int>", whole_line=True)


def test_all_errors_are_reported_in_order() -> None:
    _, errors = check_template("<...> <itn> <int:A>")
    assert [error.offset for error in errors] == [0, 6, 17]


TEMPLATE = parse_template(
    "I tried <size:request> of <size:free> for <word:who> at <time:when> rank <int:rank>"
)


def test_conditions_become_trees() -> None:
    assert parse_condition("request > free", TEMPLATE) == Comparison(
        Name("request", "size"), ">", Name("free", "size")
    )
    assert parse_condition("rank == 3 and who != 'a b' or free <= 1.5e3", TEMPLATE) == AnyOf(
        (
            AllOf(
                (
                    Comparison(Name("rank", "int"), "==", Number(3)),
                    Comparison(Name("who", "word"), "!=", Text("a b")),
                )
            ),
            Comparison(Name("free", "size"), "<=", Number(1500.0)),
        )
    )
    assert parse_condition('rank < 1 and (rank > -2 or "x" == who)', TEMPLATE) == AllOf(
        (
            Comparison(Name("rank", "int"), "<", Number(1)),
            AnyOf(
                (
                    Comparison(Name("rank", "int"), ">", Number(-2)),
                    Comparison(Text("x"), "==", Name("who", "word")),
                )
            ),
        )
    )


@pytest.mark.parametrize(
    ("text", "offset", "message"),
    [
        ("reqest > free", 0, "no placeholder of the template is named 'reqest', did you mean"),
        ("request > 2GiB", 10, "numbers have no unit here"),
        ("request > 2 GiB", 12, "numbers have no unit here"),
        ("request > '2", 10, "this quote is never closed"),
        ("rank = 3", 5, "'=' is written '=='"),
        ("request - free > 3", 8, "'-' is not possible; conditions only compare"),
        ("rank == 3 && rank == 4", 10, "'&' is written 'and'"),
        ("not rank == 3", 0, "'not' is no part of conditions"),
        ("who == vllm", 7, "no placeholder of the template is named 'vllm'; it names request"),
        ("who == 3", 0, "compares who (<word>) with the number 3"),
        ("rank == '3'", 0, "compares rank (<int>) with the text '3'"),
        ("who < 'b'", 4, "texts are compared with == and != only"),
        ("request < when", 0, "compares request (<size>) with when (<time>)"),
        ("1 < 2", 0, "compares two fixed values"),
        ("rank == rank", 0, "compares 'rank' with itself"),
        ("1 < rank < 3", 9, "comparisons do not chain"),
        ("rank > 1 rank < 3", 9, "expected 'and' or 'or', not 'rank'"),
        ("rank", 4, "expected a comparison"),
        ("rank > ", 6, "expected the name of a placeholder"),
        ("(rank > 1", 0, "this '(' is never closed"),
        ("rank > 1)", 8, "expected 'and' or 'or', not ')'"),
        ("", 0, "expected the name of a placeholder"),
        ("(" * 200 + "rank > 1" + ")" * 200, 8, "more than 8 groups"),
    ],
)
def test_wrong_conditions_say_where_and_what(text: str, offset: int, message: str) -> None:
    with pytest.raises(TemplateError) as raised:
        parse_condition(text, TEMPLATE)
    assert raised.value.offset == offset
    assert raised.value.message.startswith(message)


# --- properties ----------------------------------------------------------------

_literal = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"], exclude_characters="\\"),
    min_size=1,
    max_size=12,
)
_kind = st.sampled_from(sorted(KINDS))


@given(st.lists(st.tuples(_literal, _kind), min_size=1, max_size=5), _literal)
def test_what_is_composed_is_parsed(pieces: list[tuple[str, str]], last: str) -> None:
    text = "An anchor: "
    expected = [text]
    for number, (literal, kind) in enumerate(pieces):
        text += literal.replace("<", "\\<") + f"<{kind}:n{number}>"
        expected[-1] += literal
        expected.append("")
    text += last.replace("<", "\\<")
    expected[-1] += last
    template = parse_template(text)
    assert list(template.literals) == [literal for literal in expected if literal]
    assert list(template.names.values()) == [kind for _, kind in pieces]


@given(
    st.lists(st.sampled_from([*"ab <>\\:.…é1\n", "<int>", "<...>", "<num:a>"]), max_size=30).map(
        "".join
    )
)
def test_parts_cover_the_source_and_errors_point_into_it(text: str) -> None:
    template, errors = check_template(text)
    at = 0
    for part in template.parts:
        assert part.start == at
        at = part.end
    assert at == len(text)
    assert all(0 <= error.offset <= len(text) for error in errors)
    if not errors:
        assert len(template.anchor.encode()) >= ANCHOR_BYTES
        for part in template.parts:
            if isinstance(part, Literal):
                assert text[part.start : part.end].replace("\\<", "<") == part.text


@given(
    st.lists(
        st.sampled_from([*"()<>=!'\"1.5 ab", "rank", "who", " and ", " or "]), max_size=30
    ).map("".join)
)
def test_no_condition_raises_anything_else(text: str) -> None:
    try:
        parse_condition(text, TEMPLATE)
    except TemplateError as error:
        assert 0 <= error.offset <= len(text)  # noqa: PT017 - both ways are right
