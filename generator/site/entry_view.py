"""What an entry's page shows beyond the entry's own fields."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from urllib.parse import quote_plus

from generator.model import Entry, Signature, Taxonomy
from generator.signatures import parse_template
from generator.signatures.grep import grep_command
from generator.signatures.template import Literal, Placeholder, Template

#: Sections of an entry's page in their order: anchor and title. Anchors are
#: permanent; a renamed one stays in SECTION_ALIASES.
SECTIONS: tuple[tuple[str, str], ...] = (
    ("quick-answer", "Quick answer"),
    ("perspectives", "For your role"),
    ("what-it-is", "What it is"),
    ("observe", "What you will observe"),
    ("symptoms", "Symptoms and what they mean"),
    ("systems", "Affected systems"),
    ("mechanism", "Why it happens"),
    ("confirm", "Confirm it"),
    ("causes", "Root causes"),
    ("fix", "Fix it"),
    ("prevent", "Prevent it"),
    ("code", "Code"),
    ("signatures", "Signatures"),
    ("reproduction", "Reproduction"),
    ("scale", "From one GPU to many nodes"),
    ("monitoring", "Monitoring"),
    ("faq", "Questions"),
    ("related", "Related entries"),
    ("references", "References"),
    ("contribute", "Correct or extend this entry"),
)

#: Section anchors that were published under another name: new id to old ids.
SECTION_ALIASES: dict[str, tuple[str, ...]] = {}

_MOST_TRACKERS = 3


@dataclass(frozen=True, slots=True)
class TemplatePiece:
    """A stretch of a signature: literal text, or a placeholder as it is written."""

    text: str
    variable: bool


@dataclass(frozen=True, slots=True)
class TrackerLink:
    title: str
    url: str


@dataclass(frozen=True, slots=True)
class SignatureView:
    """A signature with what the page offers for it."""

    signature: Signature
    pieces: tuple[TemplatePiece, ...]
    grep: str
    trackers: tuple[TrackerLink, ...]


def section_ids(entry: Entry, *, has_related: bool, has_faq: bool) -> tuple[tuple[str, str], ...]:
    """Return the sections that an entry's page has, in their order.

    Args:
        entry: the entry.
        has_related: whether any other entry is related to it.
        has_faq: whether any question is answered.

    Returns:
        Pairs of anchor and title.
    """
    present = {
        "perspectives": entry.perspectives is not None,
        "observe": entry.observe is not None,
        "prevent": bool(entry.prevent or entry.recurrence),
        "code": bool(entry.code),
        "signatures": bool(entry.signatures),
        "reproduction": entry.reproduce is not None,
        "scale": entry.scale is not None,
        "monitoring": bool(entry.monitor),
        "faq": has_faq,
        "related": has_related,
    }
    return tuple((id_, title) for id_, title in SECTIONS if present.get(id_, True))


def absent_sections(sections: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    """Return the anchors of sections that an entry lacks, with all former ones.

    They stay on the page as empty targets: an entry may lose a section that turned
    out wrong, while links to it are published.
    """
    present = {id_ for id_, _ in sections}
    absent = tuple(id_ for id_, _ in SECTIONS if id_ not in present)
    return absent + tuple(old for id_ in absent for old in SECTION_ALIASES.get(id_, ()))


def step_key(text: str) -> str:
    """Return the key under which a tick is remembered.

    It follows the step's text, so that a reordered checklist keeps its ticks and
    a rewritten step loses its own.
    """
    return sha256(text.encode("utf-8")).hexdigest()[:10]


def _pieces(template: Template, text: str) -> tuple[TemplatePiece, ...]:
    return tuple(
        TemplatePiece(part.text, variable=False)
        if isinstance(part, Literal)
        else TemplatePiece(text[part.start : part.end], variable=True)
        for part in template.parts
    )


def _longest_literal(template: Template) -> str:
    literals = [part.text.strip() for part in template.parts if not isinstance(part, Placeholder)]
    return max(literals, key=len, default="")


def _trackers(entry: Entry, taxonomy: Taxonomy, text: str) -> tuple[TrackerLink, ...]:
    links: list[TrackerLink] = []
    query = quote_plus('"' + text.replace('"', " ")[:120].strip() + '"')
    for use in entry.systems:
        system = taxonomy.systems[use.id]
        if system.issues and len(links) < _MOST_TRACKERS:
            links.append(TrackerLink(system.title, system.issues.replace("{query}", query)))
    return tuple(links)


def signature_views(entry: Entry, taxonomy: Taxonomy) -> tuple[SignatureView, ...]:
    """Return an entry's signatures with their grep commands and tracker links.

    Args:
        entry: an entry whose templates were checked.
        taxonomy: names of systems and the addresses of their trackers.
    """
    views: list[SignatureView] = []
    for signature in entry.signatures:
        template = parse_template(signature.match, whole_line=signature.whole_line)
        views.append(
            SignatureView(
                signature=signature,
                pieces=_pieces(template, signature.match),
                grep=grep_command(template, ignore_case=signature.ignore_case),
                trackers=_trackers(entry, taxonomy, _longest_literal(template)),
            )
        )
    return tuple(views)
