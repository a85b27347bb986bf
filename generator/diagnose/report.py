"""The answer as plain data, in the shape that the command prints and the browser returns."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Verdict = Literal[
    "initiator", "candidates", "collateral-only", "not-enough-evidence", "unknown", "healthy"
]
Role = Literal["initiator", "candidate", "collateral", "context"]

#: Version of the answer's shape.
SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Finding:
    """A certain match. `rank` is the rank that the text is about, `printed_on` printed it."""

    id: str
    role: Role
    rank: int | None
    printed_on: int | None
    node: str | None
    time: str | None
    file: str
    line: int
    text: str
    signature: str
    captures: dict[str, str]
    why: str


@dataclass(frozen=True, slots=True)
class First:
    """Who failed first, by which rule; rank, node or both are known."""

    rank: int | None
    node: str | None
    certainty: Literal["certain", "suspect"]
    rule: int
    why: str


@dataclass(frozen=True, slots=True)
class Suggestion:
    """An entry that may fit: a candidate where `matched`, else a guess by its words."""

    id: str
    score: int
    matched: bool
    line: int | None
    text: str | None
    why: str


@dataclass(frozen=True, slots=True)
class Missing:
    """What to fetch, why, and with which command."""

    what: str
    why: str
    run: str


@dataclass(frozen=True, slots=True)
class Step:
    """What to do, and the command for it, empty where there is none."""

    step: str
    run: str


@dataclass(frozen=True, slots=True)
class Next:
    """The step that confirms the best answer, and the one that fixes it."""

    id: str
    step: str
    run: str
    fix: Step | None = None


@dataclass(frozen=True, slots=True)
class Scanned:
    files: int
    lines: int
    bytes: int
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """The whole answer for one incident."""

    input: str
    verdict: Verdict
    findings: tuple[Finding, ...]
    first: tuple[First, ...]
    suggestions: tuple[Suggestion, ...]
    missing: tuple[Missing, ...]
    next: Next | None
    scanned: Scanned

    def data(self) -> dict[str, Any]:
        """Return the answer as JSON-ready data."""
        data = {"schema": SCHEMA, **asdict(self)}
        data["scanned"]["ranks"] = list(self.scanned.ranks)
        for key in ("findings", "first", "suggestions", "missing"):
            data[key] = list(data[key])
        if data["next"] and data["next"]["fix"] is None:
            del data["next"]["fix"]
        return data
