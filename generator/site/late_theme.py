"""Keeps the theme's scripts from running before somebody reads the page.

Material's bundle measures every part of the page when it starts: half of the
processor time of a long page on a phone. `boot.js` loads it at the first touch,
key or scroll.
"""

from __future__ import annotations

import re

_BUNDLE = re.compile(r'<script src="([^"]*/bundle\.[0-9a-f]+\.min\.js)"></script>')


def with_late_theme(html: str) -> str:
    """Return the page with the theme's bundle named instead of loaded.

    Args:
        html: the finished page.
    """
    return _BUNDLE.sub(r'<template id="fb-theme" data-src="\1"></template>', html, count=1)
