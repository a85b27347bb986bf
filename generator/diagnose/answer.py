"""Everything that was gathered to the answer: findings, suggestions, what is missing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from generator.diagnose.commands import fill
from generator.diagnose.events import Event, ExceptionLine
from generator.diagnose.index import Matcher
from generator.diagnose.ranking import Standing, is_faint
from generator.diagnose.report import (
    Finding,
    First,
    Missing,
    Next,
    Report,
    Role,
    Scanned,
    Step,
    Suggestion,
    Verdict,
)
from generator.diagnose.sights import Origins, Sight, number, sights_of
from generator.diagnose.times import shown
from generator.diagnose.verdict import Scene, first_failed, signal_of, who

#: Kinds of sights that speak of a failure.
_TROUBLE = frozenset({"host-cause", "initiating", "consequence", "exception", "own", "killed"})
MOST_FINDINGS = 200
MOST_SUGGESTIONS = 10
#: Guesses that are shown; a guess has at least this part of the best score.
MOST_GUESSES = 5
LEAST_SHARE = 5


@dataclass(frozen=True, slots=True)
class Gathered:
    """What reading and matching found out; see `incident`."""

    name: str
    files: Sequence[str]
    origins: Sequence[Mapping[str, str]]
    events: Sequence[Event]
    exceptions: Sequence[ExceptionLine]
    standings: Sequence[Standing]
    tails: Sequence[Sequence[str]]
    lines: int
    bytes: int
    ranks: frozenset[int]
    one_node: bool
    whole: bool


def answer(gathered: Gathered, matcher: Matcher) -> Report:
    """Return the answer to what was gathered."""
    origins = Origins(gathered.origins, matcher, one_node=gathered.one_node)
    clear = [
        event
        for event in gathered.events
        if event.pattern >= matcher.signal_start or not is_faint(event, whole=gathered.whole)
    ]
    sights = sights_of(clear, gathered.exceptions, origins, matcher)
    printed = {sight.printed_on for sight in sights if sight.printed_on is not None}
    speaks = gathered.whole or any(sight.kind in _TROUBLE for sight in sights)
    named = _named(gathered, matcher) if speaks else frozenset()
    scene = Scene(sights, gathered.ranks | printed, matcher, named)
    first = first_failed(scene)
    findings = _findings(gathered, sights, first, matcher)
    suggestions = _suggestions(gathered, matcher)
    verdict = _verdict(gathered, findings, suggestions, first, scene)
    return Report(
        input=gathered.name,
        verdict=verdict,
        findings=findings,
        first=first,
        suggestions=suggestions,
        missing=_missing(scene, findings, first, gathered),
        next=_next(gathered, findings, suggestions, matcher),
        scanned=Scanned(
            len(gathered.files), gathered.lines, gathered.bytes, tuple(sorted(scene.ranks))
        ),
    )


def template_text(record: Mapping[str, Any]) -> str:
    """Return a signature as a contributor writes it."""
    return "".join(
        part.replace("<", "\\<") if isinstance(part, str) else f"<{':'.join(part)}>"
        for part in record["parts"]
    )


def _named(gathered: Gathered, matcher: Matcher) -> frozenset[int]:
    """Return the ranks that the last lines and all events name anywhere."""
    expression = re.compile(matcher.knowledge["named_rank"], re.ASCII)
    texts = [line for tail in gathered.tails for line in tail]
    texts += [event.text for event in gathered.events]
    found = (number(one[1]) for text in texts for one in expression.finditer(text))
    return frozenset(rank for rank in found if rank is not None)


# --- findings --------------------------------------------------------------


def _findings(
    gathered: Gathered, sights: Sequence[Sight], first: Sequence[First], matcher: Matcher
) -> tuple[Finding, ...]:
    by_entry: dict[int, list[Sight]] = {}
    for sight in sights:
        if sight.entry is not None and sight.certain:
            by_entry.setdefault(sight.entry, []).append(sight)
    findings: list[Finding] = []
    for standing in gathered.standings:
        if not standing.certain:
            break
        findings += _of_entry(standing, by_entry[standing.entry], gathered, first, matcher)
    return tuple(findings[:MOST_FINDINGS])


def _of_entry(
    standing: Standing,
    sights: Sequence[Sight],
    gathered: Gathered,
    first: Sequence[First],
    matcher: Matcher,
) -> list[Finding]:
    best: dict[tuple[int | None, str | None], Sight] = {}
    for sight in sights:
        held = best.get(sight.subject)
        if held is None or _size(sight, matcher) > _size(held, matcher):
            best[sight.subject] = sight
    named = {subject for one in first if one.certainty == "certain" for subject in _names(one)}
    findings = []
    for subject, sight in sorted(
        best.items(), key=lambda item: (item[0] not in named, item[1].file, item[1].line)
    ):
        event = sight.event
        assert event is not None
        record = matcher.index["signatures"][event.pattern]
        findings.append(
            Finding(
                id=matcher.index["entries"][standing.entry]["id"],
                role=_role(standing, sight, subject in named, matcher),
                rank=sight.rank,
                printed_on=sight.printed_on,
                node=sight.node,
                time=shown(event.fields),
                file=gathered.files[event.file],
                line=event.line,
                text=event.text,
                signature=template_text(record),
                captures=event.captures,
                why=_why(standing, event, record, matcher),
            )
        )
    return findings


def _size(sight: Sight, matcher: Matcher) -> int:
    return matcher.patterns[sight.event.pattern].size if sight.event else 0


def _names(first: First) -> list[tuple[int | None, str | None]]:
    names: list[tuple[int | None, str | None]] = []
    if first.rank is not None:
        names.append((first.rank, None))
    if first.node is not None:
        names.append((None, first.node))
    return names


def _role(standing: Standing, sight: Sight, is_first: bool, matcher: Matcher) -> Role:
    if standing.explained_by is not None or sight.kind == "consequence":
        return "collateral"
    return "initiator" if is_first else "candidate"


def _why(standing: Standing, event: Event, record: Mapping[str, Any], matcher: Matcher) -> str:
    entries = matcher.index["entries"]
    reasons = []
    if event.reasons:
        note = f". {record['note']}" if "note" in record else ""
        reasons.append(f"its condition holds: {' and '.join(event.reasons)}{note}")
    elif "with" in record:
        company = template_text(matcher.index["withs"][record["with"]])
        reasons.append(f"shared text, decided by company: '{company}' stands in the same incident")
    else:
        reasons.append("this text alone points here")
    if standing.explained_by is not None:
        reasons.append(f"explained by {entries[standing.explained_by]['id']}, which leads to it")
    return "; ".join(reasons)


# --- suggestions -----------------------------------------------------------


def _suggestions(gathered: Gathered, matcher: Matcher) -> tuple[Suggestion, ...]:
    entries = matcher.index["entries"]
    # Beside what was really printed a faint guess only distracts.
    best = max((standing.score for standing in gathered.standings), default=0)
    least = max(matcher.knowledge["weights"]["least_guess"], best // LEAST_SHARE)
    found: list[Suggestion] = []
    rest = [standing for standing in gathered.standings if not standing.certain]
    for standing in [one for one in rest if one.matched][:MOST_SUGGESTIONS]:
        event = standing.best
        found.append(
            Suggestion(
                id=entries[standing.entry]["id"],
                score=standing.score,
                matched=True,
                line=event.line if event else None,
                text=event.text if event else None,
                why=_shared_with(standing, gathered.standings, matcher),
            )
        )
    guesses = [one for one in rest if not one.matched and one.score >= least][:MOST_GUESSES]
    for standing in guesses:
        why = "a guess by its words: no text of this entry was printed"
        found.append(
            Suggestion(entries[standing.entry]["id"], standing.score, False, None, None, why)
        )
    return tuple(found)


def _shared_with(standing: Standing, others: Sequence[Standing], matcher: Matcher) -> str:
    """Say what else prints the same text, and what would decide."""
    entries = matcher.index["entries"]
    event = standing.best
    if standing.explained_by is not None:
        return f"explained by {entries[standing.explained_by]['id']}, which leads to it"
    if event is None:
        return "its text is shared with other failures"
    same = [
        entries[other.entry]["id"]
        for other in others
        if other.matched
        and other is not standing
        and any((one.file, one.line) == (event.file, event.line) for one in other.events)
    ]
    why = "its text is shared with other failures"
    if same:
        why += f", here with {', '.join(same[:4])}"
    record = matcher.index["signatures"][event.pattern]
    if "with" in record:
        company = template_text(matcher.index["withs"][record["with"]])
        why += f"; '{company}' in the same incident would decide for it"
    return why


# --- verdict ---------------------------------------------------------------


def _verdict(
    gathered: Gathered,
    findings: Sequence[Finding],
    suggestions: Sequence[Suggestion],
    first: Sequence[First],
    scene: Scene,
) -> Verdict:
    if any(one.certainty == "certain" for one in first):
        return "initiator"
    if first:
        return "candidates"
    if findings:
        if all(finding.role == "collateral" for finding in findings):
            return "collateral-only"
        several = len(scene.ranks) > 1 or bool(scene.views)
        # Where nothing speaks of other ranks, the process's own failure is the first.
        return "not-enough-evidence" if several else "initiator"
    if any(suggestion.matched for suggestion in suggestions):
        return "candidates"
    if gathered.exceptions or scene.views:
        return "not-enough-evidence" if scene.views else "unknown"
    ends = [re.compile(text, re.ASCII) for text in scene.matcher.knowledge["endings"]]
    ended = any(end.search(line) for tail in gathered.tails for line in tail for end in ends)
    return "healthy" if ended else "unknown"


def _missing(
    scene: Scene,
    findings: Sequence[Finding],
    first: Sequence[First],
    gathered: Gathered,
) -> tuple[Missing, ...]:
    texts: Mapping[str, Mapping[str, str]] = scene.matcher.knowledge["missing"]
    wanted: dict[str, str] = {}
    decided = any(one.certainty == "certain" for one in first)
    suspects = [who(one.rank, one.node) for one in first]
    if scene.views and not decided:
        silent = [
            who(one.rank, one.node)
            for one in first
            if one.rank is None or one.rank not in scene.ranks
        ]
        wanted["other-ranks"] = ", ".join(silent or suspects) or "the ranks that are not here"
        if any(_is_timeout(sight) for sight in scene.sights):
            wanted["stacks"] = ""
    killed = [sight for sight in scene.sights if signal_of(sight, scene.matcher) == 9]
    if killed and not any(
        sight.kind == "host-cause" and sight.certain and sight.event is not killed[0].event
        for sight in scene.sights
    ):
        wanted["kernel-log"] = who(killed[0].rank, killed[0].node)
    launcher = any(sight.kind.startswith(("exited", "first-observed")) for sight in scene.sights)
    if launcher and not any(sight.kind in ("exception", "initiating") for sight in scene.sights):
        wanted["traceback"] = ""
    return tuple(
        Missing(texts[key]["what"].format(who=about), texts[key]["why"], texts[key]["run"])
        for key, about in wanted.items()
    )


def _is_timeout(sight: Sight) -> bool:
    return (
        sight.kind == "consequence"
        and bool(sight.event)
        and (
            "ran_ms" in sight.event.captures or "last_enqueued" in sight.event.captures
            if sight.event
            else False
        )
    )


# --- next ------------------------------------------------------------------


def _next(
    gathered: Gathered,
    findings: Sequence[Finding],
    suggestions: Sequence[Suggestion],
    matcher: Matcher,
) -> Next | None:
    """Return how to confirm and to fix the best answer that has a text for it."""
    texts = matcher.index["texts"]
    matched = [one.id for one in suggestions if one.matched]
    for id_ in [*(finding.id for finding in findings), *matched]:
        known = texts.get(id_, {})
        confirm, fix = known.get("confirm"), known.get("fix")
        if confirm:
            values = _values(id_, gathered, findings, matcher)
            return Next(
                id_,
                confirm["step"],
                fill(confirm["run"], values),
                Step(fix["step"], fill(fix["run"], values)) if fix else None,
            )
    return None


def _values(
    id_: str, gathered: Gathered, findings: Sequence[Finding], matcher: Matcher
) -> dict[str, str]:
    """Return what the log says for the variables of an entry's commands.

    What is said twice counts as it was said first, in the findings before other lines.
    """
    values: dict[str, str] = {}

    def add(said: Mapping[str, str | None]) -> None:
        for name, value in said.items():
            if value:
                values.setdefault(name, value)

    for finding in findings:
        if finding.id == id_:
            add(finding.captures)
            rank = None if finding.rank is None else str(finding.rank)
            add({"rank": rank, "node": finding.node, "log": finding.file})
    entries = matcher.index["entries"]
    for standing in gathered.standings:
        if entries[standing.entry]["id"] == id_:
            for event in (*([standing.best] if standing.best else []), *standing.events):
                add({**event.fields, **event.captures, "log": gathered.files[event.file]})
    return values
