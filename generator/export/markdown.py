"""Markdown written so that no text of a stranger's entry can break out of its place.

Plain text is escaped. Code is fenced longer than anything in it. Prose, which is
Markdown already, passes as it is where it holds nothing but harmless Markdown;
otherwise it is shown as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.token import Token

_BLANKS = re.compile(r"[\x00-\x20\x7f]+")
_BACKTICKS = re.compile(r"`+")
_LINE_END = re.compile(r"\r\n?")
_BLOCK_START = re.compile(r"[-+*](?:\s|\Z)|>|\d{1,9}[.)](?:\s|\Z)")
# `<` and `&` become entities, since not every dialect knows a backslash before them.
_ACTIVE = re.compile(
    r"[\\`*\[\]~|${}<]"
    r"|&(?=[#0-9A-Za-z])"
    r"|(?<![0-9A-Za-z])_|_(?![0-9A-Za-z])"  # inside a word it marks nothing
    r"|(?<!\S)\#"
    r"|:(?=//)|(?<=www)\."  # bare addresses that some dialects link
    r"|^[-+>:=]"
    r"|(?:(?<=^\d)|(?<=^\d\d)|(?<=^\d{3})|(?<=^\d{4}))[.)](?=\s|\Z)",
    re.IGNORECASE,
)
_ENTITIES = {"<": "&lt;", "&": "&amp;"}
# RFC 3986 allows some of these in an address, but here they would end or bend the link.
_NOT_IN_LINK = re.compile(r"[\x00-\x20\x7f<>\"()\[\]\\`|]")
_ENTITY = re.compile(r"&(?=#|[0-9A-Za-z]+;)")
_WEB = re.compile(r"https?://[^/?#]", re.IGNORECASE)
_WEB_OR_LOCAL = re.compile(r"https?://|mailto:|[#/?]|\.{1,2}/|[\w%.-]+(?:[/#?]|\Z)", re.IGNORECASE)

# Prose outside code spans that may be more than text, emphasis and links to the web.
_MAYBE_UNSAFE = re.compile(r"[<\\]|!\[|~~~|\]\((?!https?://)|\]\[")
# Lines that may be a heading or underline one.
_MAYBE_HEADING = re.compile(r"^(?:[ \t>*+\d.)=-]*+\#|[ \t>*+\d.)=-]++$)", re.MULTILINE)
# A whole fenced block at the left edge between blank lines, as entries write them.
_FENCED = re.compile(r"(?:\A|(?<=\n\n))```\w*\n(?:(?!.*```).*\n)*```(?=\n\n|\Z)")
_REFUSED = frozenset({"html_block", "html_inline", "heading_open", "image"})
_SENTINEL = "end"


class _AnyLink(MarkdownIt):
    """A parser that reports every link, so that we and not it decide about them."""

    def validateLink(self, url: str) -> bool:  # noqa: N802 - the library's name
        return True


# Raw HTML is on: it has to be seen to be refused.
_PARSER = _AnyLink("commonmark", {"html": True}).enable(["table", "strikethrough"])


def escape(text: str) -> str:
    """Return plain text as Markdown that shows exactly it, on one line."""
    line = (_BLANKS.sub(" ", text) if _BLANKS.search(text) else text).strip()
    return _ACTIVE.sub(_inactive, line)


def _inactive(found: re.Match[str]) -> str:
    return _ENTITIES.get(found[0]) or "\\" + found[0]


def _longest_backticks(text: str) -> int:
    return max(map(len, _BACKTICKS.findall(text)), default=0)


def _lines(text: str) -> str:
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
    return text.replace("\0", "\ufffd")


def code_span(text: str) -> str:
    """Return text as a code span on one line, empty for blank text."""
    line = _BLANKS.sub(" ", text) if _BLANKS.search(text) else text
    if not line.strip():
        return ""
    if "`" not in line:
        # One blank on both sides would be taken off.
        return f"` {line} `" if line[0] == " " == line[-1] else f"`{line}`"
    ticks = "`" * (_longest_backticks(line) + 1)
    return f"{ticks} {line} {ticks}"


def fence(code: str, language: str = "") -> str:
    """Return code as a fenced block that nothing inside the code can end.

    Args:
        code: the code.
        language: a word for the reader's highlighter.
    """
    body = _lines(code).rstrip("\n")
    ticks = "`" * max(3, _longest_backticks(body) + 1)
    word = language if language.isalnum() else ""
    return f"{ticks}{word}\n{body}\n{ticks}"


def link(text: str, url: str) -> str:
    """Return a link, or only its text where the address is no web page.

    Args:
        text: Markdown that holds no link, for example from `escape`.
        url: an http(s) address, or one below the site (`../x/`, `/x/`).
    """
    if not (_WEB.match(url) or url.startswith(("../", "/"))):
        return text
    clean = _NOT_IN_LINK.sub(lambda found: f"%{ord(found[0]):02X}", url)
    return f"[{text}]({_ENTITY.sub('&amp;', clean)})"


def item(*blocks: str, marker: str = "- ") -> str:
    """Return a list item whose blocks stay inside it.

    Args:
        blocks: Markdown blocks; empty ones are left out.
        marker: `- `, `1. ` and so on.
    """
    body = "\n\n".join(filter(None, blocks))
    if "\n" in body:
        pad = " " * len(marker)
        body = "\n".join([pad + line if line else "" for line in body.split("\n")])[len(pad) :]
    return marker + body


def items(listed: Iterable[str]) -> str:
    """Return one list of items from `item`, close together where each is one line."""
    made = list(listed)
    return ("\n\n" if any("\n" in one for one in made) else "\n").join(made)


def after(words: str, block: str) -> str:
    """Return prose with words before it, on their line where that changes nothing.

    Args:
        words: Markdown of ours, complete in itself.
        block: from `prose`; where it is empty, the words stand alone.
    """
    if not block:
        return words
    # What begins a list or a quotation is something else in the middle of a line.
    apart = "\n" in block or _BLOCK_START.match(block)
    return f"{words}\n\n{block}" if apart else f"{words} {block}"


def labelled(label: str, block: str) -> str:
    """Return prose with a label before it, or nothing where there is no prose."""
    return after(f"**{label}:**", block) if block else ""


def _plainly_harmless(text: str) -> bool:
    """Say whether a glance is enough: it takes 2 µs where parsing takes 80."""
    if "```" in text:
        text = _FENCED.sub("", text)
    if "``" in text or "]:" in text:
        return False
    several = "\n" in text
    if (several and "|" in text) or _MAYBE_HEADING.search(text):
        return False
    if "`" not in text:
        return _MAYBE_UNSAFE.search(text) is None
    for line in text.split("\n"):
        # With single backticks that pair up on their own line, every second piece is code.
        pieces = line.split("`")
        if len(pieces) % 2 == 0 or _MAYBE_UNSAFE.search("`".join(pieces[::2])):
            return False
    return True


def _flat(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from token.children or ()


def _harmless(text: str) -> bool:
    """Say whether prose parses to nothing that is refused and ends where it ends."""
    found: dict[str, object] = {}
    tokens = _PARSER.parse(f"{text}\n\n{_SENTINEL}", found)
    if found.get("references") or len(tokens) < 3 or tokens[-3].level:
        return False
    if tokens[-3].type != "paragraph_open" or tokens[-2].content != _SENTINEL:
        return False
    for token in _flat(tokens):
        if token.type in _REFUSED:
            return False
        if token.type == "link_open" and not _WEB_OR_LOCAL.match(str(token.attrGet("href") or "")):
            return False
    return True


def prose(text: str) -> str:
    """Return prose of an entry as Markdown that is safe at the start of a block.

    Args:
        text: Markdown as an entry holds it.

    Returns:
        The same Markdown without blanks around it. Where it holds raw HTML, an image,
        a heading, a link definition, a link to anything but a page, or a block that
        does not end, it comes back escaped: shown as it was written.
    """
    text = _lines(text).strip()
    if "\t" in text:
        text = text.expandtabs(4)
    if _plainly_harmless(text) or _harmless(text):
        return text
    return "\n\n".join(escape(line) for line in text.split("\n") if line.strip())
