"""Every entry's page and data files hold what its YAML states, each thing in its place."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from generator.load import load_encyclopedia
from generator.model import Encyclopedia, Entry, FixStep
from tests.built import Site, build
from tests.tools import ROOT

ENTRIES = ROOT / "entries"

#: Sections of a page in the order of the design, by their permanent anchors.
ORDER = (
    "quick-answer",
    "perspectives",
    "what-it-is",
    "observe",
    "symptoms",
    "systems",
    "mechanism",
    "confirm",
    "causes",
    "fix",
    "prevent",
    "code",
    "signatures",
    "reproduction",
    "scale",
    "monitoring",
    "faq",
    "related",
    "references",
    "contribute",
)

_BETWEEN_WORDS = re.compile(r"[\W_]+")
_LINK_TARGET = re.compile(r"\]\([^)\s]*\)")
_NUMBER_OF_ITEM = re.compile(r"(?m)^ *\d+[.)] ")
_LANGUAGE_OF_FENCE = re.compile(r"(?m)^( *`{3,})\w+$")


def words(text: str) -> str:
    """The words alone, so that texts compare whatever marks or blanks stand between."""
    return f" {_BETWEEN_WORDS.sub(' ', text).strip()} "


def prose(markdown: str) -> str:
    """The words that Markdown shows: no addresses of links, numbers of items, languages."""
    shown = _LANGUAGE_OF_FENCE.sub(r"\1", _LINK_TARGET.sub("]", markdown))
    return words(_NUMBER_OF_ITEM.sub("", shown))


# --- reading a page ---


@dataclass(slots=True)
class Section:
    """What stands under a heading: words, texts of `<code>` as they are, and addresses."""

    text: list[str] = field(default_factory=list)
    codes: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)

    @property
    def words(self) -> str:
        return words(" ".join(self.text))


class _Reader(HTMLParser):
    """Splits the article at its second-level headings; what comes first is under ''."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.sections: dict[str, Section] = {"": Section()}
        self.structured: list[str] = []
        self._id = ""
        self._inside = 0
        self._code = self._script = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "script" and values.get("type") == "application/ld+json":
            self._script = True
            self.structured.append("")
        self._inside += tag == "article"
        if tag == "h2" and self._inside:
            self._id = values.get("id") or ""
            self.sections[self._id] = Section()
        section = self.sections[self._id]
        if tag == "code" and self._inside:
            self._code = True
            section.codes.append("")
        if tag == "a" and self._inside:
            section.links.append(values.get("href") or "")

    def handle_endtag(self, tag: str) -> None:
        self._inside -= tag == "article"
        if tag == "code":
            self._code = False
        if tag == "script":
            self._script = False

    def handle_data(self, data: str) -> None:
        if self._script:
            self.structured[-1] += data
        elif self._inside:
            self.sections[self._id].text.append(data)
            if self._code:
                self.sections[self._id].codes[-1] += data


def read(site: Site, id_: str) -> _Reader:
    reader = _Reader()
    reader.feed((site.folder / f"failures/{id_}/index.html").read_text(encoding="utf-8"))
    reader.close()
    return reader


# --- what an entry states ---


def _steps(section: str, steps: tuple[FixStep, ...]) -> Iterator[tuple[str, str]]:
    for step in steps:
        yield section, step.step
        yield section, step.verify


def texts(entry: Entry) -> Iterator[tuple[str, str]]:
    """Each Markdown field with the section that it belongs to; some are empty."""
    yield "", entry.summary
    yield "quick-answer", entry.symptoms[0].sign
    yield "quick-answer", entry.causes[0].cause
    yield "quick-answer", entry.fix[0].step
    yield "quick-answer", entry.cheapest.step
    if entry.perspectives:
        yield "perspectives", entry.perspectives.executive
        yield "perspectives", entry.perspectives.engineer
        yield "perspectives", entry.perspectives.on_call
    if entry.layer:
        yield "what-it-is", entry.layer.why
    if entry.observe:
        yield "observe", entry.observe.what
        yield "observe", entry.observe.onset
    for symptom in entry.symptoms:
        yield "symptoms", symptom.sign
        yield "symptoms", symptom.why
    for use in entry.systems:
        yield "systems", use.how
    yield "mechanism", entry.mechanism
    for check in entry.confirm:
        yield "confirm", check.step
        yield "confirm", check.expect
    for cause in entry.causes:
        yield "causes", cause.cause
        yield "causes", cause.tell
    yield from _steps("fix", entry.fix)
    yield from _steps("prevent", entry.prevent)
    yield "prevent", entry.recurrence
    for example in entry.code:
        yield "code", example.title
        yield "code", example.why
    for signature in entry.signatures:
        yield "signatures", signature.note
    if entry.reproduce:
        yield "reproduction", entry.reproduce.note
    if entry.scale:
        yield "scale", entry.scale.one_gpu
        yield "scale", entry.scale.one_node
        yield "scale", entry.scale.many_nodes
    for fingerprint in entry.monitor:
        yield "monitoring", fingerprint.signal
    for asked in entry.faq:
        yield "faq", asked.question
        yield "faq", asked.answer
    for relation in (*entry.relations.leads_to, *entry.relations.mistaken_for):
        yield "related", relation.text
    for reference in entry.references:
        yield "references", reference.title
        yield "references", reference.supports


