"""What a rule is: data with a check. A rule knows entries, not files; places come later."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from generator.load import Document, TreePath
from generator.model import Encyclopedia, Entry, Taxonomy


@dataclass(frozen=True, slots=True)
class Finding:
    """What a rule found.

    Attributes:
        path: keys and indices to the value that is meant.
        message: what is wrong and what would be right, in one line.
        offset: 0-based character inside a text value, None for the value itself.
        entry: the entry that is meant; only rules over all entries set it.
    """

    path: TreePath
    message: str
    offset: int | None = None
    entry: Entry | None = None


@dataclass(frozen=True, slots=True)
class EntryContext:
    """What a rule over one entry may look at."""

    entry: Entry
    document: Document
    taxonomy: Taxonomy


@dataclass(frozen=True, slots=True)
class AllContext:
    """What a rule over all entries may look at.

    Attributes:
        encyclopedia: the entries that are valid by themselves.
        ids: every id that an entry has or, where its file has problems, would have.
        names: the file of each entry as problems name it, by `Entry.path`.
    """

    encyclopedia: Encyclopedia
    ids: frozenset[str]
    names: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class EntryRule:
    """A rule that needs one entry and the taxonomy."""

    scope: ClassVar[str] = "entry"
    name: str
    description: str
    check: Callable[[EntryContext], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class AllRule:
    """A rule that needs all entries."""

    scope: ClassVar[str] = "encyclopedia"
    name: str
    description: str
    check: Callable[[AllContext], Iterable[Finding]]


Rule = EntryRule | AllRule
