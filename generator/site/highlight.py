"""Code of entries to highlighted HTML."""

from __future__ import annotations

from functools import cache, lru_cache

from markupsafe import Markup, escape
from pygments import highlight as pygments_highlight
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name

_FORMATTER = HtmlFormatter(nowrap=True, classprefix="")


@cache
def _lexer(language: str) -> Lexer:
    return get_lexer_by_name(language, stripnl=False, ensurenl=False)


@lru_cache(maxsize=4096)
def code(text: str, language: str) -> Markup:
    """Highlight code.

    Args:
        text: the code as written.
        language: one of the schema's languages; `text` stays unmarked.

    Returns:
        HTML for the inside of `<pre><code>`, with Pygments' short classes.
    """
    if language == "text":
        return Markup(escape(text))
    return Markup(pygments_highlight(text, _lexer(language), _FORMATTER).rstrip("\n"))
