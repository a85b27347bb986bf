"""The Content-Security-Policy of built pages.

Inline scripts are admitted by the hash of their text alone, and nothing may
connect to another host. Live reload injects a script of its own, so only
builds write the policy.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import lru_cache

_SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<body>.*?)</script\s*>", re.DOTALL | re.I)
_DATA_TYPE = re.compile(r"""type\s*=\s*["']?application/(?:ld\+)?json""", re.I)
_SOURCE = re.compile(r"(?:^|\s)src\s*=", re.I)
_CHARSET = '<meta charset="utf-8">'


@lru_cache(maxsize=1024)
def _hash(body: str) -> str:
    digest = hashlib.sha256(body.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def policy(html: str) -> str:
    """Return the policy that the scripts of a page need.

    Args:
        html: the finished page.

    Returns:
        The value of a Content-Security-Policy.
    """
    hashes = {
        _hash(match["body"])
        for match in _SCRIPT.finditer(html)
        if not _SOURCE.search(match["attributes"]) and not _DATA_TYPE.search(match["attributes"])
    }
    scripts = " ".join(["'self'", *sorted(hashes)])
    return (
        f"default-src 'none'; script-src {scripts}; style-src 'self'; img-src 'self' data:; "
        "font-src 'self'; connect-src 'self'; worker-src 'self'; manifest-src 'self'; "
        "base-uri 'self'; form-action 'none'"
    )


def with_policy(html: str) -> str:
    """Return the page with its policy as the first element after the charset.

    Args:
        html: the finished page, whose head starts with the charset.
    """
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy(html)}">'
    return html.replace(_CHARSET, f"{_CHARSET}\n      {meta}", 1)
