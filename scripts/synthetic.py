"""Entries made from a seed, for measuring: many, varied, and as large as the real ones.

Each is a real entry's shape with every text written anew from the real entries'
words: a chain of word pairs gives sentences that nobody wrote, of the same length
and with the same share of inline code. No block of prose or code stands twice.
"""

from __future__ import annotations

import itertools
import random
import re
from collections import defaultdict
from pathlib import Path
from typing import Any
from zlib import crc32

import yaml

from generator.export.entry_data import entry_dict
from generator.load import load_encyclopedia

#: Fields that keep their value: controlled words, addresses, numbers, switches.
_KEPT = {
    "category", "severity", "phases", "kind", "language", "evidence", "specific", "role", "silent",
    "cheapest", "confirm_minutes", "fix_minutes", "ignore_case", "whole_line", "date", "when",
}  # fmt: skip
_DROPPED = {"aliases", "relations", "rules_out", "reproduce", "faq", "with"}
_WORD = re.compile(r"`[^`\n]+`|[^\s`]+")
_IDENTIFIER = re.compile(r"(?<![\w.\"'])[a-z_]{4,}(?=\s*=[^=])")


_ATTEMPTS = 4


class Writer:
    """Writes texts that resemble the real ones and never repeats one."""

    def __init__(self, texts: list[str], seed: int) -> None:
        """Learn which word follows which.

        Args:
            texts: prose of real entries.
            seed: equal seeds write equal texts.
        """
        self._random = random.Random(seed)
        self._next: dict[str, list[str]] = defaultdict(list)
        self._starts: list[str] = []
        self._written: set[str] = set()
        for text in texts:
            words = _WORD.findall(text)
            if len(words) > 3:
                self._starts.append(words[0])
            for word, following in itertools.pairwise(words):
                self._next[word].append(following)

    def prose(self, length: int) -> str:
        """Return a text of about so many characters."""
        for attempt in range(_ATTEMPTS):
            word = self._random.choice(self._starts)
            words = [word]
            size = len(word)
            while size < length:
                following = self._next.get(word)
                word = self._random.choice(following or self._starts)
                words.append(word)
                size += len(word) + 1
            text = self._tidy(" ".join(words), length)
            if text not in self._written or attempt == _ATTEMPTS - 1:
                break
        if text in self._written:
            # Short texts run out of combinations; a number keeps them apart.
            text = f"{text[: max(1, length - 8)]} {len(self._written)}"
        self._written.add(text)
        return text

    def _tidy(self, text: str, length: int) -> str:
        text = text[: max(length - 1, 12)]
        if text.count("`") % 2:
            text += "`"
        # Brackets and list marks out of their place would make other Markdown than prose.
        return re.sub(r"[\[\]*_<>#|~]|^[-+\d.)\s]+", "", text).strip() or "synthetic text"

    def code(self, text: str, number: int) -> str:
        """Return code with other names and one more comment."""
        suffix = f"_{self._random.randrange(10**6)}"
        if text.startswith("{"):  # JSON has no comments
            return f'{{"variant": "{number}{suffix}",' + text[1:]
        names = {match[0] for match in _IDENTIFIER.finditer(text)}
        for name in sorted(names):
            text = re.sub(rf"\b{name}\b", f"{name}{suffix}", text)
        return f"# variant {number}{suffix}\n{text}"

    def choose(self, words: list[str], count: int) -> list[str]:
        """Return so many of the words, none twice."""
        return self._random.sample(words, min(count, len(words)))


def _strings(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for key, one in value.items() if key not in _KEPT for text in _strings(one)]
    return [text for one in value for text in _strings(one)] if isinstance(value, list) else []


def _rewrite(value: Any, key: str, writer: Writer, number: int) -> Any:
    if key in _KEPT or isinstance(value, (int, float)):
        return value
    if isinstance(value, dict):
        return {
            name: _rewrite(one, name, writer, number)
            for name, one in value.items()
            if name not in _DROPPED
        }
    if isinstance(value, list):
        return [_rewrite(one, key, writer, number) for one in value]
    if key == "url":
        return f"https://example.org/{number}/{crc32(value.encode()) % 997}"
    if key in ("code", "run", "query"):
        return writer.code(value, number)
    if key == "log":
        return value
    return writer.prose(len(value))


