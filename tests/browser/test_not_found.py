"""An address that does not exist is answered with the entries whose names come nearest."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.published import ENTRY, entry
from tests.browser.watch import OpenContext, Watch
from tests.built import Site

#: What people type or remember, with what they mean.
WANTED = {
    "disk-full-durring-trainng": ENTRY,
    "disk-full-during": ENTRY,
    "Disk_Full_During_Training": ENTRY,
    "colective-watchdog-timeout": "collective-watchdog-timeout",
    "cuda-out-of-memmory": "cuda-out-of-memory",
    "cuda-oom-out-of-memory": "cuda-out-of-memory",
}


class _Handler(SimpleHTTPRequestHandler):
    """Serves a folder under another sub-path than it was built for."""

    prefix: str

    def translate_path(self, path: str) -> str:
        inside = path.startswith(self.prefix)
        return super().translate_path(path[len(self.prefix) - 1 :] if inside else "/no/such/file")

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        body = (Path(self.directory) / "404.html").read_bytes()
        self.send_response(HTTPStatus.NOT_FOUND)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing."""


@contextmanager
def moved_to(folder: Path, prefix: str) -> Iterator[str]:
    """Serves the files under this prefix on a free local port; yields the address."""
    handler = type("Handler", (_Handler,), {"prefix": prefix})
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=str(folder)))
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{prefix}"
    finally:
        server.shutdown()
        server.server_close()


def assert_leads_to(page: Page, root: str, title: str, id_: str) -> None:
    """The first of the nearest entries has this title, and its link works."""
    first = page.locator("#nearest a").first
    expect(first).to_have_text(title)
    first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    assert page.url == f"{root}failures/{id_}/"


@pytest.mark.parametrize("typed", WANTED)
def test_the_nearest_entry_comes_first(built_site: Site, page: Page, typed: str) -> None:
    id_ = WANTED[typed]
    page.goto(f"{built_site.url}failures/{typed}/")

    expect(page.get_by_role("heading", name="Did you mean")).to_be_visible()
    assert_leads_to(page, built_site.url, entry(built_site, id_)["title"], id_)


@pytest.mark.parametrize(
    "path",
    [
        "failures/disk-full-durring-training",
        "failures/disk-full-durring-training.html",
        "failures/disk-full-durring-training.json",
        "failures/disk-full-durring-training/index.html",
        "failures/disk-full-durring-training/fix/",
        "failures/disk-full-durring-training/a/b/c",
        "failures/disk-full-durring-training/?from=mail#fix",
        "failure/disk-full-during-training/",
        "disk-full-during-training/",
    ],
)
def test_at_any_depth(built_site: Site, page: Page, path: str) -> None:
    page.goto(built_site.url + path)

    assert_leads_to(page, built_site.url, entry(built_site)["title"], ENTRY)


@pytest.mark.parametrize("prefix", ["/", "/preview/pr-7/"])
@pytest.mark.parametrize("path", ["failures/disk-full-durring-training/", "failures/a/b/c/d"])
def test_in_a_copy_under_another_address(
    built_site: Site, page: Page, watch: Watch, prefix: str, path: str
) -> None:
    """The site is built for one address, and the same files are served at another."""
    with moved_to(built_site.folder, prefix) as root:
        page.goto(root + path, wait_until="networkidle")

        # The page has its styles, and its links stay inside the copy.
        assert (
            page.locator("h1").evaluate("heading => getComputedStyle(heading).fontWeight") > "600"
        )
        home = page.get_by_role("link", name="home page")
        assert home.evaluate("link => link.href") == root
        watch.assert_clean(root, allow=(f"[{root + path}]",))
        if "disk" in path:
            assert_leads_to(page, root, entry(built_site)["title"], ENTRY)
        else:
            home.click()
            expect(page.get_by_role("heading", name="Most severe")).to_be_visible()


@pytest.mark.parametrize("path", ["failures/%E0%A4%A/", "failures/%00/", "failures/zzzzqqqq/"])
def test_nothing_near(built_site: Site, page: Page, watch: Watch, path: str) -> None:
    page.goto(built_site.url + path, wait_until="networkidle")

    expect(page.get_by_role("heading", name="No such page")).to_be_visible()
    expect(page.locator("#nearest")).to_be_hidden()
    watch.assert_clean(built_site.url, allow=(f"[{page.url}]",))


def test_without_javascript(built_site: Site, open_context: OpenContext) -> None:
    context, _ = open_context(javascript=False)
    page = context.new_page()
    page.goto(f"{built_site.url}failures/disk-full-durring-training/")

    expect(page.get_by_role("heading", name="No such page")).to_be_visible()
    expect(page.locator("#nearest")).to_be_hidden()
    page.get_by_role("main").get_by_role("link", name="category").click()
    expect(page.get_by_role("heading", name="Categories", level=1)).to_be_visible()
