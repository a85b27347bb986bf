"""Commands filled with what a log says, which may be what an attacker wrote."""

from __future__ import annotations

import shlex
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.diagnose.commands import fill


@pytest.mark.parametrize(
    ("run", "values", "filled"),
    [
        ('ssh "$NODE" dmesg', {"node": "node-03"}, 'ssh "node-03" dmesg'),
        ("py-spy dump --pid ${PID}", {"pid": "4711"}, "py-spy dump --pid 4711"),
        ("ls $DIR/x $DIRECTORY", {"dir": "/a/b"}, "ls /a/b/x $DIRECTORY"),
        ("grep x $LOG", {}, "grep x $LOG"),
        ("echo '$NODE' \"it's $NODE\"", {"node": "a"}, "echo '$NODE' \"it's a\""),
        ('echo \\$NODE "\\"$NODE"', {"node": "a"}, 'echo \\$NODE "\\"a"'),
        ("NODE=x; echo $NODE", {"node": "a"}, "NODE=x; echo $NODE"),
        ("for NODE in a b; do echo $PATH; done", {"path": "/tmp"}, "for NODE in a b; do echo $PATH; done"),
        ("cat $A <<EOF\n$A\nEOF", {"a": "1"}, "cat 1 <<EOF\n$A\nEOF"),
        ("echo ${NODE:-none} $node", {"node": "a"}, "echo ${NODE:-none} $node"),
        ("an end \\", {"node": "a"}, "an end \\"),
        ("", {"node": "a"}, ""),
    ],
)  # fmt: skip
def test_variables_are_filled_where_a_shell_would(
    run: str, values: dict[str, str], filled: str
) -> None:
    assert fill(run, values) == filled


@pytest.mark.parametrize(
    "value",
    ["; rm -rf /", "$(reboot)", "`id`", "a b", "-oProxyCommand=x", "../../etc", "a\nb", "'", '"',
     "~root", "*", "a|b", "a&b", ">x", "{a,b}", "!x", "#x", "\\", "=ls", "é", "/", "x" * 300, ""],
)  # fmt: skip
def test_what_might_do_something_is_not_filled_in(value: str) -> None:
    assert fill('ssh "$NODE"', {"node": value}) == 'ssh "$NODE"'


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=12))
def test_a_filled_value_is_one_word_that_a_shell_leaves_alone(value: str) -> None:
    filled = fill("echo $NODE", {"node": value})
    assert filled == "echo $NODE" or shlex.split(filled) == ["echo", value]


def test_a_real_shell_prints_what_was_filled_in() -> None:
    values = ["node-03.example.org:8080", "/mnt/a_b/c+d@2%", "A=b", "0000:c1:00"]
    for value in values:
        for run in ("printf %s $NODE", 'printf %s "$NODE"'):
            command = fill(run, {"node": value})
            done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
            assert done.stdout == value
