"""The published index: small, whole numbers, and the same with or without its texts."""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.diagnose import IndexFileError, Matcher, diagnose, read_index, search
from generator.export.index_size import search_sizes
from generator.export.scripts import published_script
from generator.load import load_encyclopedia
from generator.signatures.compile import compile_index, core_index, dump_index, index_texts
from generator.signatures.expand import expand, pack_steps, unpack_steps
from generator.signatures.words import words_of
from tests.tools import ROOT

TIME_LIMIT = (
    "slurmstepd: error: *** JOB 1234 ON node-03 CANCELLED AT 2026-01-02T03:04:05 "
    "DUE TO TIME LIMIT ***\n"
)


@cache
def index() -> dict[str, Any]:
    return compile_index(load_encyclopedia(ROOT / "entries").encyclopedia)


@given(st.sets(st.integers(0, 5000)))
def test_steps_give_back_the_places(places: set[int]) -> None:
    text = pack_steps(sorted(places))
    assert list(unpack_steps(text)) == sorted(places)
    assert " " not in text


def test_anchors_stand_in_their_literals() -> None:
    expanded = expand(index())
    patterns = [*expanded["signatures"], *expanded["withs"], *expanded["signals"]]
    for record in patterns:
        literals = [part for part in record["parts"] if isinstance(part, str)]
        if record.get("ignore_case"):
            literals = [literal.lower() for literal in literals]
        assert record["anchor"]
        assert any(record["anchor"] in literal for literal in literals), record
        assert record["size"] == len("".join(literals).encode())


def test_impacts_are_bm25_rounded() -> None:
    expanded = expand(index())
    weigh, terms = index()["bm25"], expanded["terms"]
    counts: list[dict[str, int]] = []
    for at, entry in enumerate(index()["entries"]):
        own: dict[str, int] = {}
        names = {word for text in (entry["title"], entry["id"]) for word in words_of(text)}
        printed = {
            word
            for record in expanded["signatures"]
            if record["entry"] == at
            for part in record["parts"]
            if isinstance(part, str)
            for word in words_of(part)
        }
        for words, weight in ((names, weigh["title"]), (printed, weigh["signature"])):
            for word in words:
                own[word] = own.get(word, 0) + weight
        counts.append(own)
    rows = dict(zip(terms, index()["more"].split(" "), strict=True))
    for word, steps in rows.items():
        for at in unpack_steps(steps):
            assert word not in counts[at]
            counts[at][word] = weigh["more"]
    mean = sum(sum(own.values()) for own in counts) / len(counts)
    for word, row in list(terms.items())[::7]:
        held = sum(word in own for own in counts)
        rarity = math.log(1 + (len(counts) - held + 0.5) / (held + 0.5))
        assert row[0] == pytest.approx(weigh["rarity"] * rarity, abs=0.51)
        entry = 0
        for step, impact in zip(row[1::2], row[2::2], strict=True):
            entry += step
            count, size = counts[entry][word], sum(counts[entry].values())
            share = count + 1.2 * (0.5 + 0.5 * size / mean)
            exact = weigh["impact"] * rarity * count * 2.2 / share
            assert impact == pytest.approx(exact, abs=0.55)


def test_texts_are_a_file_of_their_own() -> None:
    core, texts = core_index(index()), index_texts(index())
    assert "texts" not in core
    assert texts["schema"] == core["schema"]
    assert texts["texts"]["disk-full-during-training"].keys() == {"summary", "confirm", "fix"}
    assert dump_index({**core, "texts": texts["texts"]}) == dump_index(index())


def test_without_texts_the_answer_lacks_the_next_step_only() -> None:
    whole, bare = Matcher(index()), Matcher(core_index(index()))
    for text in (TIME_LIMIT, "disk full", "OSError: [Errno 28] No space left on device"):
        one, other = diagnose(text, whole).data(), diagnose(text, bare).data()
        assert other.pop("next") is None
        one.pop("next")
        assert one == other
        assert search(text, whole) == search(text, bare)


def test_an_index_file_is_read_with_and_without_texts(tmp_path: Path) -> None:
    path = tmp_path / "signatures.json"
    for content in (index(), core_index(index())):
        path.write_text(dump_index(content), encoding="utf-8")
        assert search("disk full", Matcher(read_index(path)))
    path.write_text(json.dumps({**index(), "schema": 1}), encoding="utf-8")
    with pytest.raises(IndexFileError, match=r"signatures\.json.*build it again"):
        read_index(path)


def test_the_search_core_is_small() -> None:
    sizes = search_sizes(index(), ROOT / "theme/assets/faultbook/match")
    assert sizes["core"] == sizes["index"] + sizes["code"]
    assert sizes["core"] <= 100 * 1024, sizes


def test_published_scripts_keep_lines_and_code() -> None:
    source = (
        "// @ts-check\n/**\n * A function. /* not nested\n */\n"
        'export const one = "// no comment"; // stays\n'
        "  // goes\n/** @type {number} */\nexport const two = /** @type {any} */ (1);\n"
    )
    assert published_script(source) == (
        '\n\n\n\nexport const one = "// no comment"; // stays\n\n\n'
        "export const two = /** @type {any} */ (1);\n"
    )


def test_the_next_step_is_filled_with_what_the_log_says() -> None:
    found = diagnose(TIME_LIMIT, Matcher(index())).next
    assert found is not None
    assert found.id == "slurm-time-limit-cancelled"
    assert 'sacct -j "1234"' in found.run
    assert found.fix is not None
    assert found.fix.run
