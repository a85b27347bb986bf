"""Markdown of entries to HTML that is safe to publish.

Raw HTML is off, images are off (they would fetch), and links go to http(s)
pages only; whatever is refused is shown as text.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from urllib.parse import urlsplit

from markdown_it import MarkdownIt
from markupsafe import Markup

# Most fields are plain sentences with `code` in them, which need no Markdown parser: a
# tenth of its time. What these patterns let through, the parser renders the same way;
# a property test holds them to it.
_SPECIAL = re.compile(r"[\\*_\[\]<&!~\n]")
#: What often begins a derived answer: a bold label, or a link.
_LABEL = re.compile(r"\*\*([A-Za-z][A-Za-z ]*:)\*\* (?=\S)")
_LINK = re.compile(
    r"\[([^\[\]`*_<>&\\~\n!]+)\]\((https://[A-Za-z0-9][A-Za-z0-9/._=?#-]*|\.\./[a-z0-9]+(?:-[a-z0-9]+)*/)\)"
)
#: A line that opens no block: no list, quote, heading, rule, table, fence or indent.
_PLAIN_LINE = re.compile(
    r"(?=\*\*\w)[^|\n]+\Z|(?![-+*>#=|~`\s]|\d{1,9}[.)])[^|\n]+\Z|`(?!``)[^|\n]+\Z"
)
_ITEM = re.compile(r"- (?![-+*>#=|~\s]|\d{1,9}[.)]|```)[^|\n]+\Z")


#: A link from one entry to another, as pages lie beside each other.
_ENTRY_LINK = re.compile(r"\.\./[a-z0-9]+(?:-[a-z0-9]+)*/\Z")


def _is_web_link(url: str) -> bool:
    if _ENTRY_LINK.match(url):
        return True
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in {"http", "https"} and bool(parts.netloc)


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "linkify": False, "typographer": False})
    parser.enable("table")
    parser.disable(["image", "html_block", "html_inline", "heading", "lheading", "reference", "hr"])
    parser.validateLink = _is_web_link  # type: ignore[method-assign]
    return parser


_MARKDOWN = _parser()


def _quote(text: str) -> str:
    return escape(text, quote=False).replace('"', "&quot;")


def _code_spans(text: str) -> str:
    out: list[str] = []
    for index, piece in enumerate(text.split("`")):
        if index % 2:
            # CommonMark strips one blank on both sides where both are there.
            if piece.startswith(" ") and piece.endswith(" ") and piece.strip():
                piece = piece[1:-1]
            out.append(f"<code>{_quote(piece)}</code>")
        else:
            out.append(_quote(piece))
    return "".join(out)


def _quick_inline(text: str) -> str | None:
    """Render a line with `code`, after a label or a link; None where it needs the parser."""
    lead = ""
    if text.startswith("**") and (label := _LABEL.match(text)):
        lead, text = f"<strong>{_quote(label[1])}</strong> ", text[label.end() :]
    elif text.startswith("[") and (link := _LINK.match(text)):
        lead, text = f'<a href="{link[2]}">{_quote(link[1])}</a>', text[link.end() :]
        if text.startswith(" ") and text[1:2].strip():
            lead, text = lead + " ", text[1:]
    rest = _quick_plain(text)
    return None if rest is None else lead + rest


def _quick_plain(text: str) -> str | None:
    if "  " in text or text[:1].isspace() or text[-1:].isspace():
        return None
    pieces = text.split("`")
    if len(pieces) % 2 == 0 or any(map(_SPECIAL.search, pieces[::2])):
        return None
    if not all(piece.strip() and "\n" not in piece for piece in pieces[1::2]) or "``" in text:
        return None
    return _code_spans(text) if len(pieces) > 1 else _quote(text)


def _quick_block(text: str) -> str | None:
    """Render plain paragraphs and flat lists, None where the parser is needed."""
    out: list[str] = []
    for part in text.split("\n\n"):
        lines = part.split("\n")
        if len(lines) == 1 and _PLAIN_LINE.match(part):
            inner = _quick_inline(part)
            if inner is None:
                return None
            out.append(f"<p>{inner}</p>\n")
        elif all(map(_ITEM.match, lines)) and (not out or not out[-1].startswith("<ul>")):
            items = [_quick_inline(line[2:]) for line in lines]
            if None in items:
                return None
            out.append("<ul>\n" + "".join(f"<li>{item}</li>\n" for item in items) + "</ul>\n")
        else:
            return None
    return "".join(out)


@lru_cache(maxsize=4096)
def inline(text: str) -> Markup:
    """Render one line of Markdown without a surrounding paragraph.

    Args:
        text: Markdown of an entry's field; line breaks count as blanks.

    Returns:
        HTML that holds only em, strong, code and links to http(s) pages.
    """
    quick = _quick_inline(text)
    if quick is not None:
        return Markup(quick)
    return Markup(_MARKDOWN.renderInline(text.strip()).replace("<br />", " "))


@lru_cache(maxsize=4096)
def block(text: str) -> Markup:
    """Render Markdown with paragraphs, lists, tables and fenced code.

    Args:
        text: Markdown of an entry's field.

    Returns:
        HTML; fenced code becomes `<pre><code>` without highlighting.
    """
    quick = _quick_block(text)
    return Markup(_MARKDOWN.render(text) if quick is None else quick)


def by_parser(text: str) -> tuple[str, str]:
    """Return what the Markdown parser alone makes of a text, inline and as blocks.

    The measure for the quick ways of `inline` and `block`.
    """
    return _MARKDOWN.renderInline(text.strip()).replace("<br />", " "), _MARKDOWN.render(text)
