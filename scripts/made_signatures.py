"""Signatures and logs made from a seed, for measuring matchers at sizes not yet there."""

from __future__ import annotations

import random
from pathlib import Path
from typing import IO, Any

from generator.load import load_encyclopedia
from generator.signatures.compile import compile_index
from generator.signatures.pack import Pack, PackItem, PackSignature
from generator.signatures.words import words_of

ENTRIES = Path(__file__).resolve().parent.parent / "entries"

#: What lies between the words of a made text, and how often.
_BETWEEN = (" ", " ", " ", " ", ": ", " '<word>' ", " <int> ", " (<...>) ")
_FORMS = (
    "{clock} INFO [trainer.py:{number}] step {number} loss {share:.4f} grad_norm {share:.3f} "
    "lr 1.{number}e-05 tokens/s {number}",
    "{clock} INFO [checkpoint.py:88] saved shard {rank} of step {number} in {share:.2f} s",
    "{clock} WARNING [loader.py:41] worker {rank} waited {share:.3f} s for a batch",
    "node-{rank:02d}:{number}:{number} [{rank}] NCCL INFO Channel {rank:02d}/0 : {rank}[{rank}] "
    "-> {rank}[0] via P2P/CUMEM",
    "  warnings.warn(message, FutureWarning)  # seen {number} times",
    'File "/opt/venv/lib/python3.11/site-packages/torch/nn/modules/module.py", line {number}, '
    "in forward",
    '{{"time": "{clock}", "level": "info", "message": "evaluated batch {number}", "loss": '
    "{share:.5f}}}",
    "Epoch 3:  {rank}%|###       | {number}/50000 [02:{rank:02d}<11:4{rank}, {share:.2f}it/s]",
)
_LINES_IN_BLOCK = 40_000


def made_index(signatures: int, seed: int) -> dict[str, Any]:
    """Compile the real entries with made failures beside them.

    Args:
        signatures: how many there are to be in all.
        seed: equal seeds make equal texts.
    """
    encyclopedia = load_encyclopedia(ENTRIES).encyclopedia
    real = sum(len(entry.signatures) for entry in encyclopedia.entries.values())
    rng = random.Random(seed)
    texts = [one.match for entry in encyclopedia.entries.values() for one in entry.signatures]
    vocabulary = sorted({word for text in texts for word in words_of(text) if len(word) > 3})
    items: list[PackItem] = []
    while real + 3 * len(items) < signatures:
        number = len(items)
        missing = min(3, signatures - real - 3 * number)
        title = " ".join(rng.sample(vocabulary, 5))
        items.append(
            PackItem(
                id=f"made-{number}",
                title=title,
                summary=" ".join(rng.sample(vocabulary, 14)),
                category="distributed",
                severity="high",
                signatures=tuple(
                    PackSignature(match=_text(rng, vocabulary), specific=True)
                    for _ in range(missing)
                ),
                leads_to=(),
            )
        )
    return compile_index(encyclopedia, [Pack("made", tuple(items))])


def _text(rng: random.Random, vocabulary: list[str]) -> str:
    text = rng.choice(vocabulary).capitalize()
    for _ in range(rng.randint(4, 9)):
        text += rng.choice(_BETWEEN) + rng.choice(vocabulary)
    return text


def write_log(path: Path, size: int, seed: int) -> None:
    """Write a log of many ranks, mostly healthy, with the samples of real failures in it.

    Args:
        path: the file.
        size: its bytes, about.
        seed: equal seeds write equal logs.
    """
    rng = random.Random(seed)
    entries = load_encyclopedia(ENTRIES).encyclopedia.entries.values()
    samples = [sample.log.rstrip("\n").split("\n") for entry in entries for sample in entry.samples]
    block = [_line(rng) for _ in range(_LINES_IN_BLOCK)]
    healthy = ("\n".join(block) + "\n").encode()
    failing: list[str] = []
    for lines in rng.sample(samples, 20):
        failing += [*block[:1000], *(f"[rank{rng.randrange(64)}]: {line}" for line in lines)]
    end = ("\n".join(failing) + "\n").encode()
    with path.open("wb") as file:
        _fill(file, healthy, size - len(end))
        file.write(end)


def _fill(file: IO[bytes], block: bytes, size: int) -> None:
    for _ in range(max(size, 0) // len(block)):
        file.write(block)
    file.write(block[: max(size, 0) % len(block)].rpartition(b"\n")[0] + b"\n")


def _line(rng: random.Random) -> str:
    rank = rng.randrange(64)
    clock = f"2026-11-30 {rng.randrange(24):02d}:{rng.randrange(60):02d}:{rng.randrange(60):02d}"
    form = rng.choice(_FORMS)
    number = rng.randrange(100_000)
    return f"[rank{rank}]: " + form.format(
        clock=clock, number=number, rank=rank, share=rng.random() * 10
    )
