"""Serving the site while somebody writes it.

Three threads: the caller's shows changed entries, a second one brings the rest of the
site up to date or builds it anew, and the server's answers browsers. A build goes to a
folder of its own, which then takes the place of the one that is served; where it fails,
the last good site stays.
"""

from __future__ import annotations

import gc
import logging
import shutil
import signal
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from urllib.parse import urlsplit

from mkdocs.config.defaults import MkDocsConfig

from generator.load import display_name
from generator.model import FaultbookError, Problem, ProblemsError
from generator.site.builder import Frame, Progress, load_settings, run
from generator.site.kept_site import KeptSite
from generator.site.live_server import Changes, LiveServer

#: More changed entries than this at once are shown by building the site.
_MOST_SINGLE = 40
#: Seconds to wait for a file that is gone: editors replace files in two steps.
_GONE = 0.3
#: Seconds between two looks at whether the server was told to end.
_TICK = 0.25
#: Seconds to wait, at the end, for work that is under way.
_LAST_WORK = 5.0

#: Begins to show how far a build is; ends with the build.
ProgressBar = Callable[[], AbstractContextManager[Progress]]


class _OutdatedError(Exception):
    """Ends a build whose result nobody wants any more."""


class _Preview:
    """The site that is served, and the work on it."""

    def __init__(
        self,
        settings: Callable[[Path], MkDocsConfig],
        server: LiveServer,
        folder: Path,
        say: Callable[[str], object],
        bar: ProgressBar,
    ) -> None:
        self._settings = settings
        self._server = server
        self._folder = folder
        self._say = say
        self._bar = bar
        self._builds = 0
        self._broken: set[str] = set()
        self._told: tuple[Problem, ...] = ()
        # Held while entries are shown, and while a new build takes the old one's place.
        self._turn = threading.RLock()
        self._work = threading.Condition()
        self._refresh_wanted = False
        self._wanted_builds = 0
        self._tried_builds = 0
        self._failed = False
        self._stopped = False
        self._since_build: set[str] = set()
        self._worker = threading.Thread(target=self._work_on, daemon=True)

    def start(self) -> Frame:
        """Build the site and serve it."""
        frame = self._build(lambda: False)
        self._keep(frame)
        self._watch(frame)
        self._server.start()
        self._worker.start()
        return frame

    def stop(self) -> None:
        """End all work, giving it a moment."""
        with self._work:
            self._stopped = True
            self._work.notify_all()
        if self._worker.is_alive():
            self._kept.interrupt()
            self._worker.join(_LAST_WORK)
        self._server.stop()

    def handle(self, paths: frozenset[Path]) -> None:
        """Show what changed, or have it built.

        Args:
            paths: files and folders that changed.
        """
        with self._turn:
            entries, reasons = self._sorted(paths)
            if not entries and not reasons:
                return
            self._kept.interrupt()
            if len(entries) > _MOST_SINGLE:
                reasons.append(self._kept.root / entries[0])
            else:
                # First, since a build may have begun before and end after this.
                self._since_build.update(entries)
                for entry in entries:
                    self._show(entry)
        with self._work:
            self._refresh_wanted = True
            if reasons:
                self._say(f"{display_name(reasons[0])} changed: building the site anew")
            if reasons or self._failed:
                self._wanted_builds += 1
            self._work.notify_all()

    def _sorted(self, paths: frozenset[Path]) -> tuple[list[str], list[Path]]:
        """Return the known entries that changed, and what else the site depends on."""
        entries: set[str] = set()
        reasons: list[Path] = []
        latest = time.monotonic() + _GONE
        for path in sorted(paths):
            if _is_litter(path):
                continue
            entry = self._kept.entry_file(path)
            if entry is not None and (path.suffix != ".yml" or _is_there(path, latest)):
                entries.add(entry)
            elif self._failed or self._kept.depends_on(path):
                reasons.append(path)
        return sorted(entries), reasons

    # --- one entry ---

    def _show(self, entry: str) -> None:
        """Show one changed entry, or say what is wrong with it."""
        started = time.perf_counter()
        name = display_name(self._kept.root / entry)
        try:
            update = self._kept.update(entry)
        except Exception as error:
            self._say(f"{name}: {_defect(error)}; its last good page stays")
            return
        if update.problems:
            for problem in update.problems:
                self._say(str(problem))
            count = len(update.problems)
            self._say(f"{count} problem{'s' * (count > 1)}; the last good page stays")
            self._broken.add(entry)
            return
        self._server.reload(update.pages)
        if update.pages or entry in self._broken:
            self._say(f"{name}: shown after {time.perf_counter() - started:.2f} s")
        self._broken.discard(entry)

    # --- everything else, in a thread of its own ---

    def _work_on(self) -> None:
        while True:
            with self._work:
                self._work.wait_for(
                    lambda: (
                        self._stopped
                        or self._refresh_wanted
                        or self._wanted_builds > self._tried_builds
                    )
                )
                if self._stopped:
                    return
                build = self._wanted_builds > self._tried_builds
                self._refresh_wanted = False
            try:
                if build:
                    self._rebuild()
                else:
                    self._refresh()
            except Exception as error:
                self._say(_defect(error))

    def _refresh(self) -> None:
        kept = self._kept
        if not kept.is_due:
            return
        done = kept.refresh()
        self._server.reload(done.pages)
        if done.rebuild:
            with self._work:
                self._wanted_builds += 1
        # What is wrong is told once, not again with each change of something else.
        for problem in done.problems:
            if problem not in self._told:
                self._say(str(problem))
        if done.finished:
            self._told = done.problems

    def _rebuild(self) -> None:
        started = time.perf_counter()
        with self._work:
            number = self._tried_builds = self._wanted_builds
            self._since_build.clear()
        try:
            frame = self._build(lambda: self._stopped or self._wanted_builds != number)
        except _OutdatedError:
            return
        except FaultbookError as error:
            self._failed = True
            texts = map(str, error.problems) if isinstance(error, ProblemsError) else [str(error)]
            for text in texts:
                self._say(text)
            self._say("the last good site stays")
            # Entries that changed meanwhile are still shown everywhere.
            self._refresh_wanted = True
            return
        except Exception as error:
            self._failed = True
            self._say(f"{_defect(error)}; the last good site stays")
            return
        old = self._kept.folder
        with self._turn:
            self._failed = False
            self._broken.clear()
            self._keep(frame)
            for entry in sorted(self._since_build):
                if self._kept.entry_file(self._kept.root / entry) == entry:
                    self._show(entry)
            self._refresh_wanted = self._kept.is_due
        self._watch(frame)
        self._server.reload()
        pages = len(frame.plugin.published())
        for text in frame.warnings:
            self._say(text)
        self._say(f"{pages} pages built in {time.perf_counter() - started:.1f} s")
        shutil.rmtree(old, ignore_errors=True)

    def _build(self, is_outdated: Callable[[], bool]) -> Frame:
        self._builds += 1
        folder = self._folder / str(self._builds)
        try:
            config = self._settings(folder)
            config.plugins.on_startup(command="serve", dirty=False)
            with self._bar() as show:

                def progress(stage: str, done: int, total: int) -> None:
                    if is_outdated():
                        raise _OutdatedError
                    show(stage, done, total)

                frame = run(config, serve_url=config.site_url, progress=progress)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return frame

    def _keep(self, frame: Frame) -> None:
        """Let a build take the place of the one that is served."""
        self._kept = KeptSite(frame)
        self._server.root = str(self._kept.folder)
        # Going through millions of objects that all stay would stop everything for seconds.
        gc.unfreeze()
        gc.collect()
        gc.freeze()

    def _watch(self, frame: Frame) -> None:
        config = frame.config
        own = [config.theme.custom_dir] if config.theme.custom_dir else []
        for item in (config.docs_dir, config.config_file_path, *own, *config.watch):
            self._server.watch(str(item))
        config.plugins.on_serve(self._server, config=config, builder=self._server.builder)


