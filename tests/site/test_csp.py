"""Each built page carries a Content-Security-Policy that lets only the site's own scripts run."""

from __future__ import annotations

from tests.built import Site
from tests.site.checks import csp_problems, report


def test_every_page(built_site: Site) -> None:
    pages = built_site.pages()
    assert pages
    problems = report(((file, csp_problems(file)) for file in pages), built_site)
    assert not problems, problems
