"""Fixtures for tests in a real Chromium, driven by Playwright.

`page`, `context` and `watch` belong together: what the page does is recorded in `watch`.
`open_context` makes further contexts with other settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    expect,
    sync_playwright,
)

from tests.browser.watch import ColorScheme, OpenContext, Watch
from tests.tools import CHROMIUM_FLAGS, require

#: Milliseconds; generous, since the machine may be busy.
TIMEOUT = 20_000


@pytest.fixture(scope="session")
def chromium_path() -> str:
    """The program; the test is skipped where there is none, in CI it fails."""
    return require("chromium")


@pytest.fixture(scope="session")
def playwright(chromium_path: str) -> Iterator[Playwright]:
    expect.set_options(timeout=TIMEOUT)
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright: Playwright, chromium_path: str) -> Iterator[Browser]:
    browser = playwright.chromium.launch(executable_path=chromium_path, args=CHROMIUM_FLAGS)
    yield browser
    browser.close()


@pytest.fixture
def open_context(browser: Browser) -> Iterator[OpenContext]:
    close: list[Callable[[], None]] = []

    def open_one(
        *,
        color_scheme: ColorScheme = "light",
        width: int = 1280,
        height: int = 900,
        javascript: bool = True,
    ) -> tuple[BrowserContext, Watch]:
        context = browser.new_context(
            color_scheme=color_scheme,
            viewport={"width": width, "height": height},
            java_script_enabled=javascript,
            # An animation that still runs makes contrast and visibility a matter of luck.
            reduced_motion="reduce",
        )
        context.set_default_timeout(TIMEOUT)
        watch = Watch()
        watch.attach(context)
        close.append(context.close)
        return context, watch

    yield open_one
    for each in close:
        each()


@pytest.fixture
def _opened(open_context: OpenContext) -> tuple[BrowserContext, Watch]:
    return open_context()


@pytest.fixture
def context(_opened: tuple[BrowserContext, Watch]) -> BrowserContext:
    return _opened[0]


@pytest.fixture
def watch(_opened: tuple[BrowserContext, Watch]) -> Watch:
    return _opened[1]


@pytest.fixture
def page(context: BrowserContext) -> Page:
    return context.new_page()