def _is_litter(path: Path) -> bool:
    """Return whether a file is what editors and programs leave behind."""
    name = path.name
    return name.startswith(".") or name.endswith("~") or "__pycache__" in path.parts


def _is_there(path: Path, latest: float) -> bool:
    """Return whether a file exists, or does so before a time."""
    while not path.is_file():
        if time.monotonic() > latest:
            return False
        time.sleep(_GONE / 20)
    return True


def _defect(error: Exception) -> str:
    if isinstance(error, OSError):
        return str(error)
    text = " ".join(f"{type(error).__name__}: {error}".split())
    return f"this failed with {text}; it is a defect of faultbook, please report it"


def serve(
    config_file: Path,
    *,
    entries: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 8000,
    say: Callable[[str], object],
    bar: ProgressBar,
) -> None:
    """Serve the site with live reload until interrupted.

    Args:
        config_file: mkdocs.yml.
        entries: another folder of entries than the settings name.
        host: address to listen on.
        port: port to listen on.
        say: prints one message.
        bar: shows how far a build is.

    Raises:
        FaultbookError: the first build failed, or nobody can listen at the address.
    """
    mount = urlsplit(str(load_settings(config_file, entries).site_url or "/")).path or "/"
    url = f"http://{f'[{host}]' if ':' in host else host}:{port}{mount}"

    def settings(folder: Path) -> MkDocsConfig:
        config = load_settings(config_file, entries, site_dir=str(folder))
        config.site_url = url
        return config

    # watchdog warns where a folder is moved away and back.
    warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"watchdog\.")
    # MkDocs' server tells of each request, and of errors with a traceback.
    silent = logging.NullHandler()
    logging.getLogger("mkdocs").addHandler(silent)
    changes = Changes()
    server = LiveServer(host, port, mount, changes, say)
    with tempfile.TemporaryDirectory(prefix="faultbook-", ignore_cleanup_errors=True) as folder:
        preview = _Preview(settings, server, Path(folder), say, bar)
        # A closed terminal ends it as Ctrl+C does: the folder may hold a gigabyte.
        ends = (signal.SIGTERM, signal.SIGHUP)
        others = [signal.signal(number, signal.default_int_handler) for number in ends]
        try:
            frame = preview.start()
            say(f"Faultbook is at {url} (Ctrl+C ends it)")
            for text in frame.warnings:
                say(text)
            while True:
                if paths := changes.take(_TICK):
                    preview.handle(paths)
        except KeyboardInterrupt:
            pass
        finally:
            preview.stop()
            for number, other in zip(ends, others, strict=True):
                signal.signal(number, other)
            gc.unfreeze()
            logging.getLogger("mkdocs").removeHandler(silent)
