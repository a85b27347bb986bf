"""The MkDocs plugin: entries become pages inside Material's frame.

The plugin supplies finished HTML for each entry (MkDocs' Markdown is not run),
writes the data files beside the pages, and guards the published addresses.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any, Literal

import jinja2
from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.livereload import LiveReloadServer
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File, Files
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page
from mkdocs.structure.toc import TableOfContents
from mkdocs.utils.templates import TemplateContext

from generator.lint import check_all
from generator.load import load_encyclopedia
from generator.model import Entry, Problem
from generator.site import frame, outputs
from generator.site.csp import with_policy
from generator.site.late_theme import with_late_theme
from generator.site.not_found import relative_to_base
from generator.site.pages import plans, render
from generator.site.paths import theme_dir
from generator.site.records import PageKind, PagePlan, RenderedPage, Settings, Site, make_site
from generator.site.views.home import home_page
from generator.site.views.rendering import environment

log = logging.getLogger("mkdocs.plugins.faultbook")


class FaultbookConfig(Config):  # type: ignore[no-untyped-call]
    """Options of the plugin in mkdocs.yml."""

    entries = config_options.Type(str, default="entries")
    urls_lock = config_options.Type(str, default="urls.lock")
    branch = config_options.Type(str, default="main")


#: Kinds of pages whose titles stand in the navigation of every page.
NAVIGATED: frozenset[PageKind] = frozenset(
    {"browse", "diagnose", "categories", "systems", "tags", "graph"}
)


class GeneratedPage(Page):
    """A page whose content the plugin supplies: there is no Markdown to render."""

    def render(self, config: MkDocsConfig, files: Files) -> None:
        """Leave the content empty until `on_page_content`."""
        self.content = ""
        self.toc = TableOfContents([])


class FaultbookPlugin(BasePlugin[FaultbookConfig]):  # type: ignore[no-untyped-call]
    """Turns a folder of entries into pages, data files and redirects."""

    def __init__(self) -> None:
        self._serving = False
        self._site: Site | None = None
        self._plans: Mapping[str, PagePlan] = {}
        self._anchors: dict[str, tuple[str, ...]] = {}
        self._ahead: dict[str, RenderedPage] = {}
        self._targets: dict[str, tuple[str, ...]] = {}

    # --- set-up ---

    def on_startup(self, *, command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
        """Remember whether pages are served: live reload forbids a strict policy."""
        self._serving = command == "serve"

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Put our theme before Material's and after a private one; watch the entries."""
        ours = str(theme_dir())
        if ours not in [str(Path(folder).resolve()) for folder in config.theme.dirs]:
            config.theme.dirs.insert(min(1, len(config.theme.dirs)), ours)
        entries = str(self._entries_root(config))
        if entries not in config.watch:
            config.watch.append(entries)
        self._env = environment(
            [str(folder) for folder in config.theme.dirs if (Path(folder) / "pages").is_dir()]
        )
        return config

    def _base(self, config: MkDocsConfig) -> Path:
        return (
            Path(config.config_file_path).resolve().parent
            if config.config_file_path
            else Path.cwd()
        )

    def _entries_root(self, config: MkDocsConfig) -> Path:
        return (self._base(config) / self.config.entries).resolve()

    def _urls_lock(self, config: MkDocsConfig) -> Path:
        return self._base(config) / self.config.urls_lock

    def _settings(self, config: MkDocsConfig) -> Settings:
        entries = self._entries_root(config)
        base = self._base(config)
        return Settings(
            site_name=config.site_name,
            site_url=config.site_url or "",
            repository=str(config.extra.get("repository", "")).rstrip("/"),
            branch=self.config.branch,
            entries_path=entries.relative_to(base).as_posix()
            if entries.is_relative_to(base)
            else entries.name,
        )

    # --- pages ---

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Load and check the entries, before MkDocs empties the folder of the last build."""
        loaded = load_encyclopedia(self._entries_root(config))
        _stop_on(check_all(loaded))
        self._site = make_site(loaded.encyclopedia, self._settings(config))

    def on_files(self, files: Files, *, config: MkDocsConfig) -> Files:
        """Add a page for each plan."""
        assert self._site is not None
        self._anchors = {}
        self._targets = {}
        self._plans = {}
        found: dict[str, PagePlan] = {}
        for plan in plans(self._site):
            name = source_name(plan)
            file = File.generated(config, name, abs_src_path=str(plan.source))
            GeneratedPage(None, file, config)
            files.append(file)
            found[name] = plan
        self._plans = found
        return files

    def on_page_read_source(self, *, page: Page, config: MkDocsConfig) -> str | None:
        """Keep MkDocs from reading YAML as Markdown."""
        return "" if page.file.src_uri in self._plans else None

    @event_priority(100)
    def on_page_content(
        self, html: str, *, page: Page, config: MkDocsConfig, files: Files
    ) -> str | None:
        """Take over the pages that we supply.

        MkDocs reads all pages before it writes the first. Only what the navigation
        shows is rendered now; everything else when its turn to be written comes, so
        that not all of it is in memory at once.
        """
        plan = self._plans.get(page.file.src_uri)
        if page.is_homepage:
            source = Path(page.file.abs_src_path or "")
            self._show(page, home_page(self._env, self.site, html, source))
            page.meta["description"] = escape(config.site_description or "")
        elif plan is None:
            self._anchors[page.url] = _toc_ids(page.toc)
            return html
        elif plan.kind in NAVIGATED:
            self._show(page, self._take(plan))
        page.meta["faultbook"] = True
        page.meta["template"] = frame.TEMPLATE
        page.toc = TableOfContents([])
        return page.content

    def _take(self, plan: PagePlan) -> RenderedPage:
        name = source_name(plan)
        return self._ahead.pop(name) if name in self._ahead else self.render(plan)

    def _show(self, page: Page, rendered: RenderedPage) -> None:
        """Give a page what its frame shows."""
        page.title = escape(rendered.title)
        page.content = rendered.html
        page.meta["description"] = escape(rendered.description)
        page.meta["structured"] = rendered.structured
        page.meta["contents"] = frame.contents_html(rendered)
        page.edit_url = None
        self._anchors[page.url] = tuple(id_ for id_, _ in rendered.sections)
        self._targets[page.url] = rendered.targets

    def on_env(
        self, env: jinja2.Environment, *, config: MkDocsConfig, files: Files
    ) -> jinja2.Environment | None:
        """Keep the theme's templates, which render the frames."""
        self._frames = frame.Frames(env, self._finish)
        return env

    def on_page_context(
        self, context: TemplateContext, *, page: Page, config: MkDocsConfig, nav: Navigation
    ) -> TemplateContext | None:
        """Render a page of ours and put it into its frame; write an entry's data beside it."""
        plan = self._plans.get(page.file.src_uri)
        if plan and plan.kind not in NAVIGATED:
            self._show(page, self._take(plan))
        if plan and plan.kind == "entry":
            page.meta["links"] = frame.data_links(plan.url, context["base_url"])
            self._write(config, outputs.entry_files(self.site, self._entry(plan)))
        if "faultbook" in page.meta:
            page.meta["whole"] = self._frames.page(page, context)
        return context

    def _entry(self, plan: PagePlan) -> Entry:
        return self.site.encyclopedia.entries[plan.key]

    def _write(self, config: MkDocsConfig, files: Mapping[str, bytes]) -> None:
        for path, content in files.items():
            file = Path(config.site_dir) / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)

    def _finish(self, html: str) -> str:
        """Add the policy; served pages carry a live reload script and get none."""
        html = with_late_theme(html)
        return html if self._serving else with_policy(html)

    def on_post_page(self, output: str, *, page: Page, config: MkDocsConfig) -> str:
        """Finish hand-written pages; the frames of ours are finished already."""
        if "whole" not in page.meta:
            return self._finish(output)
        # Let go of the texts: MkDocs keeps every page until the end.
        page.content = None
        for name in ("whole", "structured", "contents", "links", "description"):
            page.meta.pop(name, None)
        return output

    def on_post_template(
        self, output_content: str, *, template_name: str, config: MkDocsConfig
    ) -> str | None:
        """Make the 404 page work under any sub-path; leave the sitemap to us."""
        if template_name == "404.html":
            return self._finish(relative_to_base(output_content, config.site_url or "/"))
        if template_name == "sitemap.xml":
            return ""
        return output_content

    # --- beside the pages ---

    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Write data files, redirects, feed and sitemap; check the published addresses."""
        self._write(config, outputs.site_files(self.site, tuple(self._anchors)))
        redirects = outputs.redirect_pages(self.site).items()
        self._write(config, {path: self._finish(html).encode() for path, html in redirects})
        _stop_on(self.lost_addresses(config))

    def lost_addresses(self, config: MkDocsConfig) -> tuple[Problem, ...]:
        """Return a problem for each published address that this build lacks."""
        if self._entries_root(config) != (self._base(config) / "entries").resolve():
            # Another folder of entries has other addresses than the published ones.
            return ()
        reachable = {url: ids + self._targets.get(url, ()) for url, ids in self._anchors.items()}
        return outputs.check_urls(self.site, reachable, self._urls_lock(config))

    def published(self) -> Mapping[str, tuple[str, ...]]:
        """Return every address of the last build with its section anchors."""
        return dict(self._anchors)

    # --- single pages after a build, for the preview ---

    @property
    def site(self) -> Site:
        """What the pages are rendered from; a new value takes effect with the next page."""
        assert self._site is not None
        return self._site

    @site.setter
    def site(self, site: Site) -> None:
        self._site = site

    def render(self, plan: PagePlan) -> RenderedPage:
        """Render a page's content."""
        return render(self._env, self.site, plan)

    def give(self, plan: PagePlan, rendered: RenderedPage) -> None:
        """Hand in a page's content, which `on_page_content` then takes instead of rendering."""
        self._ahead[source_name(plan)] = rendered

    def on_serve(
        self, server: LiveReloadServer, *, config: MkDocsConfig, builder: Any
    ) -> LiveReloadServer:
        """Watch the theme too, since its templates render the entries."""
        server.watch(str(theme_dir()))
        return server


def source_name(plan: PagePlan) -> str:
    """Return the name by which MkDocs knows the source of a plan's page."""
    # An index of a folder is index.md to MkDocs; everything else is NAME.md.
    return plan.url.rstrip("/") + ("/index.md" if not plan.key else ".md")


def _toc_ids(toc: TableOfContents) -> tuple[str, ...]:
    found: list[str] = []
    pending = list(toc)
    while pending:
        link = pending.pop(0)
        found.append(link.id)
        pending += link.children
    return tuple(found)


class EntryProblemsError(PluginError):
    """Stops MkDocs, which shows its text, with the problems for whoever called it."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        lines = "\n".join(str(problem) for problem in problems)
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        super().__init__(f"{lines}\n{count}; nothing was published.")


def _stop_on(problems: tuple[Problem, ...]) -> None:
    if problems:
        raise EntryProblemsError(problems)
