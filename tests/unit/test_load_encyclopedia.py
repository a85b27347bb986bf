"""Folders of entries to records."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from generator.load import MAX_BYTES, LoadError, load_encyclopedia, load_entry, load_taxonomy
from generator.model import Observe, Relation, SystemUse

ACCEPTANCE = Path(__file__).parents[1] / "acceptance" / "broken"


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of two fine entries, as `entries` in the current folder."""
    shutil.copytree(ACCEPTANCE / "_base" / "entries", tmp_path / "entries")
    shutil.copytree(ACCEPTANCE / "fine" / "entries", tmp_path / "entries", dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return Path("entries")


def test_entries_become_records(root: Path) -> None:
    loaded = load_encyclopedia(root)
    assert loaded.problems == ()
    assert list(loaded.encyclopedia.entries) == ["full-disk", "out-of-memory"]
    assert set(loaded.documents) == {
        "taxonomy.yml",
        "memory/out-of-memory.yml",
        "storage/full-disk.yml",
    }
    entry = loaded.encyclopedia.entries["out-of-memory"]
    assert entry.path == "memory/out-of-memory.yml"
    assert entry.systems == (
        SystemUse("pytorch", "Its allocator asks for more."),
        SystemUse("linux"),
    )
    assert entry.observe == Observe("The process ends.", "At the first large batch.")
    assert entry.relations.leads_to == (Relation("full-disk", "A core dump fills the disk."),)
    assert entry.relations.see_also == (Relation("full-disk"),)
    assert entry.reviewed.date == "2026-12-01"
    assert entry.samples[0].log == (
        "Traceback (most recent call last):\nOSError: [Errno 28] No space left on device"
    )
    assert entry.mechanism.endswith("write(2) fails.")
    assert entry.silent is False


def test_optional_fields_and_layout_of_code(root: Path) -> None:
    path = root / "storage" / "full-disk.yml"
    text = path.read_text(encoding="utf-8").replace(
        "references:",
        "observe: |\n  It stops.\n"
        "code:\n"
        "  - title: Check\n    language: python\n    why: It stops.\n"
        "    code: |\n      if True:\n          pass\n\n"
        "relations:\n"
        "  mistaken_for: [{id: out-of-memory, tell_apart: Look at df.}]\n"
        "references:",
        1,
    )
    text = text.replace(
        "    specific: false\n", "    specific: false\n    with: A second text\n", 1
    )
    path.write_text(text, encoding="utf-8")
    entry, problems, document = load_entry(path, root)
    assert problems == ()
    assert entry is not None
    assert entry.observe == Observe("It stops.")
    assert entry.code[0].code == "if True:\n    pass"
    assert entry.signatures[0].with_ == "A second text"
    assert entry.relations.mistaken_for == (Relation("out-of-memory", "Look at df."),)
    assert document.name == "entries/storage/full-disk.yml"


def test_one_changed_entry_is_read_alone(root: Path) -> None:
    path = root / "storage" / "full-disk.yml"
    path.write_text(path.read_text(encoding="utf-8").replace("critical", "urgent"), "utf-8")
    entry, problems, document = load_entry(path, root)
    assert entry is None
    assert [str(problem) for problem in problems] == [
        "entries/storage/full-disk.yml:5:11: severity: 'urgent' is not one of critical, high, "
        "medium, low [schema]"
    ]
    assert document.position(("severity",), key=True) == (5, 1)


def test_places_stay_with_the_text_that_was_judged(root: Path) -> None:
    path = root / "storage" / "full-disk.yml"
    path.write_text("id: x\nid: y\ntitle: Some title\n", encoding="utf-8")
    _, _, document = load_entry(path, root)
    path.write_text("\n\n\ntitle: Some title\n", encoding="utf-8")
    assert document.position(("title",)) == (3, 8)


def test_names_outside_the_current_folder_are_kept(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = root.absolute()
    (root / "storage" / "full-disk.yml").write_text("", encoding="utf-8")
    monkeypatch.chdir(folder / "memory")
    assert [problem.path for problem in load_encyclopedia(folder).problems] == [
        f"{folder.as_posix()}/storage/full-disk.yml"
    ]
    assert [problem.path for problem in load_encyclopedia(Path("..")).problems] == [
        "../storage/full-disk.yml"
    ]


def test_windows_files_with_a_byte_order_mark(root: Path) -> None:
    path = root / "storage" / "full-disk.yml"
    text = path.read_text(encoding="utf-8").replace("critical", "urgent")
    path.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    _, problems, _ = load_entry(path, root)
    assert [(problem.line, problem.column) for problem in problems] == [(5, 11)]


def test_what_is_no_plain_file_is_not_opened(root: Path) -> None:
    (root / "storage" / "link.yml").symlink_to("/etc/hostname")
    os.mkfifo(root / "storage" / "pipe.yml")
    (root / "storage" / "folder.yml").mkdir()
    (root / "storage" / "gone.yml").symlink_to("nowhere")
    (root / "elsewhere").symlink_to("/etc")
    assert [str(problem) for problem in load_encyclopedia(root).problems] == [
        "entries/elsewhere: is not an entry; an entry stands in the folder of its category: "
        "<category>/<id>.yml [layout]",
        "entries/storage/folder.yml: is not a regular file [yaml]",
        "entries/storage/gone.yml: is a symbolic link; put the file itself here [yaml]",
        "entries/storage/link.yml: is a symbolic link; put the file itself here [yaml]",
        "entries/storage/pipe.yml: is not a regular file [yaml]",
    ]


def test_a_file_that_is_too_large_is_not_read(root: Path) -> None:
    path = root / "storage" / "large.yml"
    path.write_bytes(b"a" * (MAX_BYTES + 1))
    entry, problems, _ = load_entry(path, root)
    assert entry is None
    assert [problem.message for problem in problems] == [
        f"is too large: {MAX_BYTES + 1} bytes, at most {MAX_BYTES} are read; "
        "shorten samples and prose"
    ]


def test_a_file_that_is_gone_is_a_problem(root: Path) -> None:
    entry, problems, _ = load_entry(root / "storage" / "gone.yml", root)
    assert entry is None
    assert [problem.message for problem in problems] == [
        "cannot be read: No such file or directory"
    ]


def test_a_root_that_is_no_folder(root: Path) -> None:
    with pytest.raises(LoadError, match=r"taxonomy\.yml: cannot be read as a folder of entries"):
        load_encyclopedia(root / "taxonomy.yml")


def test_what_is_usable_of_a_broken_taxonomy(root: Path) -> None:
    (root / "taxonomy.yml").write_text(
        "categories: [{id: storage}, 5]\nsystems: none\n"
        "tags: [{id: oom, title: OOM, description: x, synonyms: [1, memory]}]\n",
        encoding="utf-8",
    )
    taxonomy, problems, _ = load_taxonomy(root)
    assert problems
    assert list(taxonomy.categories) == ["storage"]
    assert taxonomy.categories["storage"].title == "storage"
    assert taxonomy.tags["oom"].synonyms == ("memory",)
    assert (taxonomy.systems, taxonomy.phases) == ({}, {})
