"""What a copied link or report must not hold, in whatever company it was printed."""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Page

from generator.load import load_encyclopedia
from tests.browser.published import visit
from tests.built import Site
from tests.tools import ROOT

HEX = "0123456789abcdef0123456789abcdef01234567"
JWT = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.SflKxwRJSMeKKF2QT4"
AWS = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"

#: A text as programs print it, and what may not be left of it.
PRINTED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("sk-proj-abcDEF1234567890abcDEF1234567890", ("abcDEF1234567890",)),
    ("hf_abcdefghijKLMNOPqrst", ("abcdefghij",)),
    ("ghp_abcdefghijklmnopqrstuvwxyz0123456789", ("abcdefghijkl",)),
    ("AKIAIOSFODNN7EXAMPLE", ("IOSFODNN7",)),
    (f"wandb: Appending key {HEX} to netrc", (HEX,)),
    (JWT, ("eyJzdWIi", "SflKxw")),
    ("Authorization: Bearer abc.def-ghi_jkl", ("abc.def",)),
    ("authorization: bearer 0123456789abcdef", ("0123456789abcdef",)),
    ("{'Authorization': 'token abcdef1234567890'}", ("abcdef1234567890",)),
    ('{\\"Authorization\\": \\"Basic YWxpY2U6aHVudGVy\\"}', ("YWxpY2U6aHVudGVy",)),
    ("Cookie: session=abcdef123456; other=qwerty99", ("abcdef123456", "qwerty99")),
    ("password=hunter2", ("hunter2",)),
    ("password: 'pass word with blanks'", ("pass word", "blanks")),
    ('{"db_password": "hunter two"}', ("hunter two",)),
    ("--password hunter2xyz", ("hunter2xyz",)),
    ("--api-key=abcdefgh1 --token=abcdef", ("abcdefgh1", "abcdef")),
    (f"AWS_SECRET_ACCESS_KEY={AWS}", ("wJalrXUtn", "bPxRfi")),
    ("AccountKey=abcdefghijklmnop+/==;EndpointSuffix=core", ("abcdefghijkl",)),
    ("postgres://bob:s3cr3t@db.acme.io:5432/train", ("bob", "s3cr3t", "acme")),
    ("redis://:p4ssw0rd@redis.acme.local:6379", ("p4ssw0rd", "acme")),
    ("https://oauth2:glpat-abcdefghijklmnop1234@gitlab.acme.com/x", ("glpat", "acme")),
    ("https://acme.blob.core.windows.net/c/x?sig=abc%2Fdef&se=2", ("acme", "abc%2Fdef")),
    ("https://hooks.slack.com/services/T000/B000/XXXXabcdef", ("XXXXabcdef",)),
    ("alice.b+x@acme.co.uk", ("alice", "acme")),
    ("10.20.30.40:29500", ("10.20.30.40",)),
    ("[2001:0db8:85a3:0000:0000:8a2e:0370:7334]:29500", ("85a3", "7334")),
    ("fe80::1ff:fe23:4567:890a%eth2", ("1ff:fe23",)),
    ("::ffff:10.1.2.3", ("10.1.2.3",)),
    ("0a:1b:2c:3d:4e:5f", ("1b:2c:3d",)),
    ("ip-10-20-30-40", ("10-20-30",)),
    ("/home/alice/acme/train.py", ("alice", "acme")),
    ("/Users/alice", ("alice",)),
    ("~alice/acme", ("alice", "acme")),
    ("/scratch/acme/run-3", ("acme",)),
    ("/mnt/alice/venv/lib/python3.11/site-packages/acme_train/x.py", ("alice", "acme")),
    ("C:\\Users\\alice\\x.py", ("alice",)),
    ("C:\\Users\\Alice Smith\\x.py", ("Alice", "Smith")),
    ("C:\\\\Users\\\\alice\\\\x.py", ("alice",)),
    ("\\\\fileserver\\share\\alice\\x", ("fileserver", "alice")),
    ("file:///home/alice/x", ("alice",)),
    ("s3://acme-bucket/ckpt/1", ("acme", "ckpt")),
    ("gs://acme-bucket", ("acme",)),
    ("hf://datasets/acme/private", ("acme",)),
    ("https://acme-bucket.s3.us-east-1.amazonaws.com/x", ("acme",)),
    ("https://storage.googleapis.com/acme-bucket/x", ("acme",)),
    ("node-17.acme.internal", ("node-17", "acme")),
    ("alice@node-17:~$ python train.py", ("alice", "node-17")),
    (
        "slurmstepd: error: *** JOB 1 ON trainer7 CANCELLED AT 2026-11-30T10:00:00 ***",
        ("trainer7",),
    ),
    ("srun: error: trainer7: task 3: Killed", ("trainer7",)),
    ("SLURM_JOB_USER=alice SLURMD_NODENAME=trainer7", ("alice", "trainer7")),
    ("UserId=alice(1000) GroupId=ml(100)", ("alice",)),
    ("uid=1000(alice)", ("alice",)),
    ("MASTER_ADDR=trainer-head-0", ("trainer-head-0",)),
    ("gpu-a100-03", ("gpu-a100-03",)),
)

#: What stands around it.
AROUND = (
    "{}",
    "a {} b",
    "'{}'",
    '"{}"',
    "({})",
    "\x1b[31m{}\x1b[0m",
    "[1;31m{}[0m",
    "x={}",
    "[rank3]: {}",
)

