"""Markdown to plain text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from generator.export.plain import plain_text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("Set `save_total_limit: 2`.", "Set save_total_limit: 2."),
        ("One.\n\nTwo *three*\nfour.", "One.\nTwo three four."),
        ("- a [b](https://c.d/)\n- `e`", "- a b\n- e"),
        ("3. a\n4. b\n\n   c", "3. a\n4. b\nc"),
        ("Run:\n\n```bash\ndf -h\ndf -i\n```", "Run:\ndf -h\ndf -i"),
        ("- a\n\n  ```\n  df\n\n    -h\n  ```\n\nend", "- a\ndf\n\n  -h\nend"),
        ("**Expect:** 100 %", "Expect: 100 %"),
        ("a < b &amp; <i>c</i>", "a < b & <i>c</i>"),
        ("", ""),
    ],
)
def test_text_without_markup(markdown: str, text: str) -> None:
    assert plain_text(markdown) == text


PIECES = (
    *"`ab _*-1.:\n\n#<>&!|~",
    *("``", "word", "1. ", "a_b", " `x` ", "`x y`", "\n\n", "\n- ", "\n  ", "\n```\n", "```"),
    *("**L:** ", "[a](https://b.c/)", "[a](../b/)", "](", "\n  ```x\n", "\n---\n", "- ", "**"),
)


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_no_word_is_lost_or_added(markdown: str) -> None:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    words: list[str] = []
    for token in parser.parse(markdown):
        if token.type in ("fence", "code_block"):
            words += token.content.split()
        # A break between two lines parts words; so does the end of a block.
        words += "".join(
            " " if child.type.endswith("break") else _shown(child.content, child.type)
            for child in token.children or []
        ).split()
    got = plain_text(markdown).split()
    # List markers are the only thing that is added.
    rest = list(words)
    for word in got:
        if rest and word == rest[0]:
            rest.pop(0)
        else:
            assert word == "-" or word.rstrip(".").isdigit(), (got, words)
    assert rest == []


def _shown(content: str, kind: str) -> str:
    return content if kind in ("text", "code_inline", "image") else ""
