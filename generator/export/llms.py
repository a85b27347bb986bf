"""The guide for language models: `/llms.txt` (https://llmstxt.org)."""

from __future__ import annotations

from collections import defaultdict

from generator.export.markdown import escape, item, link
from generator.export.urls import absolute, data_urls
from generator.model import Encyclopedia, Entry

_SUMMARY = (
    "How ML training and inference runs fail: for each failure the text that programs print, "
    "why it happens, the command that confirms it, and the fix."
)
_DATA = (
    ("All entries", "/api/v1/entries.json", "id, title, summary, signatures and addresses"),
    ("Compiled signatures", "/api/v1/signatures.json", "the index that the matcher reads"),
    ("Steps", "/api/v1/texts.json", "how to confirm and to fix each failure, by id"),
    ("Schema of an entry", "/schema/entry.schema.json", "JSON Schema, every field described"),
    ("Feed", "/feed.xml", "the entries reviewed last, Atom"),
)


def _line(entry: Entry, site_url: str) -> str:
    url = data_urls(site_url, entry.id)["md"]
    return item(f"{link(escape(entry.title), url)}: {escape(entry.summary)}")


def llms_txt(encyclopedia: Encyclopedia, site_url: str, *, title: str = "Faultbook") -> str:
    """Return the guide: every entry's Markdown by category, then the data.

    Args:
        encyclopedia: the entries; within a category their order is kept.
        site_url: address of the home page.
        title: the site's name.
    """
    by_category: dict[str, list[Entry]] = defaultdict(list)
    for entry in encyclopedia.entries.values():
        by_category[entry.category].append(entry)
    known = encyclopedia.taxonomy.categories
    order = [*known, *sorted(by_category.keys() - known.keys())]
    blocks = [
        f"# {escape(title)}",
        f"> {_SUMMARY}",
        "Every entry is also JSON and YAML: put `.json` or `.yml` for `.md` in its address.",
    ]
    for category in order:
        if by_category.get(category):
            name = known[category].title if category in known else category
            blocks.append(f"## {escape(name)}")
            blocks.append("\n".join(_line(entry, site_url) for entry in by_category[category]))
    blocks.append("## Data")
    blocks.append(
        "\n".join(
            item(f"{link(name, absolute(site_url, path))}: {about}") for name, path, about in _DATA
        )
    )
    return "\n\n".join(blocks) + "\n"
