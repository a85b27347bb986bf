"""Real reports: how many are answered rightly, with the entries of this repository alone.

The figures may only rise; `faultbook evaluate tests/corpus/dev.yml` prints them.
"""

from __future__ import annotations

from pathlib import Path

from generator.diagnose import Matcher
from generator.diagnose.evaluate import evaluate, load_cases
from generator.load import load_encyclopedia
from generator.signatures.compile import compile_index

ROOT = Path(__file__).parents[2]


def test_certain_findings_are_right() -> None:
    matcher = Matcher(compile_index(load_encyclopedia(ROOT / "entries").encyclopedia))
    figures = evaluate(load_cases(ROOT / "tests" / "corpus" / "dev.yml"), matcher)["all"]
    assert figures.right >= 0.94 * figures.findings
    assert figures.foreign <= 4
    assert figures.wrong_certain == 0
    assert figures.ranks_right >= 20
