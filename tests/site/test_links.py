"""Every address inside the built site leads somewhere, under the sub-path that it is built for."""

from __future__ import annotations

from tests.built import Site
from tests.site.checks import dead_css_urls, dead_links, duplicate_ids, report


def test_links_anchors_and_assets(built_site: Site) -> None:
    pages = built_site.pages()
    assert pages
    dead = report(((file, dead_links(built_site, file)) for file in pages), built_site)
    assert not dead, dead


def test_style_sheets(built_site: Site) -> None:
    sheets = sorted(built_site.folder.rglob("*.css"))
    assert sheets
    dead = report(((file, dead_css_urls(built_site, file)) for file in sheets), built_site)
    assert not dead, dead


def test_ids_are_unique(built_site: Site) -> None:
    twice = report(((file, duplicate_ids(file)) for file in built_site.pages()), built_site)
    assert not twice, twice
