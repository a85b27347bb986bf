"""Opening pages of the built site, and its data files, which they are compared with."""

from __future__ import annotations

import json
from typing import Any

from playwright.sync_api import Page

from tests.built import Site

#: An entry with every kind of section.
ENTRY = "disk-full-during-training"


def entry(site: Site, id_: str = ENTRY) -> dict[str, Any]:
    """One entry as `/failures/<id>.json` states it."""
    data: dict[str, Any] = json.loads((site.folder / f"failures/{id_}.json").read_text())
    return data


def entries(site: Site) -> list[dict[str, Any]]:
    """All entries as `/api/v1/entries.json` lists them."""
    listed: list[dict[str, Any]] = json.loads(
        (site.folder / "api/v1/entries.json").read_text(encoding="utf-8")
    )["entries"]
    return listed


def entry_url(site: Site, id_: str = ENTRY) -> str:
    """The served address of an entry's page."""
    return f"{site.url}failures/{id_}/"


def visit(page: Page, address: str) -> None:
    """Opens a page and waits for its modules: a click before they run would be lost."""
    page.goto(address, wait_until="networkidle")
