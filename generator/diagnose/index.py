"""The index as the matcher uses it: patterns compiled once, everything else as it stands."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.diagnose.patterns import Pattern
from generator.diagnose.prefixes import Prefixes
from generator.diagnose.scan import Scanner
from generator.model import FaultbookError
from generator.signatures.expand import VERSION, Index, expand
from generator.signatures.words import words_of

#: Characters at a line's start that are weighed: long lines are dumps of settings.
WEIGHED = 200
#: ASCII capitals to small letters; other letters differ between languages.
_SMALL = {code: code + 32 for code in range(65, 91)}
#: Weight of a line of words that tells nothing in particular.
ORDINARY = 2
#: Weights of lines that are remembered.
_WEIGHTS_HELD = 20_000


class IndexFileError(FaultbookError):
    """An index file cannot be used."""


@dataclass(slots=True)
class Matcher:
    """A compiled index.

    Attributes:
        index: the index as plain data; as it is published or, then, as `expand` gives it.
        patterns: signatures, then `with` templates, then signals, in the index' order.
        signature_words: the different words of each signature.
        background: words that healthy runs print.
        holders: the signatures that hold a word.
        rarity: sum of the rarities of each signature's words.
        line_weights: expressions or small-letter texts, tried in order, with weights and
            whether they count in the message alone.
        file_origins: what names of files say, tried in order.
        leads_to: for each entry those that it leads to.
        consequences: entries that are reports about other failures.
    """

    index: Index
    patterns: tuple[Pattern, ...] = ()
    signature_words: tuple[frozenset[str], ...] = ()
    holders: dict[str, list[int]] = field(default_factory=dict)
    background: frozenset[str] = frozenset()
    rarity: list[int] = field(default_factory=list)
    line_weights: tuple[tuple[re.Pattern[str] | tuple[str, ...], int, bool], ...] = ()
    file_origins: tuple[tuple[re.Pattern[str], list[str]], ...] = ()
    leads_to: tuple[frozenset[int], ...] = ()
    consequences: frozenset[int] = frozenset()
    prefixes: Prefixes = field(init=False)
    scanner: Scanner = field(init=False)
    heads: Scanner = field(init=False)
    _exception: re.Pattern[str] = field(init=False)
    _weights: dict[tuple[str, bool], int] = field(default_factory=dict)
    with_start: int = 0
    signal_start: int = 0

    def __post_init__(self) -> None:
        index = self.index = expand(self.index)
        known = index["knowledge"]
        records = [*index["signatures"], *index["withs"], *index["signals"]]
        self.with_start = len(index["signatures"])
        self.signal_start = self.with_start + len(index["withs"])
        self.patterns = tuple(Pattern(record, known["classes"]) for record in records)
        self.signature_words = tuple(
            frozenset(
                word for part in record["parts"] if isinstance(part, str) for word in words_of(part)
            )
            for record in index["signatures"]
        )
        self.line_weights = tuple(
            (
                re.compile(rule["regex"], re.ASCII) if "regex" in rule else tuple(rule["words"]),
                rule["weight"],
                rule.get("message_only", False),
            )
            for rule in known["lines"]
        )
        self.file_origins = tuple(
            (re.compile(one["regex"], re.ASCII), one["groups"]) for one in known["file_origins"]
        )
        terms = index["terms"]
        holders: dict[str, list[int]] = {}
        for at, words in enumerate(self.signature_words):
            if index["signatures"][at].get("role") == "context":
                # It stands in healthy logs, too: its words are no sign of the failure.
                continue
            for word in words:
                holders.setdefault(word, []).append(at)
        self.holders = holders
        self.background = frozenset(index["background"])
        self.rarity = [
            sum(terms[word][0] for word in words if word in terms) for words in self.signature_words
        ]
        self.leads_to = tuple(frozenset(entry["leads_to"]) for entry in index["entries"])
        self.consequences = frozenset(
            at for at, entry in enumerate(index["entries"]) if entry.get("role") == "consequence"
        )
        self._exception = re.compile(known["exception_line"], re.ASCII)
        self.prefixes = Prefixes(known)
        self.scanner = Scanner([(one.anchor, one.ignore_case) for one in self.patterns])
        self.heads = Scanner([(one.head or "", False) for one in self.patterns[: self.with_start]])

    def size_of(self, pattern: int, cut: int) -> int:
        """Return how many literal bytes of a pattern were printed."""
        return cut or self.patterns[pattern].size

    def is_traceback(self, pattern: int) -> bool:
        """Whether a pattern is the first line of a traceback."""
        at = pattern - self.signal_start
        return at >= 0 and self.index["signals"][at]["kind"] == "traceback"

    def is_exception(self, text: str) -> bool:
        """Whether a message is the last line of a traceback."""
        return self._exception.match(text) is not None

    def line_weight(self, message: str, raw: str = "") -> int:
        """Return how much a line says about a failure, 0 for nothing.

        Args:
            message: the line without prefixes.
            raw: the line with them: its level tells, too.
        """
        weight = self._weigh(message[:WEIGHED])
        if weight == ORDINARY:
            return self._weigh(raw[:WEIGHED], with_prefixes=True) or weight
        return weight

    def _weigh(self, text: str, *, with_prefixes: bool = False) -> int:
        # Ranks print the same lines.
        key = (text, with_prefixes)
        weight = self._weights.get(key)
        if weight is None:
            if len(self._weights) >= _WEIGHTS_HELD:
                self._weights.clear()
            weight = self._weights[key] = self._weigh_anew(text, with_prefixes=with_prefixes)
        return weight

    def _weigh_anew(self, text: str, *, with_prefixes: bool) -> int:
        small = ""
        for rule, weight, message_only in self.line_weights:
            if message_only and with_prefixes:
                continue
            if isinstance(rule, re.Pattern):
                if rule.search(text):
                    return weight
                continue
            small = small or text.translate(_SMALL)
            if any(word in small for word in rule):
                return weight
        return 0

    @property
    def knowledge(self) -> Mapping[str, Any]:
        """What the index knows beside the entries."""
        known: Mapping[str, Any] = self.index["knowledge"]
        return known

    def entry_of(self, signature: int) -> int:
        """Return the entry, by its place, that a signature belongs to."""
        at: int = self.index["signatures"][signature]["entry"]
        return at


def read_index(path: Path) -> Index:
    """Read an index file.

    Raises:
        IndexFileError: it is missing, no JSON, or of another version.
    """
    try:
        index = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise IndexFileError(f"{path}: cannot be read as an index: {error}") from None
    if not isinstance(index, dict) or index.get("schema") != VERSION:
        raise IndexFileError(f"{path}: is no index of version {VERSION}; build it again")
    return index
