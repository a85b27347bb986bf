"""Checks over the files of a built site; each returns what is wrong, one line a finding."""

from __future__ import annotations

import base64
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from tests.built import Site

#: Attributes whose value is one address, by element; `srcset` is read apart.
_ADDRESSES = {
    "a": ("href",),
    "area": ("href",),
    "audio": ("src",),
    "form": ("action",),
    "iframe": ("src",),
    "image": ("href",),
    "img": ("src",),
    "input": ("src",),
    "link": ("href",),
    "object": ("data",),
    "script": ("src",),
    "source": ("src",),
    "use": ("href", "xlink:href"),
    "video": ("src", "poster"),
}
#: A script of another type is data and never run; the empty type is classic JavaScript.
_EXECUTABLE = {"", "module", "text/javascript", "application/javascript", "importmap"}
_CSS_URL = re.compile(r"""url\(\s*(['"]?)([^'")]+)\1\s*\)""")


@dataclass(slots=True)
class Page:
    """What the checks need to know of one HTML file.

    Attributes:
        ids: every `id`, and `name` of `a`, in order.
        links: (line, address) of everything that the page links or loads.
        inline_scripts: text of the scripts that stand in the page and are run.
        handlers: attributes such as `onclick`, and addresses with `javascript:`.
        policies: contents of `<meta http-equiv="Content-Security-Policy">`.
        base: what `<base>` says, which every other address is relative to.
        script_before_policy: whether a script stands before the first policy.
    """

    ids: list[str] = field(default_factory=list)
    links: list[tuple[int, str]] = field(default_factory=list)
    inline_scripts: list[str] = field(default_factory=list)
    handlers: list[str] = field(default_factory=list)
    policies: list[str] = field(default_factory=list)
    base: str = ""
    script_before_policy: bool = False


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.page = Page()
        self._script: list[str] | None = None

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        line = self.getpos()[0]
        if "id" in values:
            self.page.ids.append(values["id"])
        if tag == "a" and values.get("name") and values["name"] != values.get("id"):
            self.page.ids.append(values["name"])
        self.page.handlers += [
            f"line {line}: <{tag} {name}>"
            for name, value in values.items()
            if name.startswith("on") or value.strip().lower().startswith("javascript:")
        ]
        self.page.links += [
            (line, values[name]) for name in _ADDRESSES.get(tag, ()) if name in values
        ]
        if "srcset" in values:
            candidates = values["srcset"].split(",")
            self.page.links += [(line, each.split()[0]) for each in candidates if each.strip()]
        if tag == "base" and not self.page.base:
            self.page.base = values.get("href", "")
        if tag == "meta":
            self._meta(line, values)
        if tag == "script":
            self.page.script_before_policy |= not self.page.policies
            executable = values.get("type", "").strip().lower() in _EXECUTABLE
            self._script = [] if executable and "src" not in values else None

    def _meta(self, line: int, values: dict[str, str]) -> None:
        kind = values.get("http-equiv", "").lower()
        content = values.get("content", "")
        if kind == "content-security-policy":
            self.page.policies.append(content)
        elif kind == "refresh" and "url=" in content.lower():
            self.page.links.append((line, re.split("url=", content, flags=re.I)[1].strip("'\" ")))

    def handle_data(self, data: str) -> None:
        if self._script is not None:
            self._script.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "script" and self._script is not None:
            self.page.inline_scripts.append("".join(self._script))
            self._script = None


@cache
def read_page(file: Path) -> Page:
    """Reads one HTML file."""
    reader = _Reader()
    # Browsers hash and show line ends as \n; read_text() does the same.
    reader.feed(file.read_text(encoding="utf-8"))
    reader.close()
    return reader.page


def duplicate_ids(file: Path) -> list[str]:
    """Ids that stand more than once in the page."""
    return [f"id {name!r} {n} times" for name, n in Counter(read_page(file).ids).items() if n > 1]


