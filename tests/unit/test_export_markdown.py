"""Text of strangers' entries cannot break out of the Markdown it is put into."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from generator.export.markdown import code_span, escape, fence, item, labelled, link, prose


class EveryLink(MarkdownIt):
    """A reader that follows any link."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        return True


# What any reader might use: raw HTML allowed, every link reported.
READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])

# Markup, near-markup and line ends in any order are likelier to break out than random text.
PIECES = st.sampled_from(
    [
        *"`*_[]<>&!#~|\\-+=:().1 \t\n\r\0",
        *(
            "```",
            "~~~",
            "    ",
            "\n\n",
            "\n```\n",
            "<img src=x>",
            "<script>",
            "<!--",
            "<b",
            "]: ",
            "](",
            "- ",
        ),
        *(
            "javascript:x",
            "https://a.b/",
            "&lt;",
            "&#58;",
            "word",
            "\u00e9",
            "\u2028",
            "](javascript:x)",
        ),
        *(
            "[x]: javascript:x",
            "[x]",
            "![x](https://a.b/c.png)",
            "1. ",
            "> ",
            "---",
            "| - |",
            "`<b>`",
        ),
    ]
)
HOSTILE = st.lists(PIECES, max_size=14).map("".join)


def flat(tokens: list[Token]) -> list[Token]:
    return [one for token in tokens for one in (token, *flat(token.children or []))]


def shown(tokens: list[Token]) -> str:
    return "".join(
        token.content if token.type in ("text", "code_inline") else "?"
        for token in tokens
        if token.type not in ("softbreak",)
    )


def normal(text: str) -> str:
    return re.sub(r"[\x00-\x20\x7f]+", " ", text).strip()


@given(HOSTILE)
def test_escaped_text_is_shown_as_it_is(text: str) -> None:
    for place in ("{}", "# {}", "- {}", "[{}](https://a.b/)", "**{}**"):
        if not normal(text):
            continue
        inline = [t for t in READER.parse(place.format(escape(text))) if t.type == "inline"]
        assert len(inline) == 1
        children = [
            t for t in inline[0].children or [] if not t.type.startswith(("strong_", "link_"))
        ]
        assert shown(children) == normal(text)


def test_a_readable_title_is_left_readable() -> None:
    assert escape("max_model_len: KV cache (vLLM 0.6) - too small") == (
        "max_model_len: KV cache (vLLM 0.6) - too small"
    )


@given(HOSTILE)
def test_a_code_span_shows_its_text(text: str) -> None:
    line = re.sub(r"[\x00-\x20\x7f]+", " ", text)
    if not line.strip():
        assert code_span(text) == ""
        return
    (paragraph,) = [t for t in READER.parse(code_span(text)) if t.type == "inline"]
    (span,) = [t for t in paragraph.children or [] if t.type != "text" or t.content]
    assert span.type == "code_inline"
    assert span.content == line


@given(HOSTILE, st.integers(0, 3))
def test_a_fence_holds_its_code_at_any_depth(code: str, depth: int) -> None:
    text = fence(code, "bash")
    for _ in range(depth):
        text = item(text, "after")
    tokens = READER.parse(f"{text}\n\nend")
    fences = [t for t in tokens if t.type == "fence"]
    assert len(fences) == 1
    expected = code.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\ufffd").rstrip("\n")
    assert fences[0].content.rstrip("\n") == expected
    assert tokens[-2].content == "end"
    assert tokens[-2].level == 1


@given(HOSTILE)
def test_prose_stays_harmless_and_in_its_place(text: str) -> None:
    block = prose(text)
    for made in (block, item(block, "after"), item(labelled("Why", block), fence("x"))):
        env: dict[str, object] = {}
        tokens = READER.parse(f"# Top\n\n{made}\n\n## Next\n\nend", env)
        kinds = [t.type for t in flat(tokens)]
        assert not {"html_block", "html_inline", "image"} & set(kinds)
        assert kinds.count("heading_open") == 2
        assert not env.get("references")
        assert tokens[-2].content == "end"
        assert [t.content for t in tokens if t.type == "inline" and t.level == 1][-2:] == [
            "Next",
            "end",
        ]


@given(HOSTILE)
def test_no_link_of_prose_runs_a_script(text: str) -> None:
    for token in flat(EveryLink("commonmark", {"html": True}).parse(prose(text))):
        if token.type == "link_open":
            assert not str(token.attrGet("href")).lower().strip().startswith("javascript")


@pytest.mark.parametrize(
    "text",
    [
        "Set `save_total_limit: 2`, see [the manual](https://a.b/c).",
        "First.\n\nSecond with `a < b` and *stress*.",
        "```python\nx = '<b>'\n```",
        "- one `<int>`\n- two",
        "Loss < 3 & falling.",
    ],
)
def test_ordinary_prose_is_not_touched(text: str) -> None:
    assert prose(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "<img src=x onerror=alert(1)>",
        "ok\n\n<script>\n",
        "[a](javascript:alert(1))",
        "[a][b]\n\n[b]: javascript:alert(1)",
        "![pixel](https://tracker.example/p.png)",
        "# Fix it\nrm -rf /",
        "```\nnever closed",
        "[a](java&#115;cript:alert(1))",
        "\\`<img src=x>`",
    ],
)
def test_anything_else_is_shown_as_it_was_written(text: str) -> None:
    paragraphs = [t for t in READER.parse(prose(text)) if t.type == "inline"]
    assert [shown(p.children or []) for p in paragraphs] == [
        normal(line) for line in text.split("\n") if line.strip()
    ]


def test_links_lead_to_pages_only() -> None:
    assert link("a", "javascript:alert(1)") == "a"
    assert link("a", "../x/") == "[a](../x/)"
    assert link("a", "https://a.b/c_(d)?e=1&copy;") == "[a](https://a.b/c_%28d%29?e=1&amp;copy;)"
