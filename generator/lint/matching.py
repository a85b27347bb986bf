"""Rules about what the matcher finds in samples: each shows its own failure, and no other's.

They need the compiled index and read every sample with it, so they are not among the rules
that a build or the preview applies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from generator.diagnose import Matcher, paste
from generator.diagnose.answer import Gathered
from generator.diagnose.events import Event
from generator.diagnose.incident import gather
from generator.lint.rule import Finding
from generator.load import quote
from generator.model import Encyclopedia, Entry
from generator.signatures import TemplateError, parse_condition, parse_template
from generator.signatures.compile import compile_index

#: What is reported, by rule name; the last does no harm and is a warning.
MATCHING_RULES = {
    "sample-finds-entry": "The matcher finds a sample's own entry in it.",
    "signature-takes-sample": "No signature claims another entry's sample for certain.",
    "signature-shares-sample": "Entries whose texts stand in one sample name each other.",
}
WARNINGS = frozenset({"signature-shares-sample"})


@dataclass(frozen=True, slots=True)
class _Sample:
    """A sample as the matcher sees it; `place` is its number."""

    entry: Entry
    place: int
    gathered: Gathered


class _Checker:
    def __init__(self, encyclopedia: Encyclopedia, names: Mapping[str, str]) -> None:
        self._entries = encyclopedia.entries
        self._names = names
        self._matcher = Matcher(compile_index(encyclopedia))
        self._ids: list[str] = [entry["id"] for entry in self._matcher.index["entries"]]
        # Signatures that cannot be compiled were reported and are not in the index.
        self._places = [
            (id_, place) for id_ in self._ids for place in _compiled(self._entries[id_])
        ]

    def samples(self) -> Iterator[_Sample]:
        for entry in self._entries.values():
            if len(list(_compiled(entry))) < len(entry.signatures) or not entry.signatures:
                continue  # then a sample is not to blame
            for place, sample in enumerate(entry.samples):
                gathered = gather([paste(sample.log)], self._matcher, entry.id)
                yield _Sample(entry, place, gathered)

    def check(self, sample: _Sample) -> Iterator[tuple[str, Finding]]:
        certain = [
            self._ids[standing.entry] for standing in sample.gathered.standings if standing.certain
        ]
        events = self._events(sample)
        own = sample.entry.id
        if own not in events:
            yield from self._lost(sample, certain)
        first = certain[0] if certain else own
        for id_, event in events.items():
            if id_ == own or self._related(own, id_):
                continue
            if id_ in certain and first != own:
                yield "signature-takes-sample", self._taken(sample, event)
            elif first != own or not event.certain:
                yield "signature-shares-sample", self._shared(sample, event)

    def _events(self, sample: _Sample) -> dict[str, Event]:
        """Return the best event of each entry that has one which is neither failed nor context."""
        found: dict[str, Event] = {}
        for event in sorted(sample.gathered.events, key=lambda event: not event.certain):
            if event.pattern >= self._matcher.with_start or event.failed or event.cut:
                continue
            if self._matcher.index["signatures"][event.pattern]["role"] != "context":
                found.setdefault(self._places[event.pattern][0], event)
            elif self._places[event.pattern][0] == sample.entry.id:
                found.setdefault(sample.entry.id, event)
        return found

    def _lost(self, sample: _Sample, certain: Sequence[str]) -> Iterator[tuple[str, Finding]]:
        own = sample.entry
        leads_to = {relation.id for relation in own.relations.leads_to}
        if certain and leads_to.issuperset(certain):
            return  # it shows what the failure makes others report
        message = "the matcher finds no signature of this entry in the sample"
        if certain:
            message += f"; it takes it for {quote(certain[0])}, whose text there is longer"
        yield (
            "sample-finds-entry",
            Finding(
                ("samples", sample.place, "log"),
                f"{message}; lengthen this entry's signature, or add the line that tells",
                entry=own,
            ),
        )

    def _related(self, one: str, other: str) -> bool:
        return any(
            relation.id == there
            for here, there in ((one, other), (other, one))
            for relation in (
                *self._entries[here].relations.leads_to,
                *self._entries[here].relations.mistaken_for,
            )
        )

    def _taken(self, sample: _Sample, event: Event) -> Finding:
        return self._of_signature(
            event,
            f"claims sample {sample.place} of {quote(sample.entry.id)} "
            f"({self._name(sample.entry)}) for certain; make it longer, not specific or bound "
            "to a 'when', or name that entry under leads_to or mistaken_for",
        )

    def _shared(self, sample: _Sample, event: Event) -> Finding:
        return self._of_signature(
            event,
            f"stands in sample {sample.place} of {quote(sample.entry.id)} "
            f"({self._name(sample.entry)}) too; name that entry under mistaken_for or leads_to",
        )

    def _of_signature(self, event: Event, message: str) -> Finding:
        id_, place = self._places[event.pattern]
        own = f"{quote(id_)} {message}"
        return Finding(("signatures", place, "match"), own, entry=self._entries[id_])

    def _name(self, entry: Entry) -> str:
        return self._names.get(entry.path, entry.path)


def matching_findings(
    encyclopedia: Encyclopedia, names: Mapping[str, str]
) -> Iterator[tuple[str, Finding]]:
    """Yield what the matcher finds wrong with samples, each with its rule's name.

    Args:
        encyclopedia: the entries.
        names: the file of each entry as problems name it, by `Entry.path`.
    """
    checker = _Checker(encyclopedia, names)
    seen: set[tuple[str, str, object]] = set()
    for sample in checker.samples():
        for rule, finding in checker.check(sample):
            # One report of a pair is enough.
            about = finding.entry.id if finding.entry else ""
            key = (rule, about, (sample.entry.id, finding.path))
            if key not in seen:
                seen.add(key)
                yield rule, finding


def _compiled(entry: Entry) -> Iterator[int]:
    """Yield the places of the signatures that the index holds."""
    for place, signature in enumerate(entry.signatures):
        try:
            template = parse_template(signature.match, whole_line=signature.whole_line)
            if signature.when:
                parse_condition(signature.when, template)
            if signature.with_:
                parse_template(signature.with_)
        except TemplateError:
            continue
        yield place
