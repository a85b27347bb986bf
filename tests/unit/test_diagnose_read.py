"""Bytes of logs to clean chunks, prefixes to origins, times to moments."""

from __future__ import annotations

import gzip
import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.diagnose import ReadLogError, sources_of
from generator.diagnose.prefixes import Prefixes
from generator.diagnose.read import (
    CHUNK_BYTES,
    OVERLAP_BYTES,
    SEGMENT_BYTES,
    clean_chunks,
    text_blocks,
)
from generator.diagnose.times import Moment, moment_of
from generator.signatures.knowledge import knowledge

PREFIXES = Prefixes(knowledge())


def clean(*blocks: bytes) -> bytes:
    return b"".join(chunk.data for chunk in clean_chunks(blocks))


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"a\r\nb", b"a\nb\n"),
        (b"\xef\xbb\xbfa\n", b"a\n"),
        ("\ufeffa\u00e9\n".encode("utf-16-le"), "aé\n".encode()),
        ("\ufeffa\n".encode("utf-16-be"), b"a\n"),
        ("no mark\n".encode("utf-16-le"), b"no mark\n"),
        (b"\x1b[1;31mred\x1b[0m\x1b]0;title\x07!\n", b"red!\n"),
        (b"a\0b\n", b"ab\n"),
        (b"10%\r20%\n", b"10%\r20%\n"),
        (b"", b""),
    ],
)
def test_cleaning(raw: bytes, expected: bytes) -> None:
    assert clean(raw) == expected


def test_lone_surrogates_become_replacement_characters() -> None:
    assert clean(*text_blocks("a\ud800b\n")) == "a\ufffdb\n".encode()


def test_long_lines_become_overlapping_segments() -> None:
    segments = clean(b"x" * 100_000 + b"\n").rstrip(b"\n").split(b"\r")
    assert [len(segment) for segment in segments] == [
        SEGMENT_BYTES,
        100_000 - SEGMENT_BYTES + OVERLAP_BYTES,
    ]


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300), st.lists(st.integers(0, 300), max_size=5))
def test_blocks_do_not_matter(data: bytes, cuts: list[int]) -> None:
    places = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    blocks = [data[a:b] for a, b in pairwise(places)]
    assert clean(*blocks) == clean(data)


