"""Rules about names: id, file, folder, aliases, and the words of the taxonomy."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from pathlib import Path, PurePosixPath

from generator.lint.rule import AllContext, AllRule, EntryContext, EntryRule, Finding
from generator.load import TreePath, did_you_mean, quote
from generator.model import System, Tag


def _id_is_file_name(context: EntryContext) -> Iterator[Finding]:
    stem = PurePosixPath(context.entry.path).stem
    if context.entry.id != stem:
        yield Finding(
            ("id",),
            f"{quote(context.entry.id)} is not the file name {quote(stem)}; "
            "rename one of the two (a published id is kept as an alias)",
        )


def _folder_is_category(context: EntryContext) -> Iterator[Finding]:
    folder = PurePosixPath(context.entry.path).parent.as_posix()
    if context.entry.category != folder:
        yield Finding(
            ("category",),
            f"{quote(context.entry.category)} is not the folder {quote(folder)}; "
            f"move the file to {context.entry.category}/, or correct the category",
        )


def _category_is_known(context: EntryContext) -> Iterator[Finding]:
    words = context.taxonomy.categories
    yield from _unknown("category", words, {}, [(("category",), context.entry.category)])


def _systems_are_known(context: EntryContext) -> Iterator[Finding]:
    used: list[tuple[TreePath, str]] = [
        (("systems", index, "id") if system.how else ("systems", index), system.id)
        for index, system in enumerate(context.entry.systems)
    ]
    words = context.taxonomy.systems
    yield from _unknown("system", words, words, used)
    seen: set[str] = set()
    for path, id_ in used:
        if id_ in seen:
            yield Finding(path, f"{quote(id_)} stands twice")
        seen.add(id_)


def _phases_are_known(context: EntryContext) -> Iterator[Finding]:
    used = [(("phases", index), phase) for index, phase in enumerate(context.entry.phases)]
    yield from _unknown("phase", context.taxonomy.phases, {}, used)


def _tags_are_known(context: EntryContext) -> Iterator[Finding]:
    used = [(("tags", index), tag) for index, tag in enumerate(context.entry.tags)]
    words = context.taxonomy.tags
    yield from _unknown("tag", words, words, used)


def _unknown(
    kind: str,
    words: Mapping[str, object],
    with_synonyms: Mapping[str, System] | Mapping[str, Tag],
    used: Iterable[tuple[TreePath, str]],
) -> Iterator[Finding]:
    if not words:  # the taxonomy has none of them and was reported itself
        return
    for path, word in used:
        if word in words:
            continue
        meant = _synonym_of(word, with_synonyms)
        if meant is not None:
            yield Finding(path, f"{quote(word)} is a synonym of {quote(meant)}; write that")
            continue
        guess = did_you_mean(word, words)
        if not guess:
            guess = (
                f", which has {', '.join(words)}"
                if len(words) <= 12
                else "; use one of its words, or add this one there"
            )
        yield Finding(path, f"{quote(word)} is no {kind} of taxonomy.yml{guess}")


def _synonym_of(word: str, words: Mapping[str, System] | Mapping[str, Tag]) -> str | None:
    wanted = _plain(word)
    for id_, record in words.items():
        if any(_plain(synonym) == wanted for synonym in record.synonyms):
            return id_
    return None


def _plain(word: str) -> str:
    return re.sub(r"[^\w]+", "-", word.casefold())


def _date_is_real(context: EntryContext) -> Iterator[Finding]:
    text = context.entry.reviewed.date
    try:
        date.fromisoformat(text)
    except ValueError:
        yield Finding(("reviewed", "date"), f"{quote(text)} is no day of the calendar")


def _files_stand_beside(context: EntryContext) -> Iterator[Finding]:
    reproduce = context.entry.reproduce
    folder: Path = context.document.path.parent
    if reproduce is not None:
        for key, name in (("script", reproduce.script), ("output", reproduce.output)):
            if name and not (folder / name).is_file():
                yield Finding(
                    ("reproduce", key), f"there is no file {quote(name)} beside the entry"
                )
    for index, signature in enumerate(context.entry.signatures):
        if signature.evidence == "reproduced" and reproduce is None:
            yield Finding(
                ("signatures", index, "evidence"),
                "'reproduced' needs a script that prints the text, named under 'reproduce'; "
                "write 'source' or 'report' where there is none",
            )


def _aliases_are_unique(context: AllContext) -> Iterator[Finding]:
    first: dict[str, str] = {}
    for entry in context.encyclopedia.entries.values():
        for index, alias in enumerate(entry.aliases):
            message = ""
            if alias == entry.id:
                message = f"{quote(alias)} is this entry's id; an alias is a former id"
            elif alias in context.ids:
                message = f"{quote(alias)} is the id of another entry; an alias is a former id"
            elif first.setdefault(alias, entry.path) != entry.path:
                other = context.names.get(first[alias], first[alias])
                message = f"{quote(alias)} is an alias in {other} too; only one can redirect"
            if message:
                yield Finding(("aliases", index), message, entry=entry)


ENTRY_RULES = (
    EntryRule("id-equals-file-name", "An entry's id is its file name.", _id_is_file_name),
    EntryRule(
        "folder-equals-category", "An entry stands in the folder of its category.",
        _folder_is_category,
    ),
    EntryRule("unknown-category", "The category is in taxonomy.yml.", _category_is_known),
    EntryRule("unknown-system", "Each system is in taxonomy.yml, once.", _systems_are_known),
    EntryRule("unknown-phase", "Each phase is in taxonomy.yml.", _phases_are_known),
    EntryRule("unknown-tag", "Each tag is in taxonomy.yml.", _tags_are_known),
    EntryRule("review-date", "The review date is a day of the calendar.", _date_is_real),
    EntryRule(
        "reproduce-files",
        "Script and output of a reproduction stand beside the entry; 'reproduced' has a script.",
        _files_stand_beside,
    ),
)  # fmt: skip

ALL_RULES = (
    AllRule("alias-clash", "An alias is nobody's id and nobody else's alias.", _aliases_are_unique),
)
