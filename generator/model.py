"""The records that every other module hands on: entries, taxonomy, problems.

All records are frozen; collections are tuples. Prose fields hold Markdown
without HTML, except `title` and `summary`, which are plain text.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Severity = Literal["critical", "high", "medium", "low"]
Evidence = Literal["reproduced", "source", "report"]
LayerKind = Literal["hardware", "driver", "configuration", "code", "data", "environment"]
SignatureRole = Literal["host-cause", "initiating", "consequence", "context"]
ReferenceKind = Literal["docs", "source", "issue", "paper", "post"]

#: Most urgent first; the order of lists and facets.
SEVERITIES: tuple[Severity, ...] = ("critical", "high", "medium", "low")
#: Strongest first; an entry's evidence is the strongest of its signatures.
EVIDENCE: tuple[Evidence, ...] = ("reproduced", "source", "report")


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """One thing that is wrong in one file; the only message record of the project.

    Attributes:
        path: file as the user named it, relative where possible.
        line: 1-based line, 0 when the file as a whole is meant.
        column: 1-based column in characters, 0 when the line as a whole is meant.
        field: dotted place in the document (`confirm.2.run`), empty at the top.
        message: what is wrong and what would be right, in one line.
        rule: name of the check that speaks, for example `schema` or `unknown-tag`.
    """

    path: str
    line: int
    column: int
    field: str
    message: str
    rule: str

    def __str__(self) -> str:
        place = self.path
        if self.line:
            place += f":{self.line}"
            if self.column:
                place += f":{self.column}"
        subject = f"{self.field}: " if self.field else ""
        return f"{place}: {subject}{self.message} [{self.rule}]"


class FaultbookError(Exception):
    """Base of every error that a user can cause; its text is shown without a traceback."""


class ProblemsError(FaultbookError):
    """Raised at an edge (build, export) when entries have problems that stop it."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        self.problems = problems
        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        super().__init__("\n".join([*map(str, problems), f"{count}; nothing was written"]))


# --- entry -----------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Layer:
    kind: LayerKind
    why: str


@dataclass(frozen=True, slots=True)
class SystemUse:
    """A system that the failure is seen in; `how` says what is particular there."""

    id: str
    how: str = ""


@dataclass(frozen=True, slots=True)
class PrintedBy:
    """Who prints a signature: program, place in its source or manual, versions."""

    program: str
    where: str
    versions: str = ""
    url: str = ""


@dataclass(frozen=True, slots=True)
class Signature:
    match: str
    printed_by: PrintedBy
    specific: bool
    evidence: Evidence
    ignore_case: bool = False
    whole_line: bool = False
    when: str = ""
    with_: str = ""
    role: SignatureRole | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Symptom:
    sign: str
    why: str


@dataclass(frozen=True, slots=True)
class Observe:
    what: str
    onset: str = ""


@dataclass(frozen=True, slots=True)
class Cause:
    cause: str
    tell: str


@dataclass(frozen=True, slots=True)
class ConfirmStep:
    step: str
    run: str = ""
    expect: str = ""
    rules_out: tuple[str, ...] = ()
    cheapest: bool = False


@dataclass(frozen=True, slots=True)
class FixStep:
    step: str
    run: str = ""
    verify: str = ""


@dataclass(frozen=True, slots=True)
class CodeExample:
    title: str
    language: str
    code: str
    why: str
    stack: str = ""


@dataclass(frozen=True, slots=True)
class Reproduction:
    """How the failure is made: a script beside the entry and what it needs."""

    script: str
    needs: str = ""
    exit: int | None = None
    output: str = ""
    versions: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Sample:
    title: str
    log: str


@dataclass(frozen=True, slots=True)
class Effort:
    """Minutes as (least, most)."""

    confirm_minutes: tuple[int, int]
    fix_minutes: tuple[int, int]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Scale:
    one_gpu: str = ""
    one_node: str = ""
    many_nodes: str = ""


@dataclass(frozen=True, slots=True)
class Monitor:
    signal: str
    query: str
    kind: str


@dataclass(frozen=True, slots=True)
class Perspectives:
    executive: str = ""
    engineer: str = ""
    on_call: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed link; `text` is the how, the tell-apart or the why of it."""

    id: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Relations:
    leads_to: tuple[Relation, ...] = ()
    mistaken_for: tuple[Relation, ...] = ()
    see_also: tuple[Relation, ...] = ()


@dataclass(frozen=True, slots=True)
class Reference:
    title: str
    url: str
    kind: ReferenceKind
    supports: str


@dataclass(frozen=True, slots=True)
class Reviewed:
    date: str
    versions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One failure, as its YAML file states it.

    `path` is the file relative to the entries folder (`storage/x.yml`).
    """

    path: str
    id: str
    title: str
    category: str
    severity: Severity
    tags: tuple[str, ...]
    systems: tuple[SystemUse, ...]
    phases: tuple[str, ...]
    summary: str
    symptoms: tuple[Symptom, ...]
    mechanism: str
    causes: tuple[Cause, ...]
    confirm: tuple[ConfirmStep, ...]
    fix: tuple[FixStep, ...]
    references: tuple[Reference, ...]
    reviewed: Reviewed
    aliases: tuple[str, ...] = ()
    silent: bool = False
    layer: Layer | None = None
    signatures: tuple[Signature, ...] = ()
    observe: Observe | None = None
    prevent: tuple[FixStep, ...] = ()
    code: tuple[CodeExample, ...] = ()
    reproduce: Reproduction | None = None
    samples: tuple[Sample, ...] = ()
    effort: Effort | None = None
    scale: Scale | None = None
    recurrence: str = ""
    monitor: tuple[Monitor, ...] = ()
    perspectives: Perspectives | None = None
    faq: tuple[Question, ...] = ()
    relations: Relations = Relations()

    @property
    def evidence(self) -> Evidence | None:
        """The strongest evidence of any signature, None for a silent failure."""
        stated = {signature.evidence for signature in self.signatures}
        return next((grade for grade in EVIDENCE if grade in stated), None)

    @property
    def cheapest(self) -> ConfirmStep:
        """The confirming step to try first: the marked one, else the first with a command."""
        marked = next((step for step in self.confirm if step.cheapest), None)
        return marked or next((step for step in self.confirm if step.run), self.confirm[0])


# --- taxonomy --------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Category:
    id: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class System:
    """A program, library, platform or device; `issues` is its public issue search page.

    `issues` holds `{query}` where the URL-encoded text goes, or is empty.
    """

    id: str
    title: str
    description: str = ""
    issues: str = ""
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Phase:
    id: str
    title: str
    description: str


@dataclass(frozen=True, slots=True)
class Tag:
    id: str
    title: str
    description: str
    synonyms: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The controlled words; each mapping is by id, in the order of taxonomy.yml."""

    categories: Mapping[str, Category]
    systems: Mapping[str, System]
    phases: Mapping[str, Phase]
    tags: Mapping[str, Tag]


@dataclass(frozen=True, slots=True)
class Encyclopedia:
    """All entries by id (sorted) with their taxonomy.

    `root` is the entries folder.
    """

    root: Path
    taxonomy: Taxonomy
    entries: Mapping[str, Entry] = field(default_factory=dict)
