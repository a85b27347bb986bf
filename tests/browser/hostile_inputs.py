"""Texts that matchers must answer alike, whatever is in them: the same on every run."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence

_NODES = [f"node-{number:02}" for number in range(9)]

#: What collectors write before a line, by the line's number.
_PREFIXES: tuple[Callable[[int], str], ...] = (
    lambda at: "",
    lambda at: f"[rank{at % 5}]: ",
    lambda at: f"[default{at % 8}]: ",
    lambda at: f"[1,{at % 4}]<stderr>: ",
    lambda at: f"{at % 16}: ",
    lambda at: f"2026-01-02T03:04:{at % 60:02}.123Z {_NODES[at % 9]} kernel: ",
    lambda at: f"{_NODES[at % 9]}:123:456 [{at % 8}] ",
    lambda at: f"(RayWorker pid={at}, ip=10.0.0.{at % 9}) ",
    lambda at: f"[pod/tr\u00e4in-{at % 3}/main] ",
    lambda at: f"I0102 03:0{at % 9}:05.123456 77 a.cc:12] ",
    lambda at: f"[{at % 99}.{at:06}] ",
    lambda at: f"[rank{at % 5}]:[E626 05:14:{at % 60:02}.393 a.cpp:1743] [PG 0 Rank {at % 5}] ",
    lambda at: f"Jan {1 + at % 9:2} 03:04:0{at % 9} {_NODES[at % 9]} slurmstepd[1]: ",
)
_MARKS = (
    *("\u2019", "\x1b[0m", "\0", "\U0001f600", "\udc00", "\r", "\n", "\t", "  ", "\x85"),
    *("\ufeff", "\xa0", '"', "{", "}", "\\", "", "\u2028", "\x1c"),
)
_JSON = (
    '{"msg":"a\\u00e9\\ud83d\\ude00 rank 3","rank":-0}',
    '{"msg":1}',
    '{"msg":1.5,"text":"Killed"}',
    '{"msg":"a",}',
    '{"msg":"a"} x',
    '{ "msg" : "Killed" , "time":12 }\x0c',
    '{"msg":"a\\x"}',
    '{"msg":true,"log":"Traceback (most recent call last):\\nX"}',
    '{"msg":"a","msg":["b"]}',
    '{"rank":007,"msg":"a"}',
    '{"a":[1,2,],"msg":"b"}',
    '{"msg":"tab\tin"}',
    '{"msg":"","event":"CUDA out of memory"}',
    '{"a":-Infinity,"msg":"ok done","rank":3e0}',
    '{"a":NaNx,"msg":"b"}',
    "{}",
    '{"msg"}',
    '{"__proto__":{"msg":"x"},"constructor":1,"msg":"error here failed"}',
    '{"a":"\\',
    '{"msg":"x\\"y","rank":"12"}',
    '{"n":' + "9" * 5000 + ',"msg":"b"}',
    '{"n":' + "[" * 200 + "]" * 200 + ',"msg":"CUDA error: out of memory"}',
)


def hostile(texts: Sequence[str], literals: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield names and texts.

    Args:
        texts: logs that are taken apart and mixed.
        literals: texts of signatures.
    """
    for name, text in _hostile(texts, literals):
        # Two surrogates side by side are one character in JavaScript, so here, too.
        yield name, text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def _hostile(texts: Sequence[str], literals: Sequence[str]) -> Iterator[tuple[str, str]]:
    chance = random.Random(7)
    yield "one line of 5 MB", "x" * 5_000_000
    yield "one line of literals", " ".join(chance.choice(literals) for _ in range(300))
    yield "gaps in one line", "<...>" * 20_000
    yield "gaps in lines", "\n".join("<...><int><word:x>" * 50 for _ in range(200))
    yield "lone surrogates", "\ud800" + texts[0] + "\udc00"
    yield "NUL between all", "\0".join(texts[1])
    yield "NUL before blanks", texts[2].replace(" ", "\0 ")
    yield "CRLF", texts[3].replace("\n", "\r\n")
    yield "CR only", "\r".join(texts[:30]).replace("\n", "\r")
    yield "progress bar", "50%|##\r" * 3000 + texts[4]
    yield "ANSI", "\x1b[31m".join(texts[5])
    yield "OSC", "\x1b]0;title\x07" + texts[6] + "\x1b]8;;" + "y" * 3000
    yield "byte-order mark", "\ufeff" + texts[7]
    yield "OSC without an end", texts[8].replace("\n", "\n\x1b]0;t", 3) + "\x07\n" + texts[9]
    yield "hard blanks and quotes", _typeset("\n".join(texts[10:40]))
    yield "many literals in one line", " ".join(literals)
    yield "literals in segments", "\r".join(chance.choice(literals) for _ in range(40_000))
    yield "progress bars", ("50%|##\r" * 40 + texts[11].replace("\n", " ") + "\n") * 300
    yield (
        "long lines between",
        "\n".join(f"{one[:40]}\n{'y' * 20_000}\n{one[40:]}" for one in literals),
    )
    yield (
        "wrapped amid blanks",
        "\n".join(
            f"{one[:20]}{' ' * number}\n{chr(10) * number}{one[20:]}"
            for number, one in enumerate(literals)
        ),
    )
    yield (
        "deep JSON",
        "\n".join(
            '{"n":' + "[" * deep + "]" * deep + ',"msg":"CUDA out of memory"}'
            for deep in range(90, 110)
        ),
    )
    yield "open JSON", '{"n":"' + '\\"' * 20_000
    yield "words before literals", "\n".join("w" * 5_000 + one for one in literals)
    yield (
        "a long line over chunks",
        "x" * 4_190_000 + " ".join(literals[:300]) + "\u65e5" * 3_000_000,
    )
    yield (
        "several chunks",
        "\n".join(f"[rank{at % 9}]: {chance.choice(texts)}" for at in range(9_000)),
    )
    traces = [
        f"[rank{rank}]: {line}"
        for line in ("Traceback (most recent call last):", "  File x", "ValueError: no")
        for rank in range(2_000)
    ]
    yield "tracebacks of many ranks", "\n".join(traces)
    yield "tracebacks, interleaved", "\n".join(chance.sample(traces, len(traces)))
    yield (
        "nodes beyond ASCII",
        "".join(
            f"[pod/tr\u00e4in-\u65e5{at % 2}/main] [rank{at % 3}]: step {at}\n"
            for at in range(12_000)
        ),
    )
    yield from (("empty", ""), ("line feeds", "\n\n\n"), ("blanks", " \t \x85\ufeff\u2028 \n"))
    lines = [
        f"[rank{rank}]: {line}"
        for rank in range(1000)
        for line in chance.choice(texts).splitlines()[:4]
    ]
    yield "1,000 ranks", "\n".join(lines)
    yield "1,000 ranks, interleaved", "\n".join(chance.sample(lines, len(lines)))
    for number in range(260):
        yield f"mixed {number}", _mixed(number, texts, chance)
    for number in range(150):
        yield f"pieces {number}", "".join(_pieces(literals, chance))
    for number, line in enumerate(_JSON):
        yield f"JSON {number}", f"{line}\nRuntimeError: failed {line}"
    yield "JSON", "\n".join(_JSON)


