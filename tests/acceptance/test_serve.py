"""`faultbook serve`, as a writer uses it: files change, and a browser asks for pages."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from generator.site.live_server import Changes, LiveServer
from tests.tools import ROOT

#: Seconds after which something does not come any more, on however busy a machine.
PATIENCE = 120.0
SUMMARY = "A plain entry that the hostile one relates to, so that links have a target."


def wait_for(condition: Callable[[], bool], what: Callable[[], str]) -> None:
    latest = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < latest, what()
        time.sleep(0.02)


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
        assert isinstance(port, int)
        return port


@dataclass
class Serving:
    """A running `faultbook serve` over a folder of its own.

    Attributes:
        folder: holds mkdocs.yml, docs and entries.
        url: address of the home page.
        output: file of what it prints.
        process: the command.
    """

    folder: Path
    url: str
    output: Path
    process: subprocess.Popen[bytes]

    @property
    def entry(self) -> Path:
        return self.folder / "entries" / "distributed" / "neighbour-entry.yml"

    def printed(self) -> str:
        return self.output.read_text(encoding="utf-8")

    def get(self, path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(self.url + path, timeout=PATIENCE) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def wait_for_page(self, path: str, text: str) -> None:
        wait_for(
            lambda: text in self.get(path)[1],
            lambda: f"{text!r} does not come in {path}; printed: {self.printed()}",
        )

    def wait_for_status(self, path: str, status: int) -> None:
        wait_for(
            lambda: self.get(path)[0] == status,
            lambda: f"{path} does not answer {status}; printed: {self.printed()}",
        )

    def wait_for_print(self, text: str, since: int = 0) -> None:
        wait_for(
            lambda: text in self.printed()[since:],
            lambda: f"{text!r} is not printed: {self.printed()[since:]}",
        )

    def change(self, file: Path, old: str, new: str) -> None:
        """Replaces text in a file as editors do: a new file takes the place of the old."""
        text = file.read_text(encoding="utf-8")
        assert old in text
        fresh = file.with_name(f".{file.name}.swp")
        fresh.write_text(text.replace(old, new), encoding="utf-8")
        fresh.replace(file)

    def end(self, number: signal.Signals = signal.SIGINT) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        try:
            return self.process.wait(PATIENCE)
        finally:
            self.process.kill()


@pytest.fixture
def serving(tmp_path: Path) -> Iterator[Serving]:
    shutil.copy(ROOT / "mkdocs.yml", tmp_path)
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    shutil.copytree(ROOT / "theme", tmp_path / "theme")
    shutil.copytree(ROOT / "tests" / "fixtures" / "hostile", tmp_path / "entries")
    port = free_port()
    output = tmp_path / "output.txt"
    with output.open("wb") as file:
        process = subprocess.Popen(
            [sys.executable, "-m", "generator.cli", "serve", "--port", str(port)],
            cwd=tmp_path,
            env={"PYTHONPATH": str(ROOT), "PATH": "", "PYTHONUTF8": "1"},
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            # Whoever starts the tests in the background may have had Ctrl+C ignored.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
    found = Serving(tmp_path, f"http://127.0.0.1:{port}/faultbook/", output, process)
    try:
        found.wait_for_print("Ctrl+C")
        yield found
    finally:
        found.end()


def test_a_writers_session(serving: Serving) -> None:
    assert serving.printed() == f"Faultbook is at {serving.url} (Ctrl+C ends it)\n"
    page = "failures/neighbour-entry/"
    assert SUMMARY in serving.get(page)[1]

    # A change is shown on the entry's page, in its data, and where others list it.
    first = "Words that nobody has seen on this page before, for the first time."
    serving.change(serving.entry, SUMMARY, first)
    serving.wait_for_page(page, first)
    serving.wait_for_page("failures/neighbour-entry.json", first)
    serving.wait_for_page("categories/distributed/", first)
    serving.wait_for_page("browse/", first)
    serving.wait_for_page("api/v1/entries.json", first)

    # What is wrong is told as lint tells it, and the last good page stays.
    serving.change(serving.entry, first, "Words of a broken entry, which nobody must see anywhere.")
    serving.change(serving.entry, "severity: critical", "severity: urgent")
    serving.wait_for_print(
        "entries/distributed/neighbour-entry.yml:5:11: severity: 'urgent' is not one of "
        "critical, high, medium, low [schema]\n"
    )
    assert first in serving.get(page)[1]

    # Mended, it is shown again.
    second = "Words that nobody has seen on this page before, for the second time."
    serving.change(
        serving.entry, "Words of a broken entry, which nobody must see anywhere.", second
    )
    serving.change(serving.entry, "severity: urgent", "severity: low")
    serving.wait_for_page(page, second)
    serving.wait_for_page("browse/", second)

    # A new entry comes with its page and is listed; deleted, it is gone.
    text = serving.entry.read_text(encoding="utf-8")
    fresh = serving.entry.with_name("fresh-entry.yml")
    fresh.write_text(text.replace("id: neighbour-entry", "id: fresh-entry"), encoding="utf-8")
    serving.wait_for_page("failures/fresh-entry/", second)
    assert "failures/fresh-entry/" in serving.get("categories/distributed/")[1]
    fresh.unlink()
    serving.wait_for_status("failures/fresh-entry/", 404)
    assert "failures/fresh-entry/" not in serving.get("categories/distributed/")[1]

    assert serving.end() == 0
    assert "Traceback" not in serving.printed()


def test_a_page_that_another_one_names_is_brought_up_to_date(serving: Serving) -> None:
    serving.change(serving.entry, "A neighbour without surprises", "A neighbour with a new name")
    serving.wait_for_page("failures/hostile-entry/", "A neighbour with a new name")
    serving.wait_for_page("failures/hostile-entry.md", "A neighbour with a new name")
    assert serving.end(signal.SIGTERM) == 0


def test_a_failing_build_leaves_the_last_good_site(serving: Serving) -> None:
    page = "failures/neighbour-entry/"
    for name, broken, message in (
        ("entries/taxonomy.yml", "\nnonsense: [\n", "entries/taxonomy.yml:"),
        ("mkdocs.yml", "\nnonsense: [\n", "mkdocs.yml"),
        ("theme/pages/entry.html", "{% nonsense %}", "theme/pages/entry.html:"),
    ):
        file = serving.folder / name
        good = file.read_text(encoding="utf-8")
        begin = len(serving.printed())
        file.write_text(good + broken, encoding="utf-8")
        serving.wait_for_print("the last good site stays", begin)
        assert message in serving.printed()[begin:]
        assert SUMMARY in serving.get(page)[1]
        begin = len(serving.printed())
        file.write_text(good, encoding="utf-8")
        serving.wait_for_print("pages built", begin)
    assert serving.end() == 0
    assert "Traceback" not in serving.printed()


def test_an_entry_that_is_broken_at_the_start_is_told(tmp_path: Path) -> None:
    entries = tmp_path / "entries"
    shutil.copytree(ROOT / "tests" / "fixtures" / "hostile", entries)
    file = entries / "distributed" / "neighbour-entry.yml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("severity: critical", "severity: urgent"), encoding="utf-8")
    done = run_serve("--entries", str(entries), "--port", str(free_port()))
    assert done.returncode == 1
    assert "severity: 'urgent' is not one of critical, high, medium, low [schema]" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_taken_port_is_told() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = run_serve("--port", str(port))
    assert done.returncode == 2
    assert done.stderr == (
        f"faultbook: cannot listen on 127.0.0.1:{port}: Address already in use; "
        "choose another address with --host or --port\n"
    )


def run_serve(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "generator.cli", "serve", *arguments],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_only_browsers_that_show_a_changed_page_reload(tmp_path: Path) -> None:
    port = free_port()
    server = LiveServer("127.0.0.1", port, "/faultbook/", Changes(), pytest.fail)
    server.root = str(tmp_path)
    server.poll_response_timeout = 0
    server.watch(str(tmp_path))
    server.start()
    try:

        def poll(page: str, epoch: int) -> int:
            request = urllib.request.Request(
                f"http://127.0.0.1:{port}/livereload/{epoch}/1",
                headers={"Referer": f"http://127.0.0.1:{port}/faultbook/{page}"},
            )
            with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
                return int(answer.read())

        begin = poll("one/", 0)
        server.reload(["one/"])
        assert poll("one/", begin) > begin
        assert poll("two/", begin) == begin
        server.reload()
        assert poll("two/", begin) > begin
    finally:
        server.stop()


def test_files_are_looked_at_where_the_system_does_not_tell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: object) -> None:
        raise OSError(28, "inotify watch limit reached")

    monkeypatch.setattr("watchdog.observers.Observer.start", fail)
    said: list[str] = []
    changes = Changes()
    server = LiveServer("127.0.0.1", free_port(), "/", changes, said.append)
    server.watch(str(tmp_path))
    server.start()
    try:
        file = tmp_path / "new.yml"
        file.write_text("x", encoding="utf-8")
        assert file in changes.take(PATIENCE)
    finally:
        server.stop()
    assert "inotify watch limit reached" in said[0]
