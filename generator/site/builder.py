"""Building the whole site."""

from __future__ import annotations

import logging
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import jinja2
from mkdocs.commands.build import build as mkdocs_build
from mkdocs.config import load_config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort, ConfigurationError, MkDocsException
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page

from generator.export import urls
from generator.model import FaultbookError, ProblemsError
from generator.site import outputs
from generator.site.plugin import EntryProblemsError, FaultbookPlugin

PLUGIN = "faultbook"

#: Is told what is being done, how much of it is done, and how much there is (0: not known).
Progress = Callable[[str, int, int], object]


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build produced.

    Attributes:
        site_dir: folder that holds the site.
        pages: number of pages.
        seconds: wall time.
        warnings: what MkDocs warns of, for example a link that leads nowhere.
    """

    site_dir: Path
    pages: int
    seconds: float
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Frame:
    """What MkDocs renders pages with, as a build left it.

    Attributes:
        config: the settings.
        plugin: our plugin, with the entries.
        files: every source with its page.
        nav: the navigation.
        env: the theme's templates.
        warnings: what MkDocs warned of.
    """

    config: MkDocsConfig
    plugin: FaultbookPlugin
    files: Files
    nav: Navigation
    env: jinja2.Environment
    warnings: tuple[str, ...]


class _Messages(logging.Handler):
    """Collects what MkDocs warns of, since its own handlers belong to its command."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        # The server of live reload says of each request how it went.
        if not record.name.startswith("mkdocs.livereload"):
            self.texts.append(record.getMessage())


class _Observer(BasePlugin):  # type: ignore[no-untyped-call,type-arg]
    """Follows a build: tells how far it is, and keeps what pages are rendered with."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress or (lambda stage, done, total: None)
        self._pages = 0
        self._done = {"Rendering entries": 0, "Writing pages": 0}
        self.config_used: MkDocsConfig | None = None
        self.files: Files | None = None
        self.nav: Navigation | None = None
        self.env: jinja2.Environment | None = None

    def _page(self, stage: str) -> None:
        self._done[stage] += 1
        self._progress(stage, self._done[stage], self._pages)

    @event_priority(100)
    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        self._progress("Reading entries", 0, 0)

    def on_nav(self, nav: Navigation, *, config: MkDocsConfig, files: Files) -> None:
        self.nav = nav
        self._pages = len(files.documentation_pages())

    def on_page_content(self, html: str, *, page: Page, config: MkDocsConfig, files: Files) -> None:
        self._page("Rendering entries")

    def on_env(self, env: jinja2.Environment, *, config: MkDocsConfig, files: Files) -> None:
        self.config_used, self.files, self.env = config, files, env

    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> None:
        self._page("Writing pages")

    @event_priority(100)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        self._progress("Writing data files", 0, 0)


def load_settings(config_file: Path, entries: Path | None, **options: object) -> MkDocsConfig:
    """Read mkdocs.yml.

    Args:
        config_file: mkdocs.yml.
        entries: another folder of entries than the settings name.
        options: settings that win over the file's.

    Raises:
        FaultbookError: the file is missing, wrong, or lacks the plugin.
    """
    if not config_file.is_file():
        raise FaultbookError(
            f"{config_file}: no such file; run in the repository's root, or name the settings "
            "with --config-file"
        )
    messages = _Messages()
    logger = logging.getLogger("mkdocs")
    logger.addHandler(messages)
    try:
        config = load_config(config_file=str(config_file), **options)  # type: ignore[arg-type]
    except (ConfigurationError, Abort, OSError, UnicodeError) as error:
        # Where settings are wrong, MkDocs logs what is, and counts them in its error.
        raise FaultbookError(
            "\n".join(f"{config_file}: {text}" for text in (*messages.texts, str(error)))
        ) from error
    finally:
        logger.removeHandler(messages)
    if not isinstance(config.plugins.get(PLUGIN), FaultbookPlugin):
        raise FaultbookError(
            f"{config_file}: the plugin '{PLUGIN}' is missing; add it below 'plugins:'"
        )
    if entries is not None:
        config.plugins[PLUGIN].config["entries"] = str(entries.resolve())
    return config


def run(
    config: MkDocsConfig, *, serve_url: str | None = None, progress: Progress | None = None
) -> Frame:
    """Build the site with MkDocs.

    Args:
        config: the settings.
        serve_url: the address, where the site is served to its writer.
        progress: is told how far the build is; what it raises ends the build.

    Raises:
        FaultbookError: the entries, the hand-written pages or the theme have problems.
    """
    observer = _Observer(progress)
    config.plugins["faultbook-observer"] = observer
    messages = _Messages()
    logger = logging.getLogger("mkdocs")
    logger.addHandler(messages)
    try:
        mkdocs_build(config, serve_url=serve_url)
    except (MkDocsException, Abort) as error:
        # MkDocs logs the message of a plugin's error and aborts with another.
        cause = error.__context__ if isinstance(error.__context__, MkDocsException) else error
        if isinstance(cause, EntryProblemsError):
            raise ProblemsError(cause.problems) from error
        raise FaultbookError(_told(messages.texts, str(cause))) from error
    except jinja2.TemplateError as error:
        raise FaultbookError(_template_error(error)) from error
    except (OSError, UnicodeError) as error:
        raise FaultbookError(_told(messages.texts, str(error))) from error
    finally:
        logger.removeHandler(messages)
    plugin = config.plugins[PLUGIN]
    assert isinstance(plugin, FaultbookPlugin)
    assert observer.config_used is not None
    assert observer.files is not None
    assert observer.nav is not None
    assert observer.env is not None
    return Frame(
        observer.config_used,
        plugin,
        observer.files,
        observer.nav,
        observer.env,
        tuple(dict.fromkeys(messages.texts)),
    )


def _told(logged: list[str], error: str) -> str:
    """Join what MkDocs logged with the error's own text, each once."""
    texts = [text for text in dict.fromkeys(logged) if error not in text]
    return "\n".join([*texts, error])


def _template_error(error: jinja2.TemplateError) -> str:
    """Say where in which template an error happened."""
    if isinstance(error, jinja2.TemplateSyntaxError):
        return f"{error.filename or error.name}:{error.lineno}: {error.message}"
    frames = traceback.extract_tb(error.__traceback__)
    place = next(
        (one for one in reversed(frames) if one.filename.endswith((".html", ".xml"))), None
    )
    where = f"{place.filename}:{place.lineno}: " if place else ""
    return f"{where}{error.message or type(error).__name__}"


def build(
    config_file: Path,
    *,
    entries: Path | None = None,
    site_dir: Path | None = None,
    site_url: str | None = None,
    publish: bool = False,
    progress: Progress | None = None,
) -> BuildResult:
    """Build the site once.

    Args:
        config_file: mkdocs.yml.
        entries: another folder of entries than the settings name.
        site_dir: another folder to write than the settings name.
        site_url: another address than the settings name.
        publish: whether to append the addresses to urls.lock.
        progress: is told how far the build is.

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
    config = load_settings(config_file, entries, **options)
    config.plugins.on_startup(command="build", dirty=False)
    frame = run(config, progress=progress)
    published = frame.plugin.published()
    if publish:
        lock = Path(config.config_file_path).parent / frame.plugin.config.urls_lock
        old = lock.read_text(encoding="utf-8") if lock.is_file() else ""
        lock.write_text(urls.append(old, outputs.addresses(published)), encoding="utf-8")
    return BuildResult(
        Path(config.site_dir), len(published), time.perf_counter() - started, frame.warnings
    )