def codes(entry: Entry) -> Iterator[tuple[str, str]]:
    """Each text that is shown letter by letter, with its section; some are empty."""
    yield "quick-answer", entry.cheapest.run
    for check in entry.confirm:
        yield "confirm", check.run
    for step in entry.fix:
        yield "fix", step.run
    for step in entry.prevent:
        yield "prevent", step.run
    for example in entry.code:
        yield "code", example.code
    for signature in entry.signatures:
        yield "signatures", signature.match.replace(r"\<", "<")
        yield "signatures", signature.when
        yield "signatures", signature.with_
    for sample in entry.samples:
        yield "signatures", sample.log
    for fingerprint in entry.monitor:
        yield "monitoring", fingerprint.query


def links(entry: Entry) -> Iterator[tuple[str, str]]:
    """Each address with the section that links there."""
    for use in entry.systems:
        yield "systems", f"../../systems/{use.id}/"
    for check in entry.confirm:
        for other in check.rules_out:
            yield "confirm", f"../../failures/{other}/"
    for signature in entry.signatures:
        if signature.printed_by.url:
            yield "signatures", signature.printed_by.url
    for relation in (
        *entry.relations.leads_to,
        *entry.relations.mistaken_for,
        *entry.relations.see_also,
    ):
        yield "related", f"../../failures/{relation.id}/"
    for reference in entry.references:
        yield "references", reference.url


@pytest.fixture(scope="module")
def encyclopedia() -> Encyclopedia:
    loaded = load_encyclopedia(ENTRIES)
    assert not loaded.problems
    assert loaded.encyclopedia.entries
    return loaded.encyclopedia


@pytest.fixture(scope="module")
def pages(built_site: Site, encyclopedia: Encyclopedia) -> dict[str, _Reader]:
    return {id_: read(built_site, id_) for id_ in encyclopedia.entries}


# --- pages ---


def test_sections_come_in_order(encyclopedia: Encyclopedia, pages: dict[str, _Reader]) -> None:
    wrong = []
    for id_, entry in encyclopedia.entries.items():
        found = [section for section in pages[id_].sections if section]
        if found != [section for section in ORDER if section in found]:
            wrong.append(f"{id_}: {found}")
        needed = {section for section, text in (*texts(entry), *codes(entry)) if section and text}
        wrong += [f"{id_}: lacks {section}" for section in sorted(needed - set(found))]
    assert not wrong, "\n".join(wrong)


def test_an_absent_section_is_no_heading(
    encyclopedia: Encyclopedia, pages: dict[str, _Reader]
) -> None:
    wrong = []
    for id_, entry in encyclopedia.entries.items():
        present = {
            "perspectives": entry.perspectives is not None,
            "observe": entry.observe is not None,
            "prevent": bool(entry.prevent or entry.recurrence),
            "code": bool(entry.code),
            "signatures": bool(entry.signatures),
            "reproduction": entry.reproduce is not None,
            "scale": entry.scale is not None,
            "monitoring": bool(entry.monitor),
        }
        wrong += [
            f"{id_}: {section}"
            for section, stated in present.items()
            if (section in pages[id_].sections) != stated
        ]
    assert not wrong, "\n".join(wrong)


def test_every_text_stands_in_its_section(
    encyclopedia: Encyclopedia, pages: dict[str, _Reader]
) -> None:
    missing = []
    for id_, entry in encyclopedia.entries.items():
        shown = {name: section.words for name, section in pages[id_].sections.items()}
        missing += [
            f"{id_}, {section}: {text[:100]}"
            for section, text in texts(entry)
            if text and prose(text) not in shown[section]
        ]
    assert not missing, "\n".join(missing)