#: Prefixes by which the machine is known, printed at the start of a line.
PREFIXES = (
    "trainer7:534:1763 [3] NCCL WARN Call to connect failed",
    "[trainer7:12345] *** Process received signal ***",
    "Nov 30 10:00:00 trainer7 kernel: Out of memory",
    "2026-11-30T10:00:00+00:00 trainer7 systemd[1]: oom",
    "trainer7: Traceback (most recent call last):",
)

#: Nothing of these is anybody's.
KEPT = (
    "torch==2.13.0.1 for cuda 12.4.1.0, version 1.2.3.4",
    "tokenizer.pad_token = tokenizer.eos_token; max_tokens: 4096",
    "Unexpected token: '}' at 12:34:56",
    "pair.cc:534] c10::cuda::CUDAError std::abort ATen/native/cuda/Loss.cu",
    "INFO 12-01 10:00:00 [engine.py:310] ready at http://localhost:8000/v1",
    "/dev/shm /proc/meminfo /tmp/x /etc/hosts /usr/local/cuda-12.4/lib64",
    "https://pytorch.org/docs/stable/notes/cuda.html https://github.com/pytorch/pytorch/issues/1",
    "0000:3b:00.0 Xid 79 127.0.0.1 ::1",
    "rank0: worker-0 epoch1: gpu0 step 12",
)


@pytest.fixture
def masker(built_site: Site, page: Page) -> Page:
    """A page in which `mask` is loaded."""
    visit(page, built_site.url)
    page.evaluate(
        "async (module) => { window.mask = (await import(module)).mask; }",
        f"{built_site.url}assets/faultbook/mask.js",
    )
    return page


def masked(page: Page, texts: list[str]) -> list[str]:
    # As JSON, since a text may hold what the driver changes.
    told: list[str] = json.loads(
        page.evaluate("(texts) => JSON.stringify(JSON.parse(texts).map(mask))", json.dumps(texts))
    )
    return told


def leaks(page: Page, given: Sequence[tuple[str, tuple[str, ...]]]) -> list[tuple[str, str]]:
    shown = masked(page, [text for text, _ in given])
    return [
        (text, left)
        for (text, forbidden), left in zip(given, shown, strict=True)
        if any(each in left for each in forbidden)
    ]


def test_what_is_printed(masker: Page) -> None:
    given = [(around.format(text), forbidden) for text, forbidden in PRINTED for around in AROUND]
    assert leaks(masker, given) == []


def test_hosts_at_the_start_of_lines(masker: Page) -> None:
    given = [(f"starting\n{line}\nlast", ("trainer7",)) for line in PREFIXES]
    assert leaks(masker, given) == []


def test_many_at_once(masker: Page) -> None:
    """Whatever stands beside it, in whatever order."""
    chance = random.Random(7)
    given: list[tuple[str, tuple[str, ...]]] = []
    for _ in range(300):
        some = chance.sample(PRINTED, 6)
        parts = [chance.choice(AROUND).format(text) for text, _ in some]
        text = chance.choice((" ", "\n", ", ", "\t", " -> ")).join(parts)
        given.append((text, tuple(each for _, forbidden in some for each in forbidden)))
    assert leaks(masker, given) == []


def test_a_name_that_is_known_is_masked_wherever_it_stands(masker: Page) -> None:
    home, table, host = masked(
        masker,
        [
            "/home/alicia/x.py\nsrun: job 1 of alicia\nalicia-exp-3 started",
            "  JOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n"
            "  1 gpu train alicia R 1:00 1 trainer7\nkilled by alicia on trainer7",
            "MASTER_ADDR=trainer7\nlost connection to trainer7",
        ],
    )
    assert "alicia" not in home + table
    assert "trainer7" not in table + host
    # The same value has the same stand-in, so that one can be told from another.
    assert host.count("host-1") == 2


def test_what_is_nobodys_stays(masker: Page) -> None:
    assert masked(masker, list(KEPT)) == list(KEPT)


def test_a_masked_text_is_found_as_before(built_site: Site, masker: Page) -> None:
    entries = load_encyclopedia(ROOT / "entries").encyclopedia.entries.values()
    logs = [sample.log for entry in entries for sample in entry.samples]
    assert logs
    differ: list[Any] = masker.evaluate(
        """async ([loading, logs]) => {
          const { matcher } = await (await import(loading)).load();
          const matched = (text) => matcher.search(text)
            .filter(({ grade }) => grade !== "guess").map(({ id, grade }) => `${id} ${grade}`).sort();
          return logs.filter((log) => String(matched(log)) !== String(matched(mask(log))));
        }""",
        [f"{built_site.url}assets/faultbook/loading.js", logs],
    )
    assert differ == []


def test_time_is_linear(masker: Page) -> None:
    """Twice the text takes no more than a few times as long, whatever it repeats."""
    pieces = [
        "a",
        "a-",
        ":",
        "a:",
        "a.",
        "/a",
        "C:\\a",
        "\\\\a",
        "token ",
        "api_key=",
        "user_",
        "a@",
    ]
    pieces += [
        "http://a",
        'password="',
        "--a-a",
        "~a",
        "authorization: ",
        "node-a-1",
        "A_",
        "1.",
        " ",
    ]
    slow: list[Any] = masker.evaluate(
        """(pieces) => pieces.filter((piece) => {
          const time = (length) => {
            const text = piece.repeat(length / piece.length);
            const start = performance.now();
            mask(text);
            return performance.now() - start;
          };
          time(20_000);
          return Math.min(time(80_000), time(80_000)) > 400;
        })""",
        pieces,
    )
    assert slow == []
