"""Generated templates and logs: the browser's matcher gives the command's layers."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Page

from generator.diagnose import Matcher
from generator.diagnose.layers import layers_of
from generator.diagnose.sources import Source
from tests.browser.test_matcher import MODULES, differences
from tests.built import served
from tests.fuzzing import index_of, log_of

SEEDS = range(30)
LOGS = 20

_LAYERS = """async ([address, index, logs]) => {
  const { makeMatcher } = await import(address + "main.js");
  const { Incident } = await import(address + "incident.js");
  const { Matcher } = await import(address + "matcher.js");
  const { layersOf } = await import(address + "layers.js");
  const matcher = new Matcher(JSON.parse(index));
  const bytesOf = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
  return JSON.stringify(logs.map((blocks) => {
    const incident = new Incident(matcher);
    const file = incident.file("log");
    for (const block of blocks) file.push(bytesOf(block));
    file.end();
    return layersOf(incident.gather("log"), matcher);
  }));
}"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder: Path = tmp_path_factory.mktemp("fuzz")
    for module in MODULES.glob("*.js"):
        (folder / module.name).write_bytes(module.read_bytes())
    (folder / "404.html").write_text("<title>fuzz</title>", encoding="utf-8")
    with served(folder) as url:
        yield url


def _blocks(chance: Random, data: bytes) -> list[bytes]:
    """The bytes of a log as slices, whole every other time."""
    if not data or chance.random() < 0.5:
        return [data]
    places = sorted({0, len(data), *(chance.randrange(len(data)) for _ in range(4))})
    return [data[start:end] for start, end in pairwise(places)]


def _source(data: bytes) -> Source:
    return Source("log", lambda: iter([data]))


def test_layers_are_equal(page: Page, address: str) -> None:
    page.goto(address)
    wrong: list[str] = []
    hits = 0
    for seed in SEEDS:
        chance = Random(seed)
        index = json.dumps(index_of(chance, 30))
        matcher = Matcher(json.loads(index))
        logs = [log_of(chance, matcher, 40) for _ in range(LOGS)]
        sliced = [_blocks(chance, log.encode()) for log in logs]
        told = page.evaluate(
            _LAYERS,
            [
                address,
                index,
                [[base64.b64encode(one).decode() for one in blocks] for blocks in sliced],
            ],
        )
        for at, theirs in enumerate(json.loads(told)):
            data = logs[at].encode()
            ours = json.loads(json.dumps(layers_of([_source(data)], matcher, "log")))
            hits += len(ours["events"])
            wrong += differences(f"seed {seed}, log {at}", ours, theirs)
    assert not wrong, f"{len(wrong)} differ:\n" + "\n".join(wrong[:3])
    assert hits > len(SEEDS) * LOGS
