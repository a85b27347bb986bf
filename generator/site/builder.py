"""Building the whole site, and serving it while somebody writes."""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import watchdog.observers
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, ConfigurationError, MkDocsException
from mkdocs.livereload import LiveReloadServer

from generator.export import urls
from generator.model import FaultbookError, ProblemsError
from generator.site import outputs
from generator.site.plugin import EntryProblemsError, FaultbookPlugin

PLUGIN = "faultbook"


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build produced.

    Attributes:
        site_dir: folder that holds the site.
        pages: number of pages.
        seconds: wall time.
    """

    site_dir: Path
    pages: int
    seconds: float


class _Messages(logging.Handler):
    """Collects what MkDocs warns of and says, since its own handlers belong to its command."""

    def __init__(self, say: Callable[[str], object] | None) -> None:
        super().__init__(logging.INFO if say else logging.WARNING)
        self._say = say
        self.errors: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.levelno >= logging.WARNING:
            self.errors.append(text)
        if self._say and record.levelno >= logging.WARNING:
            self._say(text)


def _load(config_file: Path, entries: Path | None, **options: object) -> MkDocsConfig:
    if not config_file.is_file():
        raise FaultbookError(
            f"{config_file}: no such file; run in the repository's root, or name the settings "
            "with --config-file"
        )
    try:
        config = load_config(config_file=str(config_file), **options)  # type: ignore[arg-type]
    except (ConfigurationError, Abort) as error:
        raise FaultbookError(f"{config_file}: {error}") from error
    if not isinstance(config.plugins.get(PLUGIN), FaultbookPlugin):
        raise FaultbookError(
            f"{config_file}: the plugin '{PLUGIN}' is missing; add it below 'plugins:'"
        )
    if entries is not None:
        config.plugins[PLUGIN].config["entries"] = str(entries.resolve())
    return config


def _run(config: MkDocsConfig, serve_url: str | None = None) -> None:
    try:
        mkdocs_build(config, serve_url=serve_url)
    except (MkDocsException, Abort) as error:
        # MkDocs logs the message of a plugin's error and aborts with another.
        cause = error.__context__ if isinstance(error.__context__, MkDocsException) else error
        if isinstance(cause, EntryProblemsError):
            raise ProblemsError(cause.problems) from error
        raise FaultbookError(str(cause)) from error


def build(
    config_file: Path,
    *,
    entries: Path | None = None,
    site_dir: Path | None = None,
    site_url: str | None = None,
    publish: bool = False,
) -> BuildResult:
    """Build the site once.

    Args:
        config_file: mkdocs.yml.
        entries: another folder of entries than the settings name.
        site_dir: another folder to write than the settings name.
        site_url: another address than the settings name.
        publish: whether to append the addresses to urls.lock.

    Returns:
        Where the site lies and how many pages it has.

    Raises:
        FaultbookError: the settings or the entries have problems; its text names them.
    """
    started = time.perf_counter()
    options: dict[str, object] = {}
    if site_dir is not None:
        options["site_dir"] = str(site_dir.resolve())
    if site_url is not None:
        options["site_url"] = site_url if site_url.endswith("/") else site_url + "/"
    messages = _Messages(None)
    logger = logging.getLogger("mkdocs")
    logger.addHandler(messages)
    try:
        config = _load(config_file, entries, **options)
        plugin: FaultbookPlugin = config.plugins[PLUGIN]  # type: ignore[assignment]
        config.plugins.on_startup(command="build", dirty=False)
        _run(config)
    finally:
        logger.removeHandler(messages)
    if publish:
        lock = Path(config.config_file_path).parent / plugin.config.urls_lock
        old = lock.read_text(encoding="utf-8") if lock.is_file() else ""
        lock.write_text(urls.append(old, outputs.addresses(plugin.published())), encoding="utf-8")
    return BuildResult(
        Path(config.site_dir), len(plugin.published()), time.perf_counter() - started
    )


def serve(
    config_file: Path,
    *,
    entries: Path | None = None,
    host: str = "127.0.0.1",
    port: int = 8000,
    say: Callable[[str], object],
) -> None:
    """Serve the site with live reload until interrupted.

    Args:
        config_file: mkdocs.yml.
        entries: another folder of entries than the settings name.
        host: address to listen on.
        port: port to listen on.
        say: prints one message.

    Raises:
        FaultbookError: the first build failed, or the port is taken.
    """
    mount = urlsplit(str(_load(config_file, entries).site_url or "/")).path
    url = f"http://{host}:{port}{mount}"
    messages = _Messages(say)
    logger = logging.getLogger("mkdocs")
    logger.addHandler(messages)
    with tempfile.TemporaryDirectory(prefix="faultbook-") as folder:

        def fresh() -> MkDocsConfig:
            config = _load(config_file, entries, site_dir=folder)
            config.site_url = url
            config.plugins.on_startup(command="serve", dirty=False)
            return config

        def rebuild() -> None:
            started = time.perf_counter()
            try:
                _run(fresh(), serve_url=url)
            except FaultbookError as error:
                # The last good pages stay; the writer sees what is wrong.
                say(str(error))
                return
            say(f"built in {time.perf_counter() - started:.1f} s")

        config = fresh()
        _run(config, serve_url=url)
        server = LiveReloadServer(
            builder=rebuild, host=host, port=port, root=folder, mount_path=mount
        )
        # The system's own notifications instead of polling every file twice a second.
        server.observer = watchdog.observers.Observer()  # type: ignore[assignment]
        not_found = Path(folder) / "404.html"
        server.error_handler = lambda code: (
            not_found.read_bytes() if code == 404 and not_found.is_file() else None
        )
        for item in (config.docs_dir, config.config_file_path, *config.watch):
            if Path(item).exists():
                server.watch(item)
        config.plugins.on_serve(server, config=config, builder=rebuild)
        say(f"Faultbook is at {url} (Ctrl+C ends it)")
        try:
            server.serve()  # type: ignore[no-untyped-call]
        except KeyboardInterrupt:
            say("")
        except OSError as error:
            raise FaultbookError(
                f"cannot listen on {host}:{port}: {error.strerror}; choose another port with --port"
            ) from error
        finally:
            if server.observer.is_alive():
                server.shutdown()
            logger.removeHandler(messages)
