"""All entries as one JSON document, for programs: `/api/v1/entries.json`."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from generator.export.urls import absolute, data_urls, entry_url
from generator.model import Encyclopedia, Entry, Taxonomy

#: Raised when a key changes its meaning or goes; new keys do not raise it.
VERSION = 1


def _summary(entry: Entry, site_url: str) -> dict[str, Any]:
    return {
        "id": entry.id,
        "title": entry.title,
        "category": entry.category,
        "severity": entry.severity,
        "tags": entry.tags,
        "systems": [use.id for use in entry.systems],
        "phases": entry.phases,
        "summary": entry.summary,
        "evidence": entry.evidence,
        "silent": entry.silent,
        "reviewed": entry.reviewed.date,
        "aliases": entry.aliases,
        "signatures": [signature.match for signature in entry.signatures],
        "url": entry_url(site_url, entry.id),
        "data": data_urls(site_url, entry.id),
    }


def _word(word: Any) -> dict[str, Any]:
    keys = ("id", "title", "description", "synonyms")
    return {key: value for key in keys if (value := getattr(word, key, None))}


def _taxonomy(taxonomy: Taxonomy) -> dict[str, Any]:
    kinds: Mapping[str, Mapping[str, Any]] = {
        "categories": taxonomy.categories,
        "systems": taxonomy.systems,
        "phases": taxonomy.phases,
        "tags": taxonomy.tags,
    }
    return {kind: [_word(word) for word in words.values()] for kind, words in kinds.items()}


def entries_json(encyclopedia: Encyclopedia, site_url: str) -> str:
    """Return the list of all entries with the controlled words.

    Args:
        encyclopedia: the entries; their order is kept.
        site_url: address of the home page.

    Returns:
        One JSON object on one line: `schema` (version), `url`, `reviewed` (the newest
        review, null without entries), `count`, `taxonomy`, `entries`. It depends on the
        entries alone: the same entries give the same bytes.
    """
    entries = encyclopedia.entries.values()
    document = {
        "schema": VERSION,
        "url": absolute(site_url, "/"),
        "reviewed": max((entry.reviewed.date for entry in entries), default=None),
        "count": len(entries),
        "taxonomy": _taxonomy(encyclopedia.taxonomy),
        "entries": [_summary(entry, site_url) for entry in entries],
    }
    return json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n"
