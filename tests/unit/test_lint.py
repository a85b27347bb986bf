"""Rules as data: what a check may do, and what it may not break."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from generator.lint import (
    ALL_RULES,
    ENTRY_RULES,
    LOADING_RULES,
    AllContext,
    AllRule,
    EntryContext,
    EntryRule,
    Finding,
    Rule,
    check_across,
    check_all,
    check_entry,
)
from generator.load import Loaded, load_encyclopedia, load_entry

ACCEPTANCE = Path(__file__).parents[1] / "acceptance" / "broken"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(ACCEPTANCE / "_base" / "entries", tmp_path / "entries")
    shutil.copytree(ACCEPTANCE / "fine" / "entries", tmp_path / "entries", dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return Path("entries")


@pytest.fixture
def loaded(root: Path) -> Loaded:
    return load_encyclopedia(root)


def test_rules_have_names_of_their_own() -> None:
    rules: list[Rule] = [*ENTRY_RULES, *ALL_RULES]
    names = [rule.name for rule in rules]
    assert len(set(names)) == len(names)
    assert not set(names) & set(LOADING_RULES)
    assert all(rule.description.endswith(".") for rule in rules)


def test_fine_entries_have_no_problems(loaded: Loaded) -> None:
    assert check_all(loaded) == ()


def test_a_rule_that_fails_is_a_problem(loaded: Loaded) -> None:
    def fail(context: EntryContext) -> Iterator[Finding]:
        yield Finding(("title",), f"seen {context.entry.id}")
        raise KeyError("lost\nkey")

    def fail_across(context: AllContext) -> Iterator[Finding]:
        raise ZeroDivisionError(len(context.ids))

    entry = loaded.encyclopedia.entries["full-disk"]
    document = loaded.documents[entry.path]
    rule = EntryRule("doubtful", "A rule.", fail)
    problems = check_entry(entry, document, loaded.encyclopedia.taxonomy, [rule])
    assert [str(problem) for problem in problems] == [
        "entries/storage/full-disk.yml:2:1: the check 'doubtful' failed with KeyError: "
        "'lost\\nkey'; this is a defect of faultbook, please report it with the file [internal]",
        "entries/storage/full-disk.yml:3:8: title: seen full-disk [doubtful]",
    ]
    across = check_across(loaded, [AllRule("doubtful", "A rule.", fail_across)])
    assert [problem.rule for problem in across] == ["internal"]


def test_one_entry_is_checked_alone(root: Path, loaded: Loaded) -> None:
    path = root / "storage" / "full-disk.yml"
    path.write_text(path.read_text(encoding="utf-8").replace("[disk-full]", "[oom]"), "utf-8")
    entry, problems, document = load_entry(path, root)
    assert entry is not None
    assert problems == ()
    found = check_entry(entry, document, loaded.encyclopedia.taxonomy)
    assert [str(problem) for problem in found] == [
        "entries/storage/full-disk.yml:6:8: tags.0: 'oom' is a synonym of 'out-of-memory'; "
        "write that [unknown-tag]"
    ]


def test_no_word_is_unknown_without_a_taxonomy(root: Path) -> None:
    (root / "taxonomy.yml").write_text("", encoding="utf-8")
    rules = {problem.rule for problem in check_all(load_encyclopedia(root))}
    assert rules == {"yaml"}


def test_an_entry_that_cannot_be_read_still_exists(root: Path) -> None:
    (root / "storage" / "full-disk.yml").write_text("id: [\n", encoding="utf-8")
    problems = check_all(load_encyclopedia(root))
    assert [problem.rule for problem in problems] == ["yaml"]


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "(" * 3000),
        ("python", "-" * 5900 + "1"),
        ("json", "[" * 5000),
        ("yaml", "[" * 5000),
        ("toml", "a = " + "[" * 5000),
    ],
)
def test_code_that_is_nested_without_end(
    language: str, code: str, root: Path, loaded: Loaded
) -> None:
    path = root / "storage" / "full-disk.yml"
    text = path.read_text(encoding="utf-8").replace(
        "references:",
        f"code:\n  - {{title: Deep, language: {language}, why: It ends., code: '{code}'}}\n"
        "references:",
        1,
    )
    path.write_text(text, encoding="utf-8")
    entry, _, document = load_entry(path, root)
    assert entry is not None
    problems = check_entry(entry, document, loaded.encyclopedia.taxonomy)
    assert [problem.rule for problem in problems] == ["code-parses"]