def test_every_command_and_log_stands_letter_by_letter(
    encyclopedia: Encyclopedia, pages: dict[str, _Reader]
) -> None:
    missing = [
        f"{id_}, {section}: {text[:100]}"
        for id_, entry in encyclopedia.entries.items()
        for section, text in codes(entry)
        if text and text not in pages[id_].sections[section].codes
    ]
    assert not missing, "\n".join(missing)


def test_every_address_is_linked(encyclopedia: Encyclopedia, pages: dict[str, _Reader]) -> None:
    missing = [
        f"{id_}, {section}: {address}"
        for id_, entry in encyclopedia.entries.items()
        for section, address in links(entry)
        if address not in pages[id_].sections[section].links
    ]
    assert not missing, "\n".join(missing)


def test_facts_under_the_title(encyclopedia: Encyclopedia, pages: dict[str, _Reader]) -> None:
    taxonomy = encyclopedia.taxonomy
    missing = []
    for id_, entry in encyclopedia.entries.items():
        facts = (
            entry.title,
            entry.severity,
            entry.evidence or "silent",
            entry.reviewed.date,
            taxonomy.categories[entry.category].title,
            *(taxonomy.phases[phase].title for phase in entry.phases),
            *(taxonomy.systems[use.id].title for use in entry.systems),
            *(taxonomy.tags[tag].title for tag in entry.tags),
        )
        head = pages[id_].sections[""].words
        missing += [f"{id_}: {fact}" for fact in facts if words(fact) not in head]
    assert not missing, "\n".join(missing)


def test_reasons_to_see_another_entry(
    encyclopedia: Encyclopedia, pages: dict[str, _Reader]
) -> None:
    """Where the two are linked more strongly, from either side, that link says why."""
    strong = {
        frozenset((id_, relation.id))
        for id_, entry in encyclopedia.entries.items()
        for relation in (*entry.relations.leads_to, *entry.relations.mistaken_for)
    }
    missing = [
        f"{id_}: {relation.text}"
        for id_, entry in encyclopedia.entries.items()
        for relation in entry.relations.see_also
        if frozenset((id_, relation.id)) not in strong
        and prose(relation.text) not in pages[id_].sections["related"].words
    ]
    assert not missing, "\n".join(missing)


def test_relations_are_seen_from_both_sides(
    encyclopedia: Encyclopedia, pages: dict[str, _Reader]
) -> None:
    missing = [
        f"{relation.id} does not name {id_}"
        for id_, entry in encyclopedia.entries.items()
        for relation in (*entry.relations.leads_to, *entry.relations.mistaken_for)
        if f"../../failures/{id_}/" not in pages[relation.id].sections["related"].links
    ]
    assert not missing, "\n".join(missing)


# --- structured data ---


def _nodes(page: _Reader) -> dict[str, dict[str, Any]]:
    (text,) = page.structured
    data = json.loads(text)
    assert data["@context"] == "https://schema.org"
    return {node["@type"]: node for node in data["@graph"]}


def test_structured_data(
    built_site: Site, encyclopedia: Encyclopedia, pages: dict[str, _Reader]
) -> None:
    for id_, entry in encyclopedia.entries.items():
        nodes = _nodes(pages[id_])
        assert set(nodes) == {"TechArticle", "FAQPage", "BreadcrumbList"}, id_
        assert nodes["TechArticle"]["description"] == entry.summary
        assert nodes["TechArticle"]["dateModified"] == entry.reviewed.date
        assert nodes["TechArticle"]["url"] == f"{built_site.url}failures/{id_}/"
        crumbs = nodes["BreadcrumbList"]["itemListElement"]
        assert [crumb["position"] for crumb in crumbs] == list(range(1, len(crumbs) + 1))
        assert crumbs[-1]["name"] == entry.title
        for crumb in crumbs:
            address = crumb["item"].removeprefix(built_site.url)
            assert (built_site.folder / address / "index.html").is_file(), crumb


def test_answers_for_search_engines_are_those_on_the_page(pages: dict[str, _Reader]) -> None:
    missing = []
    for id_, page in pages.items():
        shown = page.sections["faq"].words
        asked = _nodes(page)["FAQPage"]["mainEntity"]
        assert len(asked) > 3, id_
        for each in asked:
            lines = (each["name"], *each["acceptedAnswer"]["text"].split("\n"))
            missing += [f"{id_}: {line}" for line in lines if prose(line) not in shown]
    assert not missing, "\n".join(missing)