def dead_links(site: Site, file: Path) -> list[str]:
    """Addresses inside the site that lead to no file, or to an anchor that is not there."""
    relative = file.relative_to(site.folder).as_posix()
    base = site.url + relative.removesuffix("index.html")
    if relative == "404.html":
        # It is shown at any address, where an address relative to it leads astray.
        base = site.url + "no/such/page/"
    page = read_page(file)
    base = urljoin(base, page.base)
    found = []
    for line, address in page.links:
        problem = _dead(site, base, address)
        if problem:
            found.append(f"line {line}: {address!r} {problem}")
    return found


def dead_css_urls(site: Site, file: Path) -> list[str]:
    """Addresses in a style sheet that lead to no file."""
    base = site.url + file.relative_to(site.folder).as_posix()
    addresses = {match[2] for match in _CSS_URL.finditer(file.read_text(encoding="utf-8"))}
    # In an SVG inside a data: address, url(#...) names a part of that picture.
    addresses = {each for each in addresses if not each.startswith(("#", "%23"))}
    return [f"{each!r} {why}" for each in sorted(addresses) if (why := _dead(site, base, each))]


def _dead(site: Site, base: str, address: str) -> str | None:
    target = urlsplit(urljoin(base, address.strip()))
    if target.scheme not in ("http", "https"):
        return None
    host = urlsplit(site.url)
    if target.netloc != host.netloc:
        return None
    path = unquote(target.path)
    if not path.startswith(host.path):
        return f"leaves the sub-path {host.path}"
    file = site.folder / path.removeprefix(host.path)
    if path.endswith("/"):
        file /= "index.html"
    elif file.is_dir():
        return "lacks the slash at the end"
    if not file.is_file():
        return "does not exist"
    anchor = unquote(target.fragment).partition(":~:")[0]
    if anchor and file.suffix == ".html" and anchor not in read_page(file).ids:
        return "names an anchor that is not there"
    return None


def csp_problems(file: Path) -> list[str]:
    """What the page's Content-Security-Policy lacks, or lets through."""
    page = read_page(file)
    if len(page.policies) != 1:
        return [f"has {len(page.policies)} policies, not one"]
    policy = dict(_directives(page.policies[0]))
    found = []
    if page.script_before_policy:
        found.append("has a script before the policy, which therefore does not bind it")
    fallback = policy.get("default-src", set())
    scripts = policy.get("script-src", fallback)
    found += [
        f"script-src lets through {source}"
        for source in sorted(scripts)
        if source != "'self'" and not source.startswith("'sha256-")
    ]
    if not scripts:
        found.append("has neither script-src nor default-src")
    found += [
        f"script-src lacks {digest} of the inline script {text[:60]!r}"
        for text in page.inline_scripts
        if (digest := script_hash(text)) not in scripts
    ]
    found += [f"holds a handler that the policy blocks: {each}" for each in page.handlers]
    if not policy.get("connect-src", fallback) <= {"'self'", "'none'"}:
        found.append("connect-src allows more than 'self'")
    if not policy.get("connect-src", fallback):
        found.append("has neither connect-src nor default-src")
    if policy.get("object-src", fallback) != {"'none'"}:
        found.append("object-src is not 'none'")
    if not policy.get("base-uri", {"*"}) <= {"'self'", "'none'"}:
        found.append("base-uri, which has no fallback, is not 'self' or 'none'")
    if not policy.get("form-action", {"*"}) <= {"'self'", "'none'"}:
        found.append("form-action, which has no fallback, is not 'self' or 'none'")
    return found


def script_hash(text: str) -> str:
    """The source expression that allows an inline script with this text."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _directives(policy: str) -> Iterator[tuple[str, set[str]]]:
    for directive in policy.split(";"):
        name, *sources = directive.split() or [""]
        if name:
            yield name.lower(), set(sources)


def report(findings: Iterable[tuple[Path, list[str]]], site: Site) -> str:
    """One line a finding, each with the file it is in; empty when there is none."""
    return "\n".join(
        f"{file.relative_to(site.folder)}: {line}" for file, lines in findings for line in lines
    )
