"""The checks find what they are for: each is shown a page that is right and pages that are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.built import Site
from tests.site.checks import csp_problems, dead_css_urls, dead_links, duplicate_ids, script_hash

URL = "http://127.0.0.1:1/faultbook/"


@pytest.fixture
def site(tmp_path: Path) -> Site:
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "index.html").write_text("<h1 id='there'>There</h1>")
    (tmp_path / "data.json").write_text("{}")
    return Site(tmp_path, URL)


def write(site: Site, html: str) -> Path:
    file = site.folder / "page.html"
    file.write_text(html)
    return file


@pytest.mark.parametrize(
    "html",
    [
        '<a href="other/#there">',
        '<a href="/faultbook/data.json">',
        f'<a href="{URL}other/">',
        '<a href="https://example.org/nowhere">',
        '<p id="here"><a href="#here">',
        '<a href="mailto:a@example.org">',
    ],
)
def test_live_links(site: Site, html: str) -> None:
    assert dead_links(site, write(site, html)) == []


@pytest.mark.parametrize(
    ("html", "why"),
    [
        ('<a href="nowhere/">', "does not exist"),
        ('<a href="other">', "slash"),
        ('<a href="other/#gone">', "anchor"),
        ('<a href="#gone">', "anchor"),
        ('<a href="/data.json">', "sub-path"),
        ('<a href="../data.json">', "sub-path"),
        ('<img src="a.png">', "does not exist"),
        ('<img src="data:," srcset="data.json 1x, b.png 2x">', "does not exist"),
        ('<script src="gone.js"></script>', "does not exist"),
        ('<meta http-equiv="refresh" content="0; url=gone/">', "does not exist"),
    ],
)
def test_dead_links(site: Site, html: str, why: str) -> None:
    (found,) = dead_links(site, write(site, html))
    assert why in found


def test_the_404_page_is_shown_at_any_address(site: Site) -> None:
    file = site.folder / "404.html"
    file.write_text('<a href="other/"></a>\n<a href="/faultbook/other/"></a>')
    (found,) = dead_links(site, file)
    assert found.startswith("line 1")


def test_base(site: Site) -> None:
    file = site.folder / "404.html"
    file.write_text('<base href="/faultbook/"><a href="other/"></a>\n<a href="#gone"></a>')
    (found,) = dead_links(site, file)
    assert found.startswith("line 2")


def test_dead_address_in_a_style_sheet(site: Site) -> None:
    file = site.folder / "a.css"
    file.write_text("a{b:url(data.json)} c{d:url('gone.woff2')}")
    (found,) = dead_css_urls(site, file)
    assert "gone.woff2" in found


def test_duplicate_ids(site: Site) -> None:
    assert duplicate_ids(write(site, "<p id=a><p id=b><p id=a>")) == ["id 'a' 2 times"]


SCRIPT = "run('<b>')\n"
GOOD = (
    f"default-src 'self'; script-src 'self' {script_hash(SCRIPT)}; connect-src 'self'; "
    "object-src 'none'; base-uri 'none'; form-action 'none'"
)


def with_policy(policy: str, rest: str = f"<script>{SCRIPT}</script>") -> str:
    return f'<meta http-equiv="Content-Security-Policy" content="{policy}">{rest}'


def test_good_policy(site: Site) -> None:
    data = '<script type="application/ld+json">{"a": 1}</script>'
    assert csp_problems(write(site, with_policy(GOOD) + data)) == []


@pytest.mark.parametrize(
    ("html", "why"),
    [
        ("<p>", "0 policies"),
        (with_policy(GOOD) * 2, "2 policies"),
        ("<script src='a.js'></script>" + with_policy(GOOD), "before the policy"),
        (with_policy(GOOD, "<script>other()</script>"), "lacks 'sha256-"),
        (with_policy(GOOD, "<script type=module>other()</script>"), "lacks 'sha256-"),
        (with_policy(GOOD, "<p onclick='a()'>"), "handler"),
        (with_policy(GOOD, "<a href=' JavaScript:a()'>"), "handler"),
        (with_policy(GOOD.replace("script-src", "script-src 'unsafe-inline'")), "unsafe-inline"),
        (with_policy(GOOD.replace("script-src", "script-src https:")), "https:"),
        (with_policy(GOOD.replace("connect-src", "connect-src data:")), "connect-src"),
        (with_policy(GOOD.replace("object-src 'none'", "")), "object-src"),
        (with_policy(GOOD.replace("base-uri 'none'", "")), "base-uri"),
        (with_policy(GOOD.replace("form-action 'none'", "")), "form-action"),
    ],
)
def test_bad_policies(site: Site, html: str, why: str) -> None:
    (found,) = csp_problems(write(site, html))
    assert why in found