# --- data files ---


def _reload(encyclopedia: Encyclopedia, folder: Path, files: dict[str, str]) -> Encyclopedia:
    """Loads entries that consist of these texts (by id), with the repository's taxonomy."""
    shutil.copy(ENTRIES / "taxonomy.yml", folder)
    for id_, text in files.items():
        file = folder / encyclopedia.entries[id_].path
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    loaded = load_encyclopedia(folder)
    assert not loaded.problems
    return loaded.encyclopedia


def test_the_published_yaml_is_the_entry(
    built_site: Site, encyclopedia: Encyclopedia, tmp_path: Path
) -> None:
    files = {
        id_: (built_site.folder / f"failures/{id_}.yml").read_text(encoding="utf-8")
        for id_ in encyclopedia.entries
    }
    assert _reload(encyclopedia, tmp_path, files).entries == encyclopedia.entries
    schema = re.match(r"# yaml-language-server: \$schema=(\S+)", next(iter(files.values())))
    assert schema
    assert (built_site.folder / "failures" / schema[1]).resolve().is_file()


def test_the_published_json_is_the_entry(
    built_site: Site, encyclopedia: Encyclopedia, tmp_path: Path
) -> None:
    """JSON is YAML: without what is added, each file loads as the entry itself."""
    files = {}
    for id_, entry in encyclopedia.entries.items():
        data = json.loads((built_site.folder / f"failures/{id_}.json").read_text(encoding="utf-8"))
        assert data.pop("url") == f"{built_site.url}failures/{id_}/"
        assert data.pop("evidence") == entry.evidence
        files[id_] = json.dumps(data, ensure_ascii=False, indent=1)
    assert _reload(encyclopedia, tmp_path, files).entries == encyclopedia.entries


def test_the_published_markdown_holds_the_entry(
    built_site: Site, encyclopedia: Encyclopedia
) -> None:
    missing = []
    for id_, entry in encyclopedia.entries.items():
        markdown = (built_site.folder / f"failures/{id_}.md").read_text(encoding="utf-8")
        shown = prose(re.sub(r"&(?:amp|lt|gt|quot|#\w+);", " ", markdown))
        missing += [
            f"{id_}: {text[:100]}"
            for _, text in (*texts(entry), *codes(entry))
            if text and prose(text) not in shown
        ]
    assert not missing, "\n".join(missing)


def test_the_list_of_entries(built_site: Site, encyclopedia: Encyclopedia) -> None:
    text = (built_site.folder / "api/v1/entries.json").read_text(encoding="utf-8")
    data = json.loads(text)

    assert data["count"] == len(data["entries"]) == len(encyclopedia.entries)
    for listed in data["entries"]:
        entry = encyclopedia.entries[listed["id"]]
        assert listed["title"] == entry.title
        assert listed["signatures"] == [signature.match for signature in entry.signatures]
        assert listed["systems"] == [use.id for use in entry.systems]
        for address in (listed["url"] + "index.html", *listed["data"].values()):
            assert (built_site.folder / address.removeprefix(built_site.url)).is_file()


# --- the whole site ---


def test_the_sitemap_names_every_page_once(built_site: Site, encyclopedia: Encyclopedia) -> None:
    moved = {alias for entry in encyclopedia.entries.values() for alias in entry.aliases}
    files = [file.relative_to(built_site.folder).as_posix() for file in built_site.pages()]
    wanted = {
        built_site.url + file.removesuffix("index.html")
        for file in files
        if file != "404.html" and file.split("/")[-2:][0] not in moved
    }

    root = ElementTree.parse(built_site.folder / "sitemap.xml").getroot()
    named = Counter(element.text for element in root.findall("{*}url/{*}loc"))

    assert set(named) == wanted
    assert named.total() == len(named)


def test_two_builds_are_equal(built_site: Site, tmp_path: Path) -> None:
    build(tmp_path, built_site.url)

    def contents(folder: Path) -> dict[str, bytes]:
        files = (file for file in folder.rglob("*") if file.is_file())
        return {file.relative_to(folder).as_posix(): file.read_bytes() for file in files}

    first, second = contents(built_site.folder), contents(tmp_path)
    assert set(first) == set(second)
    assert [name for name, content in first.items() if second[name] != content] == []