@pytest.mark.parametrize("size", [1_000, 1_048_577, CHUNK_BYTES, 3 * CHUNK_BYTES])
def test_chunks_depend_on_the_bytes_alone(size: int) -> None:
    line = b"\x1b[31m0123456789\x1b[0m\x1b]0;t\x07" + "\u00e9\n".encode()
    data = line * (2 * CHUNK_BYTES // len(line)) + b"x" * (2 * CHUNK_BYTES) + b"\x1b[0m\nend"
    chunks = list(clean_chunks(data[at : at + size] for at in range(0, len(data), size)))
    assert chunks == list(clean_chunks([data]))
    assert len(chunks) > 3
    for chunk, following in pairwise(chunks):
        assert following.line == chunk.line + chunk.data.count(b"\n")


def test_no_sequence_swallows_the_end_of_a_line() -> None:
    assert clean(b"a\x1b]0;never ends\nb\x07\nc\n") == b"a\x1b]0;never ends\nb\x07\nc\n"
    assert clean(b"a\x1b]8;;x\rb\x07\n") == b"a\x1b]8;;x\rb\x07\n"


@pytest.mark.parametrize(
    ("line", "message", "fields"),
    [
        ("[rank3]: hello there", "hello there", {"rank": "3"}),
        ("[default3]:hello there", "hello there", {"local_rank": "3"}),
        ("3: hello there", "hello there", {"rank": "3"}),
        ("[1,3]<stderr>:hello there", "hello there", {"rank": "3"}),
        (
            "(RayWorkerWrapper pid=4009, ip=10.0.0.5) hello there",
            "hello there",
            {"process": "RayWorkerWrapper", "pid": "4009", "node": "10.0.0.5"},
        ),
        (
            "node-03:534:1763 [3] NCCL WARN x",
            "NCCL WARN x",
            {"node": "node-03", "pid": "534", "thread": "1763", "device": "3"},
        ),
        (
            "2: [default2]:[E626 05:14:36.393067540 ProcessGroupNCCL.cpp:1743] [PG ID 0 PG GUID 0 Rank 7] x y",
            "x y",
            {
                "rank": "2",
                "local_rank": "2",
                "level": "E",
                "month_day": "626",
                "clock": "05:14:36.393067540",
                "group": "GUID 0",
            },
        ),
        (
            "May  1 10:00:01 node-03 kernel: out",
            "out",
            {"time": "May  1 10:00:01", "node": "node-03", "process": "kernel"},
        ),
        ("RuntimeError: no prefix", "RuntimeError: no prefix", {}),
        (
            json.dumps({"log": "inner text\n", "rank": 4}),
            "inner text",
            {"rank": "4"},
        ),
    ],
)
def test_prefixes(line: str, message: str, fields: dict[str, str]) -> None:
    assert PREFIXES.strip(line) == (message, fields)


@pytest.mark.parametrize(("depth", "is_read"), [(99, True), (100, False), (30_000, False)])
def test_json_nests_up_to_a_fixed_depth(depth: int, is_read: bool) -> None:
    for said in ('"[[[["', '"a\\"["'):
        line = '{"n":' + "[" * depth + "]" * depth + ',"a":' + said + ',"msg":"told"}'
        assert PREFIXES.strip(line)[0] == ("told" if is_read else line)


def test_many_brackets_side_by_side_are_not_deep() -> None:
    assert PREFIXES.strip('{"n":[' + "[]," * 500 + '{}],"msg":"told"}')[0] == "told"


def test_a_bulk_expression_stays_in_its_line() -> None:
    for at, grammar in enumerate(knowledge()["prefixes"]):
        assert r"\[^" not in grammar["regex"], "a bracket and a caret: bulk would change it"
        expression, _ = PREFIXES.bulk(at)
        assert not any(b"\n" in found[0] for found in expression.finditer(b"[PG a\nRank 3] x\n"))


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=200))
def test_any_line_can_be_stripped(line: str) -> None:
    message, _ = PREFIXES.strip(line)
    assert line.endswith(message) or line.startswith("{")


@pytest.mark.parametrize(
    ("fields", "moment"),
    [
        ({"time": "1970-01-02T00:00:00.5Z"}, Moment("date", 86_400_500)),
        ({"time": "1970-01-01 02:00:00,250+02:00"}, Moment("date", 250)),
        ({"clock": "00:00:01.5"}, Moment("clock", 1_500)),
        ({"uptime": "12.345678"}, Moment("uptime", 12_345)),
        ({}, None),
    ],
)
def test_moments(fields: dict[str, str], moment: Moment | None) -> None:
    assert moment_of(fields) == moment


def test_month_and_day_without_a_year_are_ordered() -> None:
    early = moment_of({"month_day": "626", "clock": "23:59:59"})
    late = moment_of({"month_day": "0627", "clock": "00:00:00"})
    assert early is not None
    assert late is not None
    assert late.value - early.value == 1_000


def test_folders_are_read_in_order_without_hidden_files(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "1.log").write_text("one")
    (tmp_path / "a.log.gz").write_bytes(gzip.compress(b"two"))
    (tmp_path / ".hidden").write_text("no")
    sources = sources_of(tmp_path)
    assert [source.name for source in sources] == ["a.log.gz", "b/1.log"]
    assert b"".join(sources[0].blocks()) == b"two"


def test_a_broken_archive_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.gz").write_bytes(b"not gzip")
    with pytest.raises(ReadLogError, match=r"a\.gz"):
        list(sources_of(tmp_path / "a.gz")[0].blocks())


def test_a_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(ReadLogError, match="nowhere"):
        sources_of(tmp_path / "nowhere")
