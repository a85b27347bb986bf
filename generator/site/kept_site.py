"""A built site that is kept open, so that single pages can be made anew in it.

A changed entry comes in two steps. `update` checks it and writes its own page and data
files, in the time of one page. `refresh` then writes what else shows it, and gives way
to the next change at any time: what it could not do stays due.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from mkdocs.commands.build import get_context
from mkdocs.structure.files import InclusionLevel
from mkdocs.structure.pages import Page

from generator.graph import KINDS, Related, related_entries
from generator.graph.likeness import features
from generator.graph.relations import typed_links
from generator.lint import check_across, check_entry
from generator.load import TAXONOMY, Document, Loaded, display_name, load_entry
from generator.model import Encyclopedia, Entry, Problem
from generator.site import outputs
from generator.site.builder import Frame
from generator.site.pages import plans
from generator.site.plugin import source_name
from generator.site.records import PagePlan, Site, make_site

#: Pages of one word or category; an entry changes those of its own words alone.
_OF_A_WORD = ("category", "tag", "system")
#: Pages that take longest are made last.
_LAST = ("browse", "stats", "graph")


@dataclass(frozen=True, slots=True)
class Update:
    """What became of a changed entry.

    Attributes:
        problems: what is wrong with it; then its page stays as it was.
        pages: addresses of pages that look otherwise now, below the site's root.
    """

    problems: tuple[Problem, ...] = ()
    pages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refresh:
    """What became of everything that shows changed entries.

    Attributes:
        problems: what only all entries together show to be wrong.
        pages: addresses of pages that look otherwise now, below the site's root.
        finished: whether all is done; else another change came between.
        rebuild: whether pages come or go, which only a whole build can do.
    """

    problems: tuple[Problem, ...] = ()
    pages: tuple[str, ...] = ()
    finished: bool = False
    rebuild: bool = False


class KeptSite:
    """A built site with everything that its pages are made from."""

    def __init__(self, frame: Frame) -> None:
        """Keep a build open.

        Args:
            frame: what the build left.
        """
        self.folder = Path(frame.config.site_dir)
        self._frame = frame
        self._plugin = frame.plugin
        self._pages = frame.files.documentation_pages(inclusion=InclusionLevel.is_in_serve)
        site = self._plugin.site
        self.root = site.encyclopedia.root
        self._ids = {entry.path: id_ for id_, entry in site.encyclopedia.entries.items()}
        shown = display_name(self.root)
        self._documents = {
            path: Document(f"{shown}/{path}", self.root / path) for path in (TAXONOMY, *self._ids)
        }
        for file in self._pages:
            if file.page is not None:
                file.page.content = None  # of all pages it is more than all else together
        self._planned = {plan.url: plan for plan in plans(site)}
        # Pages are made one at a time: MkDocs marks the one at hand in the navigation.
        self._busy = threading.RLock()
        # Counts changes; work for an earlier one is out of date.
        self._generation = 0
        # Entries as the other pages still show them.
        self._before: dict[str, Entry] = {}
        self._links_changed = False
        self._due: dict[str, PagePlan | None] = {}
        self._files_due = False

    def entry_file(self, path: Path) -> str | None:
        """Return the entry's path below the entries folder, if the file is that of an entry.

        Args:
            path: any file; script and output of an entry count as the entry.
        """
        if not path.is_relative_to(self.root):
            return None
        relative = path.relative_to(self.root)
        name = relative.name.split(".repro.", 1)
        if len(name) == 2:
            relative = relative.with_name(f"{name[0]}.yml")
        found = relative.as_posix()
        return found if found in self._ids else None

    def depends_on(self, path: Path) -> bool:
        """Return whether a file or folder is part of the site, or might become so.

        Args:
            path: a place that changed. Editors make files beside those that they write,
                and remove them: those are not.
        """
        if path.is_dir():
            try:
                return any(path.iterdir())
            except OSError:
                return True  # a build will say what is wrong with it
        if path.exists() or not path.is_relative_to(self.root):
            return True
        gone = path.relative_to(self.root).as_posix()
        return gone in (TAXONOMY, *self._ids) or any(
            name.startswith(f"{gone}/") for name in self._ids
        )

    def interrupt(self) -> None:
        """Make a refresh that is under way give up at its next page."""
        self._generation += 1

    # --- one entry ---

    def update(self, path: str) -> Update:
        """Show a changed entry.

        Args:
            path: its file below the entries folder.

        Returns:
            Its problems, or the pages that changed.

        Raises:
            OSError: a file cannot be written.
        """
        self.interrupt()
        entry, problems, document = load_entry(self.root / path, self.root)
        taxonomy = self._plugin.site.encyclopedia.taxonomy
        if entry is not None:
            alone = Encyclopedia(self.root, taxonomy, {entry.id: entry})
            problems += check_entry(entry, document, taxonomy)
            problems += check_across(Loaded(alone, (), {**self._documents, path: document}))
        if entry is None or problems:
            return Update(tuple(sorted(problems)))
        with self._busy:
            before = self._plugin.site
            old = before.encyclopedia.entries[entry.id]
            self._documents[path] = document
            try:
                self._plugin.site = _with_entry(before, entry)
                changed = self._write_page(self._planned[f"failures/{entry.id}/"])
                self._write(outputs.entry_files(self._plugin.site, entry))
            except BaseException:
                self._plugin.site = before
                raise
            if entry != old:
                self._before.setdefault(entry.id, old)
                self._links_changed |= _link_facts(entry) != _link_facts(old)
        return Update(pages=tuple(changed))

    # --- everything else ---

    def refresh(self) -> Refresh:
        """Bring everything that shows changed entries up to date, or as much as time permits.

        Raises:
            OSError: a file cannot be written.
        """
        with self._busy:
            generation = self._generation
            site, before = self._plugin.site, dict(self._before)
            links_changed, documents = self._links_changed, dict(self._documents)
        problems = check_across(Loaded(site.encyclopedia, (), documents))
        if problems:
            # A page may name an entry that does not exist: better an older page than none.
            return Refresh(problems, finished=True)
        related = related_entries(site.encyclopedia) if links_changed else site.related
        fresh = make_site(site.encyclopedia, site.settings, related)
        fresh = replace(fresh, layouts=site.layouts)
        planned = {plan.url: plan for plan in plans(fresh)}
        if planned.keys() != self._planned.keys():
            return Refresh(rebuild=True)
        stale = self._stale(site, fresh, before)
        with self._busy:
            if generation != self._generation:
                return Refresh()
            self._plugin.site = fresh
            self._due.update(stale)
            self._remove_redirects(fresh)
            self._before.clear()
            self._links_changed = False
            self._files_due = True
        pages = list(self._write_due(generation))
        if self._due:
            return Refresh(pages=tuple(pages))
        files = outputs.site_files(fresh, tuple(self._plugin.published()))
        redirects = {name: html.encode() for name, html in outputs.redirect_pages(fresh).items()}
        with self._busy:
            if generation != self._generation:
                return Refresh(pages=tuple(pages))
            self._write(files)
            self._write(redirects)
            self._files_due = False
            problems = self._plugin.lost_addresses(self._frame.config)
        return Refresh(problems, tuple(pages), finished=True)

    @property
    def is_due(self) -> bool:
        """Whether a refresh has anything to do."""
        return bool(self._before or self._due or self._files_due)

    def _stale(
        self, old: Site, new: Site, before: Mapping[str, Entry]
    ) -> dict[str, PagePlan | None]:
        """Return the pages that may show changed entries, those first that surely do."""
        entries = new.encyclopedia.entries
        changed = set(before)
        naming = [id_ for id_ in entries if changed & _named(entries[id_], new)]
        linked = [id_ for id_ in entries if new.related[id_] != old.related[id_]]
        words: set[str] = set()
        for id_ in changed:
            for entry in (before[id_], entries[id_]):
                words |= {entry.category, *entry.tags, *(use.id for use in entry.systems)}
        others = [
            plan
            for plan in self._planned.values()
            if plan.kind != "entry" and (not plan.key or plan.key in words)
        ]
        others.sort(key=lambda plan: (plan.kind in _LAST, plan.kind not in _OF_A_WORD))
        stale: dict[str, PagePlan | None] = {}
        for url in (f"failures/{id_}/" for id_ in naming):
            stale[url] = self._planned[url]
        stale[""] = None
        stale.update({plan.url: plan for plan in others})
        for url in (f"failures/{id_}/" for id_ in linked):
            stale.setdefault(url, self._planned[url])
        return stale

    def _write_due(self, generation: int) -> Iterator[str]:
        """Write pages until none is due or something changed; yield those that look otherwise."""
        for url, plan in list(self._due.items()):
            if generation != self._generation:
                return
            # The long part needs no turn: a change can be shown meanwhile.
            rendered = self._plugin.render(plan) if plan is not None else None
            with self._busy:
                if generation != self._generation:
                    return
                if plan is not None and rendered is not None:
                    self._plugin.give(plan, rendered)
                yield from self._write_page(plan)
                if plan is not None and plan.kind == "entry":
                    site = self._plugin.site
                    # A file that was deleted meanwhile is the next build's business.
                    with suppress(FileNotFoundError):
                        entry = site.encyclopedia.entries[plan.key]
                        self._write(outputs.entry_files(site, entry))
                del self._due[url]

    def _remove_redirects(self, site: Site) -> None:
        kept = {alias for entry in site.encyclopedia.entries.values() for alias in entry.aliases}
        for entry in self._before.values():
            for alias in entry.aliases:
                if alias not in kept:
                    (self.folder / "failures" / alias / "index.html").unlink(missing_ok=True)

    # --- files ---

    def _write_page(self, plan: PagePlan | None) -> list[str]:
        """Write a page, home where there is no plan; return its address if it looks otherwise."""
        page = (
            self._frame.nav.homepage
            if plan is None
            else self._frame.files.src_uris[source_name(plan)].page
        )
        if page is None:
            return []
        content = self._output(page).encode(errors="xmlcharrefreplace")
        return [page.url] if self._write({page.file.dest_uri: content}) else []

    def _output(self, page: Page) -> str:
        """Render a page as MkDocs does in a build."""
        config, files, nav = self._frame.config, self._frame.files, self._frame.nav
        page = config.plugins.on_pre_page(page, config=config, files=files)
        page.read_source(config)
        page.markdown = config.plugins.on_page_markdown(
            page.markdown or "", page=page, config=config, files=files
        )
        page.render(config, files)
        page.content = config.plugins.on_page_content(
            page.content or "", page=page, config=config, files=files
        )
        page.active = True
        try:
            context = get_context(nav, self._pages, config, page)
            template = self._frame.env.get_template(page.meta.get("template", "main.html"))
            context = config.plugins.on_page_context(context, page=page, config=config, nav=nav)
            output = template.render(context)
            return config.plugins.on_post_page(output, page=page, config=config)
        finally:
            page.active = False
            page.content = None

    def _write(self, files: Mapping[str, bytes]) -> list[str]:
        """Write files whose content changed, each at once; return their names."""
        written: list[str] = []
        for name, content in files.items():
            file = self.folder / name
            if file.is_file() and file.read_bytes() == content:
                continue
            file.parent.mkdir(parents=True, exist_ok=True)
            fresh = file.with_name(f".{file.name}.new")
            fresh.write_bytes(content)
            os.replace(fresh, file)  # noqa: PTH105 - what is meant is the system's own call
            written.append(name)
        return written


def _with_entry(site: Site, entry: Entry) -> Site:
    """Return the site with one entry replaced, its groups as they were."""
    encyclopedia = site.encyclopedia
    encyclopedia = replace(encyclopedia, entries={**encyclopedia.entries, entry.id: entry})
    links = _own_links(encyclopedia, site.related[entry.id], entry)
    return replace(site, encyclopedia=encyclopedia, related={**site.related, entry.id: links})


def _own_links(
    encyclopedia: Encyclopedia, known: Iterable[Related], entry: Entry
) -> tuple[Related, ...]:
    """Return an entry's stated links as they are now, and the alike ones as they were.

    Whoever states a link to it is among its known links, seen from its side.
    """
    near = {link.id for link in known} | {id_ for id_, _ in _stated(entry)} | {entry.id}
    entries = {id_: encyclopedia.entries[id_] for id_ in sorted(near & encyclopedia.entries.keys())}
    stated = typed_links(replace(encyclopedia, entries=entries))[entry.id].values()
    order = list(KINDS)
    linked = {link.id for link in stated}
    alike = [link for link in known if link.kind == "alike" and link.id not in linked]
    return (*sorted(stated, key=lambda link: (order.index(link.kind), link.id)), *alike)


def _stated(entry: Entry) -> Iterator[tuple[str, str]]:
    relations = entry.relations
    for relation in (*relations.leads_to, *relations.mistaken_for, *relations.see_also):
        yield relation.id, relation.text


def _link_facts(entry: Entry) -> object:
    """Return what decides the links of an entry."""
    return features(entry), entry.relations


def _named(entry: Entry, site: Site) -> set[str]:
    """Return the ids of all entries that an entry's page names."""
    named = {link.id for link in site.related[entry.id]}
    return named.union(*(step.rules_out for step in entry.confirm))
