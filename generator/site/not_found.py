"""The page for unknown addresses.

It is served at any depth, so its links cannot be relative to the address, and
the site may be copied below another path than the one it was built for. The
page therefore links relative to a `<base>`, which a small script corrects.
"""

from __future__ import annotations

import re
from urllib.parse import urlsplit

#: First folders of our addresses: what stands before one of them is the site's root.
FOLDERS = (
    "failures", "categories", "tags", "systems", "browse", "diagnose", "graph", "symptoms",
    "signatures", "checklists", "references", "faq", "stats", "contribute", "about",
    "architecture", "api", "schema", "assets",
)  # fmt: skip

# The script has the base as it was built (say /faultbook/) and the address. Where
# the address lies below the base, nothing is to do; else the root ends before the
# first folder of ours.
_SCRIPT = (
    "(function(){var b=document.querySelector('base'),p=location.pathname,"
    "r=new URL(b.href).pathname;if(p.indexOf(r)===0&&r!=='/')return;"
    f"var m=/^(.*?\\/)(?:{'|'.join(FOLDERS)})(?:\\/|$)/.exec(p);"
    "if(m)b.href=m[1];})();"
)


def relative_to_base(html: str, site_url: str) -> str:
    """Make the page's absolute links relative to a correctable base.

    Args:
        html: the page, its links absolute below the path of `site_url`.
        site_url: address that the site is built for.

    Returns:
        The page with `<base>` and relative links.
    """
    path = urlsplit(site_url).path or "/"
    if not path.endswith("/"):
        path += "/"
    relative = re.sub(
        rf'\b(href|src)="{re.escape(path)}([^"/][^"]*)?"',
        lambda match: f'{match[1]}="{match[2] or "./"}"',
        html,
    )
    # The theme's scripts take their root from these two.
    relative = relative.replace(
        f'new URL("{path.rstrip("/")}",location)', 'new URL(".",document.baseURI)'
    )
    relative = relative.replace(f'"base":"{path.rstrip("/")}"', '"base":"."')
    relative = relative.replace(f'"base": "{path.rstrip("/")}"', '"base": "."')
    base = f'<base href="{path}">\n      <script>{_SCRIPT}</script>'
    return relative.replace('<meta charset="utf-8">', f'<meta charset="utf-8">\n      {base}', 1)
