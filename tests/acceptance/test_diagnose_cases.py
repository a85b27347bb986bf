"""Every folder of `diagnose/` is a case: logs, and the exact answer layer by layer.

A case holds `logs/`, one incident, and `expected.json`: events, exceptions, ranking and report.
All are matched against `pack.yml`. A new case is a new folder; `python
tests/acceptance/test_diagnose_cases.py CASE...` writes its answer, which is then read before it
is taken in. The browser's matcher is held to the same files and to `index.json`, the compiled
pack.
"""

from __future__ import annotations

import json
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from generator.diagnose import Matcher, sources_of
from generator.diagnose.layers import layers_of
from generator.model import Encyclopedia, Taxonomy
from generator.signatures.compile import compile_index
from generator.signatures.pack import load_pack

FOLDER = Path(__file__).parent / "diagnose"
CASES = sorted(path.name for path in FOLDER.iterdir() if path.is_dir())


@cache
def index() -> dict[str, Any]:
    nothing = Encyclopedia(FOLDER, Taxonomy({}, {}, {}, {}))
    return compile_index(nothing, [load_pack(FOLDER / "pack.yml")])


@cache
def matcher() -> Matcher:
    return Matcher(index())


def layers(case: str) -> dict[str, Any]:
    """Returns the answer for a case, as JSON gives it back."""
    found = layers_of(sources_of(FOLDER / case / "logs"), matcher(), case)
    plain: dict[str, Any] = json.loads(json.dumps(found))
    return plain


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("layer", ["events", "exceptions", "ranking", "report"])
def test_answer_is_as_expected(case: str, layer: str) -> None:
    expected = json.loads((FOLDER / case / "expected.json").read_text(encoding="utf-8"))
    assert layers(case)[layer] == expected[layer]


def test_index_is_as_expected() -> None:
    expected = json.loads((FOLDER / "index.json").read_text(encoding="utf-8"))
    assert json.loads(json.dumps(index())) == expected


def write(cases: list[str]) -> None:
    """Writes the answers of cases, of all where none is named, and the index."""
    text = json.dumps(index(), ensure_ascii=False, indent=1) + "\n"
    (FOLDER / "index.json").write_text(text, encoding="utf-8")
    for case in cases or CASES:
        text = json.dumps(layers(case), ensure_ascii=False, indent=1) + "\n"
        (FOLDER / case / "expected.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write(sys.argv[1:])
