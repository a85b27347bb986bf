"""The browser's matcher gives the command's answers: layer by layer, from the same index."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

from generator.diagnose import Matcher, paste, search
from generator.diagnose.evaluate import load_cases
from generator.diagnose.layers import layers_of
from generator.export.index_size import search_sizes
from generator.export.scripts import published_script
from generator.load import load_encyclopedia
from generator.signatures.compile import compile_index, dump_index
from tests.browser.hostile_inputs import hostile
from tests.built import served
from tests.tools import ROOT

MODULES = ROOT / "theme/assets/faultbook/match"
CASES = ROOT / "tests/corpus/dev.yml"
#: Texts that go to the browser at once.
BATCH = 200

Named = tuple[str, str]

_LOAD = """async ([modules, index]) => {
  const { makeMatcher } = await import(modules);
  window.matcher = makeMatcher(await (await fetch(index)).json());
}"""


@pytest.fixture(scope="module")
def samples() -> list[Named]:
    entries = load_encyclopedia(ROOT / "entries").encyclopedia.entries.values()
    return [
        (f"{entry.id} {number}", sample.log)
        for entry in entries
        for number, sample in enumerate(entry.samples)
    ]


@pytest.fixture(scope="module")
def cases() -> list[Named]:
    return [(case.name, case.text) for case in load_cases(CASES)]


@pytest.fixture(scope="module")
def index_text() -> str:
    return dump_index(compile_index(load_encyclopedia(ROOT / "entries").encyclopedia))


@pytest.fixture(scope="module")
def matcher(index_text: str) -> Matcher:
    return Matcher(json.loads(index_text))


@pytest.fixture(scope="module")
def address(index_text: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("match")
    for module in MODULES.glob("*.js"):
        text = published_script(module.read_text(encoding="utf-8"))
        (folder / module.name).write_text(text, encoding="utf-8")
    (folder / "index.json").write_text(index_text, encoding="utf-8")
    (folder / "404.html").write_text("<title>matcher</title>", encoding="utf-8")
    with served(folder) as url:
        yield url


@pytest.fixture
def ready(page: Page, address: str) -> Page:
    """A page in which `matcher` is made."""
    page.goto(address)
    page.evaluate(_LOAD, [f"{address}main.js", f"{address}index.json"])
    return page


def assert_equal_answers(page: Page, matcher: Matcher, inputs: Sequence[Named]) -> None:
    assert inputs
    wrong: list[str] = []
    for start in range(0, len(inputs), BATCH):
        batch = inputs[start : start + BATCH]
        # As JSON, in which a lone surrogate has a form.
        told = page.evaluate(
            "(inputs) => JSON.stringify(JSON.parse(inputs)"
            ".map(([name, text]) => matcher.layers(text, name)))",
            json.dumps(batch),
        )
        for (name, text), theirs in zip(batch, json.loads(told), strict=True):
            ours = json.loads(json.dumps(layers_of([paste(text, name)], matcher, name)))
            wrong += differences(name, ours, theirs)
    assert not wrong, f"{len(wrong)} of {len(inputs)} differ:\n" + "\n".join(wrong[:5])


def differences(name: str, ours: dict[str, Any], theirs: dict[str, Any]) -> list[str]:
    """The first layer that differs, as text."""
    for layer in ("events", "exceptions", "ranking"):
        if ours[layer] != theirs[layer]:
            return [f"{name}, {layer}:\n  {ours[layer]}\n  {theirs[layer]}"]
    for key in ours["report"].keys() | theirs["report"].keys():
        one, other = ours["report"].get(key), theirs["report"].get(key)
        if one != other:
            return [f"{name}, {key}:\n  {one}\n  {other}"]
    return []


def test_samples_of_every_entry(ready: Page, matcher: Matcher, samples: list[Named]) -> None:
    assert_equal_answers(ready, matcher, samples)


def test_real_reports(ready: Page, matcher: Matcher, cases: list[Named]) -> None:
    assert_equal_answers(ready, matcher, cases)


def test_hostile_inputs(
    ready: Page, matcher: Matcher, samples: list[Named], cases: list[Named]
) -> None:
    texts = [text for _, text in (*samples, *cases)]
    literals = [
        part
        for record in matcher.index["signatures"]
        for part in record["parts"]
        if isinstance(part, str) and len(part) > 10
    ]
    assert_equal_answers(ready, matcher, list(hostile(texts, literals)))


def test_search_grades_what_diagnose_finds(ready: Page, samples: list[Named]) -> None:
    name, log = samples[0]
    report, results = ready.evaluate("(log) => [matcher.diagnose(log), matcher.search(log)]", log)
    certain = list(dict.fromkeys(finding["id"] for finding in report["findings"]))
    assert [one["id"] for one in results if one["grade"] == "certain"] == certain, name
    assert all(one["title"] and one["severity"] and one["why"] for one in results)


def test_search_finds_what_the_command_finds(
    ready: Page, matcher: Matcher, samples: list[Named], cases: list[Named]
) -> None:
    words = ["disk full", "training hangs at the end of an epoch", "xyzzy", "", "nan loss fp16"]
    lines = [text.strip().splitlines()[-1] for _, text in (*samples, *cases[::8]) if text.strip()]
    queries = [*words, *lines, *(text for _, text in cases[::8])]
    theirs = ready.evaluate("(queries) => queries.map((text) => matcher.search(text))", queries)
    for query, found in zip(queries, theirs, strict=True):
        assert found == [asdict(one) for one in search(query, matcher)], query


def test_search_needs_no_texts(ready: Page, matcher: Matcher, samples: list[Named]) -> None:
    queries = [log for _, log in samples]
    same = ready.evaluate(
        """async ([address, queries]) => {
          const { makeMatcher } = await import(address + "main.js");
          const { texts, ...core } = await (await fetch(address + "index.json")).json();
          const bare = makeMatcher(core);
          return queries.map((text) => [
            JSON.stringify(bare.search(text)) === JSON.stringify(matcher.search(text)),
            bare.diagnose(text).next,
            Object.keys(texts).length,
          ]);
        }""",
        [ready.url, queries],
    )
    assert all(equal and following is None and count for equal, following, count in same)


def test_an_index_of_another_version_is_refused(ready: Page) -> None:
    message = ready.evaluate(
        """async (address) => {
          const { makeMatcher } = await import(address);
          try { makeMatcher({ schema: 0 }); } catch (error) { return error.message; }
        }""",
        ready.url + "main.js",
    )
    assert "version" in message


def test_code_and_index_are_small(index_text: str) -> None:
    sizes = search_sizes(json.loads(index_text), MODULES)
    assert sizes["core"] <= 100 * 1024, sizes