def synthetic_entries(real: Path, count: int, seed: int = 1) -> list[dict[str, Any]]:
    """Return entries as data.

    Args:
        real: folder of the real entries, whose shapes and words are used.
        count: how many to make.
        seed: equal seeds make equal entries.

    Returns:
        Entries that pass every check, each with relations to others of them.
    """
    loaded = load_encyclopedia(real)
    shapes = [entry_dict(entry) for entry in loaded.encyclopedia.entries.values()]
    taxonomy = loaded.encyclopedia.taxonomy
    texts = [text for shape in shapes for text in _strings(shape) if len(text) > 40]
    writer = Writer(texts, seed)
    categories, tags, systems = (
        list(words) for words in (taxonomy.categories, taxonomy.tags, taxonomy.systems)
    )
    choice = random.Random(seed + 1)
    ids = [f"synthetic-{number:05d}" for number in range(count)]
    made: list[dict[str, Any]] = []
    for number, id_ in enumerate(ids):
        shape = shapes[number % len(shapes)]
        entry: dict[str, Any] = _rewrite(shape, "", writer, number)
        entry["id"] = id_
        entry["title"] = writer.prose(38)[:80].replace("`", "")
        entry["summary"] = (
            (writer.prose(170).replace("`", "") + " " * 40)[:290].strip().ljust(41, ".")
        )
        entry["category"] = categories[number * len(categories) // count]
        entry["severity"] = choice.choice(("critical", "high", "medium", "low"))
        entry["tags"] = writer.choose(tags, len(shape["tags"]))
        entry["systems"] = [
            {**one, "id": system} if isinstance(one, dict) else system
            for one, system in zip(
                entry["systems"], writer.choose(systems, len(entry["systems"])), strict=False
            )
        ]
        for index, signature in enumerate(entry.get("signatures", ())):
            signature["match"] = f"Synthetic{number}Error: {signature['match'][:150]}"
            signature.pop("when", None)
            signature["printed_by"]["url"] = f"https://example.org/source/{number}/{index}"
        if entry.get("samples"):
            text = entry["signatures"][0]["match"] if entry.get("signatures") else "none"
            entry["samples"] = [{"title": "As printed", "log": text}]
        # Mostly neighbours, as real relations are.
        near = ids[max(0, number - 12) : number + 12] if choice.random() < 0.9 else ids
        others = [other for other in choice.sample(near, min(5, len(near))) if other != id_][:4]
        if len(others) >= 3:
            entry["relations"] = {
                "leads_to": [{"id": others[0], "how": writer.prose(90)}],
                "mistaken_for": [{"id": others[1], "tell_apart": writer.prose(110)}],
                "see_also": [others[2]],
            }
        entry["reviewed"]["date"] = (
            f"2026-{choice.randrange(1, 12):02d}-{choice.randrange(1, 28):02d}"
        )
        made.append(entry)
    return made


def write_synthetic(real: Path, target: Path, count: int, seed: int = 1) -> list[Path]:
    """Write synthetic entries with the real taxonomy.

    Args:
        real: folder of the real entries.
        target: folder to write; made where it is missing.
        count: how many entries.
        seed: equal seeds write equal files.

    Returns:
        The entries' files.
    """
    target.mkdir(parents=True, exist_ok=True)
    (target / "taxonomy.yml").write_bytes((real / "taxonomy.yml").read_bytes())
    files: list[Path] = []
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    for entry in synthetic_entries(real, count, seed):
        folder = target / entry["category"]
        folder.mkdir(exist_ok=True)
        file = folder / f"{entry['id']}.yml"
        file.write_text(
            yaml.dump(entry, Dumper=dumper, sort_keys=False, allow_unicode=True, width=110),
            encoding="utf-8",
        )
        files.append(file)
    return files
