"""All HTML of the built site is valid by the Nu Html Checker."""

from __future__ import annotations

import json
import subprocess

from tests.built import Site
from tests.tools import require

#: (message, place, reason): what is let pass in Material's own frame. An exception that nothing
#: needs any longer fails the test, so that this list only gets shorter.
KNOWN: tuple[tuple[str, str, str], ...] = (
    (
        "Attribute “autocomplete” is only allowed when the input type is",
        'class="md-toggle"',
        "keeps Firefox from restoring an open drawer after a reload; harmless elsewhere",
    ),
    (
        "attribute of the “label” element must be the ID of a non-hidden form control",
        'for="__toc"',
        "the heading of the table of contents; its switch exists only for pages in the navigation",
    ),
)


def test_all_pages(built_site: Site) -> None:
    java, vnu = require("java"), require("vnu")
    options = ["--format", "json", "--stdout", "--skip-non-html", "--exit-zero-always"]
    done = subprocess.run(
        [java, "-Xss2m", "-jar", vnu, *options, str(built_site.folder)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    messages = json.loads(done.stdout)["messages"]

    used = set()
    wrong = []
    for message in messages:
        if message["type"] == "info":
            continue
        text, extract = message.get("message", ""), message.get("extract", "").strip()
        known = next((each for each in KNOWN if each[0] in text and each[1] in extract), None)
        if known is not None:
            used.add(known)
            continue
        page = message.get("url", "").partition(f"{built_site.folder}/")[2]
        wrong.append(f"{page}:{message.get('lastLine', 0)}: {text}\n  {extract}")
    assert not wrong, "\n".join(wrong[:50])
    assert used == set(KNOWN), f"no longer needed: {set(KNOWN) - used}"
