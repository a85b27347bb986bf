"""Generated templates, logs made of them, and a deliberately simple matcher to compare with."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from generator.diagnose import Matcher
from generator.diagnose.events import Event
from generator.diagnose.prefixes import Prefixes
from generator.model import Encyclopedia, Taxonomy
from generator.signatures.compile import compile_index
from generator.signatures.expand import Index
from generator.signatures.knowledge import knowledge
from generator.signatures.pack import Pack, PackItem, PackSignature
from generator.signatures.template import check_template

#: Short and alike, so that templates overlap, begin in one another and repeat themselves.
_LITERALS = (
    *("error ", "an error of ", "aaaaaaa", "aab", " of ", ": ", "[", "] ", "/", "'", " "),
    *(
        "rank ",
        "out of memory",
        "out of ",
        "failed: ",
        "na\u00efve ",
        "\u65e5\u672c",
        "(",
        "$",
        "x",
    ),
    *("RuntimeError: ", ".*", "a+", "Killed", "ERROR", "0x", "1", ", ", "worker", "\U0001f600 "),
)
#: What placeholders take, or nearly take.
_VALUES: dict[str, tuple[str, ...]] = {
    "int": ("7", "-12", "+3", "0012", "9" * 21, "x"),
    "num": ("1.5", "-2e-3", ".5", "nan", "inf", "1.", "e5"),
    "hex": ("0xdeadbeef", "ab:cd", "C1.0", "xyz"),
    "word": ("node-3", "a", "aaaaaaa", "w" * 300, "of", "\u00fc"),
    "path": ("/a/b.py", "C:\\a", "x y", "a(b)"),
    "ip": ("10.0.0.1", "::1", "host-3.local", "fe80::1%eth0"),
    "time": ("10:02:03.5", "250 ms", "2026-01-02", "3 hours"),
    "size": ("1.70 GiB", "0 bytes", "35651584Ki", "12"),
}
_NOISE = (
    *("", " ", "step 3 loss 1.2", "\u00e9\u00e8", "aaaa", "out of", "erro", "r of", "7", "/", "\t"),
    *("\r", "[", "rank", "w" * 40, "100%|###|", "\U0001f600", "\x1b[31m", "\x1b]0;t\x07", "\0"),
)
_PREFIXES = (
    *("", "[rank{}]: ", "{}: ", "[1,{}]<stderr>:", "(Worker pid={}, ip=10.0.0.{}) ", "> "),
    *("2026-01-02T03:04:05Z node-{} app[1]: ", "node-{}:5:6 [0] ", "[pod/tr\u00e4in-{}/main] "),
)
_ENDS = ("\n", "\n", "\n", "\r\n", "\r", "\n\n")


def matcher_of(chance: Random, count: int) -> Matcher:
    """Return a matcher of generated templates: signatures only."""
    return Matcher(index_of(chance, count))


def index_of(chance: Random, count: int) -> Index:
    """Return an index of generated templates, as it is published."""
    signatures: list[PackSignature] = []
    while len(signatures) < count:
        text = _template(chance)
        # A short anchor is looked for where a line ends.
        whole_line = "<" not in text and chance.random() < 0.3
        if not check_template(text, whole_line=whole_line)[1]:
            signatures.append(
                PackSignature(text, True, chance.random() < 0.2, whole_line=whole_line)
            )
    items = tuple(
        PackItem(f"entry-{at}", "Title", "Summary.", "storage", "high", (one,), ())
        for at, one in enumerate(signatures)
    )
    index = compile_index(Encyclopedia(Path(), Taxonomy({}, {}, {}, {})), [Pack("pack", items)])
    index["signals"] = []
    return index


def _template(chance: Random) -> str:
    parts: list[str] = []
    for at in range(chance.randrange(1, 6)):
        kind = chance.choice((*_VALUES, "..."))
        if at and chance.random() < 0.7:
            named = kind != "..." and chance.random() < 0.5
            parts.append(f"<{kind}:v{at}>" if named else f"<{kind}>")
        literals = (chance.choice(_LITERALS) for _ in range(chance.randrange(1, 4)))
        parts.append("".join(literals))
    if chance.random() < 0.2:
        parts.insert(0, f"<{chance.choice(tuple(_VALUES))}>")
    # Of two blanks the index keeps one; a template is written as a plain line.
    return re.sub(" +", " ", "".join(parts))


def log_of(chance: Random, matcher: Matcher, pieces: int) -> str:
    """Return a log of printed templates, some of them broken, and noise."""
    lines: list[str] = []
    for _ in range(chance.randrange(1, pieces)):
        prefix = chance.choice(_PREFIXES).replace("{}", str(chance.randrange(4)))
        lines += [prefix, *_line(chance, matcher), chance.choice(_ENDS)]
    return "".join(lines)


def _line(chance: Random, matcher: Matcher) -> Iterator[str]:
    for _ in range(chance.randrange(1, 4)):
        if chance.random() < 0.3:
            yield chance.choice(_NOISE)
            continue
        record = chance.choice(matcher.index["signatures"])
        text = "".join(_printed(part, chance) for part in record["parts"])
        if record.get("ignore_case") and chance.random() < 0.5:
            text = text.upper()
        if chance.random() < 0.3 and text:
            start = chance.randrange(len(text))
            text = text[start:] if chance.random() < 0.5 else text[:start]
        yield text


def _printed(part: str | list[str], chance: Random) -> str:
    if isinstance(part, str):
        return part
    if part[0] == "...":
        return chance.choice((*_NOISE[:10], chance.choice(_LITERALS)))
    return chance.choice(_VALUES[part[0]])


# --- the simple matcher ----------------------------------------------------


_START = "start_of_match"


@dataclass(frozen=True, slots=True)
class Hit:
    """One pattern in one segment of a line."""

    pattern: int
    line: int
    segment: int
    start: int
    captures: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, event: Event) -> Hit:
        """Return what of an event the simple matcher knows, too."""
        captures = tuple(sorted(event.captures.items()))
        return cls(event.pattern, event.line, event.segment, event.start, captures)


def simple_hits(log: str, matcher: Matcher, *, anchored: bool = False) -> list[Hit]:
    """Search each segment of each line for each signature: no joins, no bounds.

    Args:
        log: what is searched.
        matcher: whose signatures.
        anchored: leave out what stands in a segment whose bytes do not show the anchor as it
            is, which a scan of a large file cannot see.
    """
    known = knowledge()
    expressions = [_expression(one, known["classes"]) for one in matcher.index["signatures"]]
    prefixes = Prefixes(known)
    hits: list[Hit] = []
    for number, line in enumerate(_clean(log).split("\n"), 1):
        for at, segment in enumerate(line.split("\r")):
            for pattern, record in enumerate(matcher.index["signatures"]):
                if record.get("whole_line"):
                    text = _plain(prefixes.strip(segment.strip())[0], known["fold"])
                else:
                    text = _plain(segment, known["fold"])
                found = expressions[pattern].match(text)
                if found is None or (anchored and not _shows(segment, record)):
                    continue
                start = found.start(_START)
                if not record.get("whole_line") or (start, found.end()) == (0, len(text)):
                    captures = found.groupdict()
                    del captures[_START]
                    hits.append(Hit(pattern, number, at, start, tuple(sorted(captures.items()))))
    return hits


def _shows(segment: str, record: dict[str, Any]) -> bool:
    anchor = record["anchor"]
    if record.get("ignore_case"):
        segment = re.sub("[A-Z]+", lambda capitals: capitals[0].lower(), segment)
    return anchor in segment if len(anchor.encode()) >= 7 else segment.endswith(anchor)


def _clean(log: str) -> str:
    log = re.sub(r"\x1b(\[[0-9;]*m|\]0;t\x07)", "", log)
    return log.replace("\0", "").replace("\r\n", "\n")


def _plain(text: str, fold: dict[str, str]) -> str:
    for special, plain in fold.items():
        text = text.replace(special, plain)
    return re.sub(" +", " ", text).strip()


def _expression(record: dict[str, Any], classes: dict[str, str]) -> re.Pattern[str]:
    """Return one expression: an atomic group for each run, since no run is given back."""
    runs = [""]
    for part in record["parts"]:
        if isinstance(part, str):
            escaped = re.escape(part)
            runs[-1] += f"(?i:{escaped})" if record.get("ignore_case") else escaped
        elif part[0] == "...":
            runs.append("")
        else:
            name = f"?P<{part[1]}>" if len(part) == 2 else "?:"
            runs[-1] += f"({name}{classes[part[0]]})"
    runs[0] = f"(?P<{_START}>){runs[0]}"
    return re.compile("".join(f"(?>.*?{run})" for run in runs), re.ASCII | re.DOTALL)
