"""The built site as the tests see it: its folder, its kinds of pages, and a local server.

The server answers as a static host does: under a sub-path, with gzip, long caching of assets,
a redirect to the trailing slash, and 404.html for what does not exist.
"""

from __future__ import annotations

import gzip
import mimetypes
import posixpath
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from tests.tools import ROOT

#: The sub-path that the site is built for and served under, as on GitHub Pages.
PREFIX = "/faultbook/"

#: One page of each kind, as a pattern below the site's folder; the first match stands for all.
PAGE_KINDS: dict[str, str] = {
    "home": "index.html",
    "entry": "failures/disk-full-during-training/index.html",
    "category": "categories/storage/index.html",
    "tag": "tags/*/index.html",
    "system": "systems/*/index.html",
    "index": "categories/index.html",
    "browse": "browse/index.html",
    "graph": "graph/index.html",
    "stats": "stats/index.html",
    "view": "symptoms/index.html",
    "checklists": "checklists/index.html",
    "prose": "contribute/index.html",
    "404": "404.html",
}

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".xml": "application/xml",
    ".svg": "image/svg+xml",
    ".md": "text/markdown; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".yml": "text/yaml; charset=utf-8",
    ".woff2": "font/woff2",
}
_COMPRESSED = (".html", ".css", ".js", ".mjs", ".json", ".xml", ".svg", ".md", ".txt", ".yml")


@dataclass(frozen=True, slots=True)
class Site:
    """A built site.

    Attributes:
        folder: where its files are.
        url: its address while the tests run, with the sub-path and a slash at the end.
    """

    folder: Path
    url: str

    @property
    def origin(self) -> str:
        """Scheme, host and port with a slash at the end."""
        return self.url.removesuffix(PREFIX.lstrip("/"))

    def file(self, kind: str) -> Path:
        """The file that stands for a kind of page in `PAGE_KINDS`."""
        pattern = PAGE_KINDS[kind]
        found = next(iter(sorted(self.folder.glob(pattern))), None)
        assert found is not None, f"the build wrote no page of the kind {kind!r} ({pattern})"
        return found

    def page(self, kind: str) -> str:
        """The served address of `file(kind)`."""
        path = self.file(kind).relative_to(self.folder).as_posix()
        return self.url + path.removesuffix("index.html")

    def pages(self) -> list[Path]:
        """All HTML files of the site, sorted."""
        return sorted(self.folder.rglob("*.html"))


@lru_cache(maxsize=512)
def _body(path: Path, modified_ns: int, compressed: bool) -> bytes:
    content = path.read_bytes()
    return gzip.compress(content, 6, mtime=0) if compressed else content


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder: Path

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        path = posixpath.normpath(unquote(address.path))
        if address.path.endswith("/") and path != "/":
            path += "/"
        if not path.startswith(PREFIX):
            self._send(self.folder / "404.html", HTTPStatus.NOT_FOUND)
            return
        file = self.folder / path.removeprefix(PREFIX)
        if file.is_dir() and not path.endswith("/"):
            self.send_response(HTTPStatus.MOVED_PERMANENTLY)
            self.send_header("Location", path + "/")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        if file.is_dir():
            file /= "index.html"
        if file.is_file() and not (path.endswith("/") and file.name != "index.html"):
            self._send(file, HTTPStatus.OK)
        else:
            self._send(self.folder / "404.html", HTTPStatus.NOT_FOUND)

    def do_HEAD(self) -> None:
        self.do_GET()

    def _send(self, file: Path, status: HTTPStatus) -> None:
        suffix = file.suffix
        accepts = "gzip" in self.headers.get("Accept-Encoding", "")
        compressed = accepts and suffix in _COMPRESSED
        found = file.is_file()
        body = _body(file, file.stat().st_mtime_ns, compressed) if found else b"not found"
        kind = _TYPES.get(suffix) or mimetypes.guess_type(file.name)[0]
        self.send_response(status)
        self.send_header("Content-Type", kind or "application/octet-stream")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Vary", "Accept-Encoding")
        if compressed and found:
            self.send_header("Content-Encoding", "gzip")
        asset = found and "assets" in file.relative_to(self.folder).parts
        lifetime = "public, max-age=31536000, immutable" if asset else "public, max-age=600"
        self.send_header("Cache-Control", lifetime)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing: pytest's output is for findings."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serves a folder under `PREFIX` on a free local port; yields the address.

    The folder may be filled later, so that a site can be built for the address it will have.
    """
    handler = type("Handler", (_Handler,), {"folder": folder})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}{PREFIX}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def build(folder: Path, url: str) -> None:
    """Builds the repository's site into `folder` for the address `url`, with the command."""
    command = Path(sys.executable).with_name("faultbook")
    done = subprocess.run(
        [command, "build", "--site-dir", folder, "--site-url", url],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, f"faultbook build failed:\n{done.stdout}{done.stderr}"