def _typeset(text: str) -> str:
    return text.translate({ord(" "): "\xa0", ord("'"): "\u2019", ord('"'): "\u201d"})


def _mixed(number: int, texts: Sequence[str], chance: random.Random) -> str:
    lines = [line for text in chance.sample(texts, 3) for line in text.splitlines()]
    prefix = _PREFIXES[number % len(_PREFIXES)]
    lines = [prefix(at) + line for at, line in enumerate(lines)]
    if number % 5 == 0:
        lines = [
            json.dumps(
                {"ts": f"2026-01-02 03:04:{at % 60:02}", "rank": at % 3, "loss": float("nan"),
                 "v": 1.0, "n": {"a": [1, 2, {}], "b": []}, "msg": line, "host": _NODES[at % 9]},
                ensure_ascii=number % 2 == 0,
            )
            for at, line in enumerate(lines)
        ]  # fmt: skip
    if number % 7 == 0:
        lines = [line[at : at + 60] for line in lines for at in range(0, max(len(line), 1), 60)]
    if number % 11 == 0:
        lines += [f"x info line step {at} loss 1.0" for at in range(300)]
    characters = list("\n".join(lines))
    for _ in range(20 if number % 3 == 0 and characters else 0):
        characters[chance.randrange(len(characters))] = chance.choice(_MARKS)
    return "".join(characters)


def _pieces(literals: Sequence[str], chance: random.Random) -> Iterator[str]:
    between = ("\n", " ", "\n  ", "\r", "12", "0x1f", "3.5 GiB", "rank 3", " \u201c", "\U0001f600")
    for _ in range(chance.randrange(1, 40)):
        literal = chance.choice(literals)
        yield literal[: chance.randrange(len(literal) + 1)] if chance.random() < 0.3 else literal
        yield chance.choice((*between, "\r\n", "[rank1]: "))
