"""The web server of the preview: it watches files, and reloads pages that changed."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import watchdog.events
import watchdog.observers
from mkdocs.livereload import LiveReloadServer
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserver

from generator.model import FaultbookError

#: Reading a file is an event too: these mean that it may be another one now.
_CHANGES = frozenset(
    {
        watchdog.events.EVENT_TYPE_CREATED,
        watchdog.events.EVENT_TYPE_MODIFIED,
        watchdog.events.EVENT_TYPE_MOVED,
        watchdog.events.EVENT_TYPE_DELETED,
        watchdog.events.EVENT_TYPE_CLOSED,
    }
)
#: Editors write in several steps: seconds of quiet that end a change, and the longest wait.
_QUIET, _LONGEST = 0.03, 0.5
#: Seconds between two looks at all files, where the system does not notify.
_POLLING = 1.0

_POLL = re.compile(r"/livereload/(?P<epoch>[0-9]{1,18})/[0-9]+")


class Changes:
    """The paths that changed since somebody asked."""

    def __init__(self) -> None:
        self._paths: set[Path] = set()
        self._condition = threading.Condition()

    def add(self, path: Path) -> None:
        """Remember a path that changed."""
        with self._condition:
            self._paths.add(path)
            self._condition.notify_all()

    def take(self, timeout: float) -> frozenset[Path]:
        """Return the paths that changed, as soon as some did and no more follow.

        Args:
            timeout: seconds to wait for the first; then the answer is empty.
        """
        with self._condition:
            if not self._condition.wait_for(lambda: self._paths, timeout):
                return frozenset()
            latest = time.monotonic() + _LONGEST
            while time.monotonic() < latest and self._condition.wait(_QUIET):
                pass
            found = frozenset(self._paths)
            self._paths.clear()
            return found


class _Handler(watchdog.events.FileSystemEventHandler):
    """Collects the paths of one watched folder, or of one file in it."""

    def __init__(self, changes: Changes, only: Path | None) -> None:
        self._changes = changes
        self._only = only

    def on_any_event(self, event: watchdog.events.FileSystemEvent) -> None:
        if event.event_type not in _CHANGES:
            return
        if event.is_directory and event.event_type == watchdog.events.EVENT_TYPE_MODIFIED:
            return
        for name in (event.src_path, event.dest_path):
            if name:
                path = Path(name.decode() if isinstance(name, bytes) else name)
                if self._only in (None, path):
                    self._changes.add(path)


class LiveServer(LiveReloadServer):
    """Serves a folder; browsers reload when the page that they show changed.

    The folder, `root`, may be replaced by another at any time.
    """

    def __init__(
        self, host: str, port: int, mount_path: str, changes: Changes, say: Callable[[str], object]
    ) -> None:
        """Take the address.

        Args:
            host: address to listen on.
            port: port to listen on.
            mount_path: path that the site has.
            changes: is given what changes in watched places.
            say: prints one message.

        Raises:
            FaultbookError: nobody can listen there.
        """
        super().__init__(lambda: None, host, port, root="", mount_path=mount_path)
        self.error_handler = self._error_page
        self.observer: BaseObserver = watchdog.observers.Observer()  # type: ignore[assignment]
        self._changes = changes
        self._say = say
        self._all_epoch = self._visible_epoch
        self._page_epochs: dict[str, int] = {}
        try:
            self.server_bind()
            self.server_activate()
        except OSError as error:
            raise FaultbookError(
                f"cannot listen on {host}:{port}: {error.strerror or error}; "
                "choose another address with --host or --port"
            ) from error

    # --- watching ---

    def watch(self, path: str, func: Any = None, *, recursive: bool = True) -> None:
        """Watch a folder, or a file; what is watched already is not watched twice.

        Args:
            path: the folder or file.
            func: only for plugins of MkDocs, which may pass the builder.
            recursive: whether folders in a folder are watched too.
        """
        place = Path(path).absolute()
        if str(place) in self._watched_paths or not place.exists():
            return
        self._watched_paths[str(place)] = 1
        # A file is watched through its folder: many editors replace the file itself.
        only = None if place.is_dir() else place
        self._watch_refs[str(place)] = self.observer.schedule(
            _Handler(self._changes, only),
            str(place if only is None else place.parent),
            recursive=recursive and only is None,
        )

    def start(self) -> None:
        """Watch and serve in threads of their own."""
        try:
            self.observer.start()
        except OSError as error:
            self._say(
                f"the system does not tell of changed files ({error.strerror or error}): "
                f"looking at all of them every {_POLLING:.0f} s, which is slower"
            )
            watched = list(self._watched_paths)
            self._watched_paths.clear()
            self._watch_refs.clear()
            self.observer.unschedule_all()
            self.observer = PollingObserver(timeout=_POLLING)
            for path in watched:
                self.watch(path)
            self.observer.start()
        self.serve_thread.daemon = True
        self.serve_thread.start()

    def stop(self) -> None:
        """Stop watching and serving."""
        if self.observer.is_alive():
            self.shutdown()
        else:
            self.server_close()

    # --- serving ---

    def reload(self, pages: Iterable[str] | None = None) -> None:
        """Let browsers reload.

        Args:
            pages: addresses of changed pages below the site's root; all where not given.
        """
        changed = None if pages is None else list(pages)
        if changed == []:
            return
        with self._epoch_cond:
            epoch = max(round(time.monotonic() * 1000), self._visible_epoch + 1)
            if changed is None:
                self._all_epoch = epoch
                self._page_epochs.clear()
            else:
                self._page_epochs.update(dict.fromkeys(changed, epoch))
            self._wanted_epoch = self._visible_epoch = epoch
            self._epoch_cond.notify_all()

    def _serve_request(self, environ: Any, start_response: Any) -> Iterable[bytes] | None:
        if poll := _POLL.fullmatch(environ["PATH_INFO"]):
            return self._answer_poll(int(poll["epoch"]), environ, start_response)
        root = self.root
        answer = super()._serve_request(environ, start_response)
        if answer is None and root != self.root:
            # The folder was replaced between finding the file's name and opening it.
            answer = super()._serve_request(environ, start_response)
        return answer

    def _answer_poll(self, epoch: int, environ: Any, start_response: Any) -> Iterable[bytes]:
        """Answer when the page that asks has changed, or with its own epoch after a minute."""
        start_response("200 OK", [("Content-Type", "text/plain")])
        page = self._page_of(environ.get("HTTP_REFERER", ""))

        def changed() -> int:
            if page is None:
                return self._visible_epoch
            return max(self._all_epoch, self._page_epochs.get(page, 0))

        with self._epoch_cond:
            self._epoch_cond.wait_for(lambda: changed() > epoch, self.poll_response_timeout)
            return [b"%d" % max(changed(), epoch)]

    def _page_of(self, referer: str) -> str | None:
        """Return the address below the root of the page that a browser shows."""
        try:
            path = unquote(urlsplit(referer).path)
        except ValueError:
            return None
        if not path.startswith(self.mount_path):
            return None
        return path.removeprefix(self.mount_path).removesuffix("index.html")

    def _error_page(self, code: int) -> bytes | None:
        page = Path(self.root) / "404.html"
        if code != 404 or not page.is_file():
            return None
        # Who looks at a page that is being written sees it as soon as it is there.
        return bytes(
            self._inject_js_into_html(  # type: ignore[no-untyped-call]
                page.read_bytes(), self._visible_epoch
            )
        )

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Stay silent about browsers that hang up; name anything else in one line."""
        error = sys.exception()
        if not isinstance(error, ConnectionError):
            self._say(f"a request failed: {type(error).__name__}: {error}")
