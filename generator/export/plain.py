"""Markdown to plain text, for places that show no markup."""

from __future__ import annotations

import re
from collections.abc import Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

_PARSER = MarkdownIt("commonmark", {"html": False}).enable("table")

# A line of words, `code`, **labels** and links that marks nothing else; anything else
# goes to the parser. Answers are nearly always such lines: 10 µs instead of 300.
_WORDS = r"[^\\`*_\[\]<&!\n|]|(?<=[^\W_])_(?=[^\W_])|!(?!\[)|&(?![#\w])"
_SIMPLE = re.compile(
    r"(?![-+>=#\s]|\d+[.)]|~~~)"  # no list, quotation, heading, rule or fence
    rf"(?:{_WORDS}"
    r"|(?<!`)`[^`\s](?:[^`\n]*[^`\s])?`(?!`)"
    rf"|(?<!\S)\*\*\w(?:{_WORDS})*(?<!\s)\*\*(?!\S)"
    rf"|\[(?:{_WORDS})*\]\((?:https?://|\.\./)[^\s()<>\\&]+\)"
    r")++\Z"
)
_MARKS = re.compile(r"`([^`]*)`|\*\*(\w[^*]*)\*\*|\[([^\]]*)\]\([^)]*\)")
_FENCE = re.compile(r"(`{3,})\w*\Z")
_ODD_BLANKS = re.compile(r"[\t\r\0\x0b\x0c]")
_BULLET = "- "
_NESTED = "  "


def _without_marks(line: str) -> str:
    # The longest match from the left: what looks like a mark inside code is passed over.
    return _MARKS.sub(lambda found: found[found.lastindex or 0], line).rstrip()


def _by_line(markdown: str) -> str | None:
    """Return the plain text of simple paragraphs, bullets and fences; None for the rest."""
    if _ODD_BLANKS.search(markdown):
        return None
    out: list[str] = []
    fence, code = "", list[str]()
    pad = ""
    after_bullet = False  # the line before is one of a list's own
    after_blank = True
    for line in markdown.split("\n"):
        if fence:
            bare = line.strip(" ")
            if bare and set(bare) == {"`"} and len(bare) >= len(fence):
                if line != pad + bare:
                    return None
                out.append("\n".join(code).rstrip("\n"))
                fence, after_blank, after_bullet = "", True, False
            elif bare and not line.startswith(pad):
                return None
            else:
                code.append(line[len(pad) :])
            continue
        if not line.strip(" "):
            after_blank, after_bullet = True, False
            continue
        is_bullet = line.startswith(_BULLET)
        if is_bullet:
            pad, text, mark = _NESTED, line[len(_BULLET) :], _BULLET
        elif line.startswith(_NESTED) and pad:
            text, mark = line[len(pad) :], ""
        else:
            pad, text, mark = "", line, ""
        if not after_blank and not (is_bullet and after_bullet):
            return None  # it continues a paragraph
        opened = _FENCE.match(text) if not is_bullet else None
        if opened:
            fence, code = opened[1], []
            continue
        if not _SIMPLE.match(text):
            return None
        out.append(mark + _without_marks(text))
        after_blank, after_bullet = False, is_bullet
    return None if fence else "\n".join(out)


def _inline(tokens: Sequence[Token]) -> str:
    pieces: list[str] = []
    for token in tokens:
        if token.type in ("text", "code_inline"):
            pieces.append(token.content)
        elif token.type in ("softbreak", "hardbreak"):
            pieces.append(" ")
        elif token.type == "image":
            pieces.append(_inline(token.children or ()))
    return "".join(pieces)


def _parsed(markdown: str) -> str:
    lines: list[str] = []
    lists: list[int | None] = []
    mark = ""
    for token in _PARSER.parse(markdown):
        if token.type == "bullet_list_open":
            lists.append(None)
        elif token.type == "ordered_list_open":
            start = token.attrGet("start")
            lists.append(1 if start is None else int(start))
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            lists.pop()
        elif token.type == "list_item_open":
            number = lists[-1]
            mark = _BULLET if number is None else f"{number}. "
            lists[-1] = None if number is None else number + 1
        elif token.type == "inline":
            lines.append(mark + _inline(token.children or ()))
            mark = ""
        elif token.type in ("fence", "code_block"):
            lines.append(mark + token.content.rstrip("\n"))
            mark = ""
    return "\n".join(lines)


def plain_text(markdown: str) -> str:
    """Return the text that Markdown shows, one line for each block.

    Args:
        markdown: Markdown without HTML; HTML in it is text.

    Returns:
        Lines joined by line feeds; list items keep `- ` or their number, cells of a
        table stand on lines of their own, code keeps its lines.
    """
    simple = _by_line(markdown)
    return _parsed(markdown) if simple is None else simple
