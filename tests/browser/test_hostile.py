"""Entries come from strangers: whatever stands in one is shown as text and nothing of it runs.

Every field of `tests/fixtures/hostile` holds markup, scripts, template syntax and bad links.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Dialog, Page, expect

from generator.load import load_encyclopedia
from generator.model import Entry
from tests.browser.published import visit
from tests.browser.watch import OpenContext, Watch
from tests.built import Site, served
from tests.tools import ROOT

FIXTURE = ROOT / "tests/fixtures/hostile"
ID = "hostile-entry"
ALIAS = "hostile-alias"

#: What came out of an entry and could act, one line each.
_ACTIVE = """
() => [...document.querySelectorAll("*")].flatMap((element) => {
  const found = [...element.attributes]
    .filter(({name, value}) => /^on/i.test(name) || /^\\s*(javascript|data):/i.test(value)
      || (name === "style" && element.closest("article")))
    .map(({name, value}) => `<${element.localName} ${name}="${value}">`);
  const active = element.closest("article, title")
    && /^(img|image|script|iframe|object|embed|base|meta|link|use|foreignobject|style)$/i
      .test(element.localName);
  return active ? [...found, `<${element.localName}> among the content`] : found;
})
"""
_OPEN_ALL = "document.querySelectorAll('details').forEach((each) => { each.open = true; })"


@pytest.fixture(scope="session")
def hostile_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("hostile") / "site"
    with served(folder) as url:
        done = subprocess.run(
            [
                Path(sys.executable).with_name("faultbook"),
                *("build", "--entries", FIXTURE, "--site-dir", folder, "--site-url", url),
            ],
            cwd=ROOT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        assert done.returncode == 0, f"faultbook build failed:\n{done.stdout}{done.stderr}"
        yield Site(folder, url)


@pytest.fixture(scope="session")
def hostile() -> Entry:
    entry = load_encyclopedia(FIXTURE).encyclopedia.entries[ID]
    assert "<script>window.pwned" in entry.title
    return entry


@pytest.fixture
def dialogs(context: BrowserContext) -> list[str]:
    """Messages of the dialogs that pages opened, each dismissed at once."""
    opened: list[str] = []

    def dismiss(dialog: Dialog) -> None:
        opened.append(f"{dialog.type}: {dialog.message}")
        dialog.dismiss()

    context.on("dialog", dismiss)
    return opened


def addresses(site: Site) -> list[str]:
    """Every page, without the redirect of the former id."""
    paths = [file.relative_to(site.folder).as_posix() for file in site.pages()]
    return [site.url + path.removesuffix("index.html") for path in paths if ALIAS not in path]


def test_no_page_runs_anything_of_it(
    hostile_site: Site, page: Page, watch: Watch, dialogs: list[str]
) -> None:
    pages = addresses(hostile_site)
    assert len(pages) > 15

    active: list[str] = []
    for address in pages:
        visit(page, address)
        page.evaluate(_OPEN_ALL)
        found = page.evaluate(_ACTIVE)
        if page.evaluate("window.pwned") is not None:
            found.append("a script of the entry was run")
        active += [f"{address}: {each}" for each in found]

    assert not active, "\n".join(active)
    assert dialogs == []
    watch.assert_clean(hostile_site.url)


def test_an_entry_is_shown_as_it_was_written(
    hostile_site: Site, hostile: Entry, page: Page
) -> None:
    page.goto(f"{hostile_site.url}failures/{ID}/")

    assert page.title() == f"{hostile.title} · Faultbook"
    expect(page.get_by_role("heading", level=1)).to_have_text(hostile.title)
    expect(page.locator("article .fb-summary")).to_have_text(hostile.summary)
    description = page.locator("meta[name=description]")
    assert description.get_attribute("content") == hostile.summary
    for shown in (hostile.fix[0].run, hostile.confirm[0].run, hostile.code[0].code):
        expect(
            page.locator("article pre code").get_by_text(shown, exact=True).first
        ).to_be_attached()


def test_lists_show_the_title(hostile_site: Site, hostile: Entry, page: Page) -> None:
    for path in ("", "browse/", "categories/storage/", "symptoms/", "checklists/"):
        page.goto(hostile_site.url + path)
        link = page.locator(f"article a[href$='failures/{ID}/']").first
        expect(link).to_have_text(hostile.title)


def test_using_the_page_runs_nothing(
    hostile_site: Site, page: Page, watch: Watch, dialogs: list[str]
) -> None:
    visit(page, f"{hostile_site.url}failures/{ID}/")
    page.evaluate(_OPEN_ALL)
    buttons = page.locator("article button.fb-copy")
    expect(buttons.first).to_be_visible()

    for button in buttons.all():
        button.click()
    page.get_by_role("checkbox").first.check()
    for target in page.locator("article :is(a, td, dd, li)").all()[:40]:
        target.dispatch_event("mouseover")

    assert page.evaluate("window.pwned") is None
    assert dialogs == []
    watch.assert_clean(hostile_site.url)


@pytest.mark.parametrize(
    "path",
    [
        "failures/%3Cimg%20src=x%20onerror=alert(1)%3E/",
        "failures/hostile-entri/?q=%3Cscript%3Ealert(1)%3C/script%3E#%22%3E%3Cscript%3Ealert(1)",
        "browse/?category=%3Cimg%20src=x%20onerror=alert(1)%3E&severity=critical",
        "browse/#%3Cimg%20src=x%20onerror=alert(1)%3E",
        "graph/?kind=javascript:alert(1)",
    ],
)
def test_an_address_runs_nothing(
    hostile_site: Site, page: Page, watch: Watch, dialogs: list[str], path: str
) -> None:
    visit(page, hostile_site.url + path)

    assert page.evaluate(_ACTIVE) == []
    assert dialogs == []
    # Chromium reports the status of an unknown address as a console error.
    watch.assert_clean(hostile_site.url, allow=("status of 404",))


@pytest.mark.parametrize("javascript", [True, False])
def test_a_former_id_leads_on(
    hostile_site: Site, hostile: Entry, open_context: OpenContext, javascript: bool
) -> None:
    context, watch = open_context(javascript=javascript)
    page = context.new_page()

    page.goto(f"{hostile_site.url}failures/{ALIAS}/")

    page.wait_for_url(f"{hostile_site.url}failures/{ID}/")
    expect(page.get_by_role("heading", level=1)).to_have_text(hostile.title)
    watch.assert_clean(hostile_site.url)


def test_who_does_not_follow_the_redirect_finds_a_link(
    hostile_site: Site, hostile: Entry, page: Page
) -> None:
    html = (hostile_site.folder / f"failures/{ALIAS}/index.html").read_text(encoding="utf-8")
    assert 'http-equiv="refresh"' in html

    page.set_content(html.replace('http-equiv="refresh"', ""))

    link = page.get_by_role("link", name=hostile.title)
    assert link.get_attribute("href") == f"../{ID}/"
