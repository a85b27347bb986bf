"""Files that a build writes beside its pages."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from html import escape
from importlib import resources
from pathlib import Path

from generator.export import api, entry_data, feed, llms, scripts, sitemap, urls
from generator.model import Entry, Problem
from generator.signatures.compile import compile_index, core_index, dump_index, index_texts
from generator.site.paths import theme_dir
from generator.site.records import Site

# An entry names its schema for editors by the way through the repository.
_SCHEMA_HERE = b"../../generator/schema/entry.schema.json"
_SCHEMA_THERE = b"../schema/entry.schema.json"
#: The browser's matcher, which every search loads.
_MATCHER = "assets/faultbook/match"


def entry_files(site: Site, entry: Entry) -> Mapping[str, bytes]:
    """Return the data files of one entry, by their path below the site's root.

    Args:
        site: the entries with the publisher's settings.
        entry: the entry.
    """
    encyclopedia, url, id_ = site.encyclopedia, site.settings.site_url, entry.id
    return {
        f"failures/{id_}.json": entry_data.entry_json(entry, url).encode(),
        f"failures/{id_}.md": entry_data.entry_markdown(
            entry, encyclopedia, url, related=site.related[id_]
        ).encode(),
        f"failures/{id_}.yml": (encyclopedia.root / entry.path)
        .read_bytes()
        .replace(_SCHEMA_HERE, _SCHEMA_THERE, 1),
    }


def site_files(site: Site, page_urls: tuple[str, ...]) -> Mapping[str, bytes]:
    """Return the data files that hold all entries, by their path below the site's root.

    Args:
        site: the entries with the publisher's settings.
        page_urls: every page's address below the root, for the sitemap.

    Returns:
        Contents that depend on the entries alone, so that two builds are equal.
    """
    encyclopedia, url = site.encyclopedia, site.settings.site_url
    files: dict[str, bytes] = {}
    names = [[id_, entry.title, *entry.aliases] for id_, entry in encyclopedia.entries.items()]
    files["api/v1/entries.json"] = api.entries_json(encyclopedia, url).encode()
    index = compile_index(encyclopedia)
    files["api/v1/signatures.json"] = dump_index(core_index(index)).encode()
    files["api/v1/texts.json"] = dump_index(index_texts(index)).encode()
    for module in sorted((theme_dir() / _MATCHER).glob("*.js")):
        text = scripts.published_script(module.read_text(encoding="utf-8"))
        files[f"{_MATCHER}/{module.name}"] = text.encode()
    files["schema/entry.schema.json"] = (
        resources.files("generator").joinpath("schema/entry.schema.json").read_bytes()
    )
    files["assets/faultbook/names.json"] = json.dumps(
        names, ensure_ascii=False, separators=(",", ":")
    ).encode()
    titles = {id_: one.title for id_, one in encyclopedia.taxonomy.categories.items()}
    files["assets/faultbook/categories.json"] = json.dumps(titles, ensure_ascii=False).encode()
    files["feed.xml"] = feed.feed_xml(encyclopedia, url, title=site.settings.site_name)
    files["llms.txt"] = llms.llms_txt(encyclopedia, url, title=site.settings.site_name).encode()
    xml = sitemap.sitemap_xml(page_urls, encyclopedia, url).encode()
    files["sitemap.xml"] = xml
    files["sitemap.xml.gz"] = gzip.compress(xml, mtime=0)
    return files


_REDIRECT = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Moved: {title}</title>
    <link rel="canonical" href="{canonical}">
    <meta name="robots" content="noindex">
    <meta http-equiv="refresh" content="0; url={target}">
  </head>
  <body><p>This entry is now <a href="{target}">{title}</a>.</p></body>
</html>
"""


def redirect_pages(site: Site) -> Mapping[str, str]:
    """Return a page for each former address that leads on without scripts."""
    pages: dict[str, str] = {}
    for entry in site.encyclopedia.entries.values():
        for alias in entry.aliases:
            pages[f"failures/{alias}/index.html"] = _REDIRECT.format(
                title=escape(entry.title),
                canonical=escape(urls.entry_url(site.settings.site_url, entry.id)),
                target=f"../{entry.id}/",
            )
    return pages


def addresses(anchors: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """Return each page's address below the root, and below it each section's."""
    return tuple(
        f"/{page}{suffix}"
        for page, ids in anchors.items()
        for suffix in ("", *(f"#{id_}" for id_ in ids))
    )


def check_urls(
    site: Site, anchors: Mapping[str, tuple[str, ...]], lock: Path
) -> tuple[Problem, ...]:
    """Return a problem for each published address or anchor that would be lost.

    Args:
        site: the entries, for the redirects.
        anchors: every address of this build with its section anchors.
        lock: the file of published addresses; where it is missing, nothing was published.
    """
    if not lock.is_file():
        return ()
    return urls.missing(
        urls.read_lock(lock.read_text(encoding="utf-8")),
        addresses(anchors),
        urls.redirects(site.encyclopedia),
    )
