"""Records what a page does in the browser: requests, console errors, exceptions, CSP violations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, Protocol

from playwright.sync_api import BrowserContext, ConsoleMessage, Page, Request, WebError

ColorScheme = Literal["light", "dark"]

#: Not requests to a host.
_LOCAL = ("data:", "blob:", "about:")


@dataclass  # without slots: Playwright hangs its wrappers on the object of a bound method
class Watch:
    """What the pages of one browser context did so far.

    Attributes:
        requests: every address asked for, in order.
        console_errors: lines that the console shows as errors, failed loads among them.
        page_errors: uncaught exceptions.
        csp_violations: console lines about the Content-Security-Policy.
    """

    requests: list[str] = field(default_factory=list)
    console_errors: list[str] = field(default_factory=list)
    page_errors: list[str] = field(default_factory=list)
    csp_violations: list[str] = field(default_factory=list)

    def attach(self, context: BrowserContext) -> None:
        """Records from now on what happens in any page of the context."""
        context.on("request", self._request)
        context.on("console", self._console)
        context.on("weberror", self._web_error)

    def _request(self, request: Request) -> None:
        self.requests.append(request.url)

    def _web_error(self, error: WebError) -> None:
        self.page_errors.append(str(error.error))

    def _console(self, message: ConsoleMessage) -> None:
        line = f"{message.text} [{message.location.get('url', '')}]"
        if "Content Security Policy" in message.text:
            self.csp_violations.append(line)
        if message.type == "error":
            self.console_errors.append(line)

    def foreign_requests(self, origin: str) -> list[str]:
        """Addresses asked for that lie neither under `origin` nor in the page itself."""
        return [url for url in self.requests if not url.startswith((origin, *_LOCAL))]

    def assert_clean(self, origin: str, *, allow: tuple[str, ...] = ()) -> None:
        """Fails on a request to another host, a console error, an exception or a CSP violation.

        Args:
            origin: where requests may go, for example `http://127.0.0.1:8000/` or `file://`.
            allow: texts; a console error that holds one of them is expected.
        """
        found = {
            "request to another host": self.foreign_requests(origin),
            "uncaught exception": self.page_errors,
            "violation of the policy": self.csp_violations,
            "console error": [
                line
                for line in self.console_errors
                if line not in self.csp_violations and not any(text in line for text in allow)
            ],
        }
        lines = [f"{kind}: {each}" for kind, several in found.items() for each in several]
        assert not lines, "\n".join(lines)


class OpenContext(Protocol):
    """Opens a browser context that is closed when the test ends."""

    def __call__(
        self,
        *,
        color_scheme: ColorScheme = "light",
        width: int = 1280,
        height: int = 900,
        javascript: bool = True,
    ) -> tuple[BrowserContext, Watch]: ...


def color_scheme_of(page: Page) -> str | None:
    """Material's scheme of the page: `default` (light) or `slate` (dark)."""
    return page.locator("body").get_attribute("data-md-color-scheme")
