"""An entry as a dict, as JSON and as Markdown."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from markdown_it import MarkdownIt

from generator.export.entry_data import entry_dict, entry_json, entry_markdown
from generator.graph import related_entries
from generator.load import build_entry
from generator.model import Cause, ConfirmStep, Entry, FixStep, Symptom
from tests.unit.export_fixtures import DISK_FULL, INODES, SILENT, SITE, WATCHDOG, encyclopedia

SCHEMA = json.loads(
    (Path(__file__).parents[2] / "generator/schema/entry.schema.json").read_text("utf-8")
)
VALIDATOR = Draft202012Validator(SCHEMA)
ALL = encyclopedia()
READER = MarkdownIt("commonmark", {"html": True}).enable("table")


@pytest.mark.parametrize("entry", [DISK_FULL, SILENT, INODES, WATCHDOG], ids=lambda e: str(e.id))
def test_the_dict_is_valid_and_in_the_order_of_the_schema(entry: Entry) -> None:
    data = entry_dict(entry)
    assert [error.message for error in VALIDATOR.iter_errors(data)] == []
    order = list(SCHEMA["properties"])
    assert list(data) == sorted(data, key=order.index)


@pytest.mark.parametrize("entry", [DISK_FULL, SILENT, INODES, WATCHDOG], ids=lambda e: str(e.id))
def test_the_dict_loads_as_the_same_entry(entry: Entry) -> None:
    loaded = build_entry(entry_dict(entry), entry.path)
    assert loaded == entry


def test_every_field_of_a_full_entry_is_in_its_dict() -> None:
    assert entry_dict(replace(DISK_FULL, silent=True)).keys() == SCHEMA["properties"].keys()


def test_what_is_empty_is_left_out_and_what_is_false_or_zero_is_not() -> None:
    data = entry_dict(DISK_FULL)
    assert data["signatures"][0]["specific"] is False
    assert data["reproduce"]["exit"] == 0
    assert "ignore_case" not in data["signatures"][0]
    assert data["confirm"][1].keys() == {"step", "run"}
    assert "one_node" not in data["scale"]
    assert entry_dict(SILENT).keys().isdisjoint({"signatures", "relations", "layer", "faq"})


def test_short_forms_are_kept_and_relations_name_their_text() -> None:
    data = entry_dict(DISK_FULL)
    assert data["systems"] == [
        "pytorch",
        {"id": "kubernetes", "how": "The kubelet evicts the pod first."},
    ]
    assert data["observe"].keys() == {"what", "onset"}
    assert data["relations"] == {
        "leads_to": [{"id": "collective-watchdog-timeout", "how": "Rank 0 dies in the save."}],
        "mistaken_for": [
            {"id": "inode-exhaustion", "tell_apart": "`df -i` is at 100 %, `df -h` is not."}
        ],
        "see_also": ["sampler-epoch-missing", {"id": "inode-exhaustion", "why": "Same mount."}],
    }
    assert DISK_FULL.observe is not None
    only_what = replace(DISK_FULL, observe=replace(DISK_FULL.observe, onset=""))
    assert entry_dict(only_what)["observe"] == DISK_FULL.observe.what


def test_json_adds_address_and_evidence() -> None:
    data = json.loads(entry_json(DISK_FULL, SITE))
    assert data.pop("url") == f"{SITE}failures/disk-full-during-training/"
    assert data.pop("evidence") == "reproduced"
    assert data == entry_dict(DISK_FULL)
    assert json.loads(entry_json(SILENT, SITE))["evidence"] is None


# --- Markdown ----------------------------------------------------------------


def headings(text: str) -> list[str]:
    tokens = READER.parse(text)
    return [
        tokens[index + 1].content
        for index, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag == "h2"
    ]


def test_markdown_has_every_section_in_the_order_of_the_page() -> None:
    assert headings(entry_markdown(DISK_FULL, ALL, SITE)) == [
        "Quick answer",
        "For your role",
        "What it is",
        "What you will observe",
        "Symptoms and what they mean",
        "Affected systems",
        "Why it happens",
        "Confirm it",
        "Root causes",
        "Fix it",
        "Prevent it",
        "Code",
        "Signatures",
        "Reproduction",
        "From one GPU to many nodes",
        "Monitoring",
        "Questions",
        "Related entries",
        "References",
        "This entry as data",
    ]


def test_sections_without_facts_are_absent() -> None:
    found = headings(entry_markdown(SILENT, ALL, SITE))
    assert set(found).isdisjoint(
        {"For your role", "What it is", "Signatures", "Code", "Monitoring", "Related entries"}
    )


def text_values(value: object) -> list[str]:
    if isinstance(value, dict):
        return [text for one in value.values() for text in text_values(one)]
    if isinstance(value, list):
        return [text for one in value for text in text_values(one)]
    return [value] if isinstance(value, str) else []


def test_markdown_holds_every_fact_of_the_entry() -> None:
    text = entry_markdown(DISK_FULL, ALL, SITE)
    bare = "\n".join(line.strip() for line in text.split("\n"))
    data = entry_dict(DISK_FULL)
    # Ids of words and entries are shown by their titles; former ids only redirect.
    for key in ("id", "category", "tags", "systems", "phases", "aliases", "relations"):
        del data[key]
    data["relations"] = [r.text for r in DISK_FULL.relations.leads_to]
    for step in data["confirm"]:
        step.pop("rules_out", None)
    data["layer"]["kind"] = data["layer"]["kind"].capitalize()
    data["references"][1]["url"] = "https://github.com/pytorch/pytorch/issues/1?a=1&amp;copy;=2"
    data["signatures"][1]["printed_by"].pop("where")  # its underscore is escaped
    data["signatures"][0]["printed_by"].pop("where")
    for fact in text_values(data):
        assert "\n".join(line.strip() for line in fact.strip().split("\n")) in bare, fact


def test_related_entries_may_come_with_their_inverses() -> None:
    text = entry_markdown(WATCHDOG, ALL, SITE, related_entries(ALL)[WATCHDOG.id])
    assert (
        f"- Can be caused by: [Disk full during training]({SITE}failures/disk-full-during-training/)"
        in text
    )


BOMB = "<script>alert(1)</script>\n```\n# Owned\n[a](javascript:alert(1))\n</details>"


def test_hostile_text_stays_inside_its_section() -> None:
    assert DISK_FULL.reproduce is not None
    hostile = replace(
        DISK_FULL,
        title="# *Owned* <img src=x onerror=alert(1)> `",
        summary=BOMB,
        symptoms=(Symptom(BOMB, BOMB),),
        mechanism=BOMB,
        causes=(Cause(BOMB, BOMB),),
        confirm=(ConfirmStep(BOMB, BOMB, BOMB, ("no-such-entry",), True),),
        fix=(FixStep(BOMB, BOMB, BOMB),),
        code=(replace(DISK_FULL.code[0], title=BOMB, code=BOMB, why=BOMB, stack=BOMB),),
        samples=(replace(DISK_FULL.samples[0], title=BOMB, log=BOMB),),
        references=(replace(DISK_FULL.references[0], title=BOMB, supports=BOMB),),
        reproduce=replace(DISK_FULL.reproduce, needs=BOMB, note=BOMB, versions=BOMB),
        faq=(replace(DISK_FULL.faq[0], question=BOMB, answer=BOMB),),
    )
    text = entry_markdown(hostile, encyclopedia(hostile, SILENT), SITE)
    tokens = READER.parse(text)
    inner = [child for token in tokens for child in token.children or []]
    assert not [t for t in (*tokens, *inner) if t.type in ("html_block", "html_inline", "image")]
    hrefs = [str(t.attrGet("href")) for t in inner if t.type == "link_open"]
    assert [href for href in hrefs if not href.startswith("https://")] == []
    assert headings(text) == headings(entry_markdown(DISK_FULL, ALL, SITE))
    shown = "".join(child.content for child in tokens[1].children or [])
    assert shown == hostile.title


def test_the_same_entry_gives_the_same_text() -> None:
    assert entry_markdown(DISK_FULL, ALL, SITE) == entry_markdown(
        replace(DISK_FULL), encyclopedia(), SITE
    )
