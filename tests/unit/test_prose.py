"""Markdown of entries becomes safe HTML, and the quick ways equal the parser's."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.site import prose

_PIECES = st.sampled_from(
    ["word", "`code`", "`a b`", " ", "- ", "\n", "\n\n", "1. ", "a `b` c", "`", "``", "*", "_", "<b>",
     "&amp;", "&", ">", "#", "|", "[x](https://example.org/)", "!", "~", "\\", "=", "+ ", "(", '"',
     "'", "é", "  ", "\t", "---", "https://example.org", "` x `", "[ ] ", "```", "**Label:** ", "**Expect:**", "[a b](../disk-full/)", "[x](https://example.org/a_b?c=d#e)", "- [x](../y/) (kind).",
     "[ref]: ", ":", "**"]
)  # fmt: skip


def _elements(html: str) -> list[tuple[str, dict[str, str | None]]]:
    found: list[tuple[str, dict[str, str | None]]] = []

    class Parser(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            found.append((tag, dict(attrs)))

    Parser().feed(html)
    return found


_TEXTS = st.lists(_PIECES, min_size=1, max_size=12).map("".join)


@settings(max_examples=600)
@given(_TEXTS)
def test_the_quick_ways_equal_the_parser(text: str) -> None:
    inline, block = prose.by_parser(text)
    assert prose.inline(text) == inline
    assert prose.block(text) == block


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "[x](data:text/html;base64,AAAA)",
        "![x](https://example.org/x.png)",
        "<img src=x onerror=alert(1)>",
        '<https://example.org/" onclick="alert(1)>',
        "[x]: javascript:alert(1)\n\n[x]",
        "[x](//example.org)",
        "[x](vbscript:x)",
        "&lt;script&gt;",
    ],
)
def test_nothing_active_comes_through(text: str) -> None:
    for html in (prose.inline(text), prose.block(text)):
        for tag, attributes in _elements(html):
            assert tag in {"p", "a", "code", "em", "strong", "ul", "ol", "li"}
            assert set(attributes) <= {"href"}
            assert str(attributes.get("href", "https://")).startswith("https://")


def test_prose_has_code_emphasis_links_and_lists() -> None:
    html = prose.block("See `df -h` and [the manual](https://example.org/a).\n\n- one\n- *two*")
    assert "<code>df -h</code>" in html
    assert '<a href="https://example.org/a">the manual</a>' in html
    assert "<li>one</li>" in html
    assert "<em>two</em>" in html


def test_a_link_to_another_entry_is_relative() -> None:
    assert 'href="../disk-full/"' in prose.inline("[disk](../disk-full/)")
    assert "href" not in prose.inline("[disk](../../etc/passwd)")
