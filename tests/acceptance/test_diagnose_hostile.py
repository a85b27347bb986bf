"""Hostile logs get a clear answer from the command."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import main


@pytest.mark.parametrize(
    "content",
    [
        b'x\n{"msg":"\\ud800abc failed"}\n',
        b"\x00\xff\xfe\x00binary\x00",
        b"",
        b"\xed\xa0\x80 half a character\n",
        b"<...>" * 20_000,
        b"[rank1]: " * 5_000 + b"\n",
    ],
)
def test_the_answer_is_an_object_and_claims_nothing(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "rank0.log"
    file.write_bytes(content)
    done = CliRunner().invoke(main, ["diagnose", "--format", "json", str(file)])
    assert done.exit_code == 0, done.output
    answer = json.loads(done.stdout)
    assert answer["findings"] == []
    assert answer["scanned"]["bytes"] == len(content)
