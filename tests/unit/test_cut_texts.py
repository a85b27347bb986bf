"""A longer text that is cut off does not hide a whole one that decides."""

from __future__ import annotations

from pathlib import Path

from generator.diagnose import Matcher, diagnose
from generator.model import Encyclopedia, Taxonomy
from generator.signatures.compile import compile_index
from generator.signatures.pack import Pack, PackItem, PackSignature

WHOLE = "No such file or directory: the bucket path"
LONGER = "while saving: No such file or directory: the bucket path <path> was taken for a folder"


def matcher(specific: bool) -> Matcher:
    items = tuple(
        PackItem(id_, id_, "", "storage", "high", (PackSignature(match, specific=certain),), ())
        for id_, match, certain in (("short-text", WHOLE, specific), ("long-text", LONGER, True))
    )
    nothing = Encyclopedia(Path(), Taxonomy({}, {}, {}, {}))
    return Matcher(compile_index(nothing, [Pack("test", items)]))


CUT = "while saving: No such file or directory: the bucket path /ckpt/a was taken"


def test_a_certain_text_stays_beside_a_longer_one_that_is_cut() -> None:
    report = diagnose(CUT, matcher(specific=True))
    assert [finding.id for finding in report.findings] == ["short-text"]
    assert "long-text" in [suggestion.id for suggestion in report.suggestions]


def test_a_longer_text_that_is_whole_covers_it() -> None:
    report = diagnose(CUT + " for a folder", matcher(specific=True))
    assert [finding.id for finding in report.findings] == ["long-text"]


def test_a_shared_text_is_covered_by_a_longer_one_that_is_cut() -> None:
    report = diagnose(CUT, matcher(specific=False))
    assert not report.findings
    assert report.suggestions[0].id == "long-text"
