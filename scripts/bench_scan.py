"""`scripts/bench scan`: logs against signatures, beside ripgrep, in Python and in Chromium."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from generator.signatures.compile import dump_index
from generator.signatures.expand import expand
from scripts.made_signatures import made_index, write_log
from tests.built import served
from tests.tools import CHROMIUM_FLAGS, TOOLS

ROOT = Path(__file__).resolve().parent.parent
MODULES = ROOT / "theme" / "assets" / "faultbook" / "match"
#: Lines that ripgrep looks for need letters to be comparable with anchors of 7 bytes.
_LEAST_LITERAL = 7

# Reads as /diagnose/ does: slices of a Blob in a Worker; `scan` stops before the answer.
_WORKER = """
import { CHUNK_BYTES, makeMatcher } from "./main.js";
import { Collector } from "./events.js";
import { Matcher } from "./matcher.js";
import { Reader } from "./read.js";
addEventListener("message", async ({ data: { file, index, what } }) => {
  const published = await (await fetch(index)).json();
  const made = what === "whole" ? makeMatcher(published).incident().file("log") : null;
  const collector = made ? null : new Collector(new Matcher(published));
  let chunks = 0;
  const reader = made ?? new Reader((chunk) => { chunks++; collector.chunk(0, chunk, false); });
  const started = performance.now();
  const read = (at) => file.slice(at, at + CHUNK_BYTES).arrayBuffer();
  let following = read(0);
  for (let at = 0; at < file.size; at += CHUNK_BYTES) {
    const block = await following;
    following = read(at + CHUNK_BYTES);
    if (what !== "read") reader.push(new Uint8Array(block));
  }
  reader.end();
  postMessage({ seconds: (performance.now() - started) / 1000 });
});
postMessage({ ready: true });
"""
_PAGE = """<!doctype html><meta charset="utf-8"><title>scan</title><input type="file">
<script type="module">
const worker = new Worker("worker.js", { type: "module" });
const next = () => new Promise((done) => { worker.onmessage = ({ data }) => done(data); });
window.ready = next();
window.scan = async (index, what) => {
  await window.ready;
  const answer = next();
  worker.postMessage({ file: document.querySelector("input").files[0], index, what });
  return (await answer).seconds;
};
</script>"""


def needed(name: str) -> str:
    """Return the place of a program that a benchmark needs, or stop with the way to get it."""
    place = TOOLS[name].find()
    if place is None:
        sys.exit(f"the bench needs {name}: {TOOLS[name].remedy}")
    return place


def measure(command: Sequence[str]) -> tuple[float, float]:
    """Run a command on one core; return its CPU seconds and its peak memory in MiB."""
    pinned = ["taskset", "-c", "0"] if shutil.which("taskset") else []
    process = subprocess.Popen(
        [*pinned, *command],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        cwd=ROOT,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):  # ripgrep: 1 is "nothing found"
        sys.exit(f"{' '.join(command)} failed")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def literals(index: dict[str, Any]) -> list[str]:
    """Return the longest literal of every signature, as one would hand them to grep."""
    longest = (
        max((part for part in record["parts"] if isinstance(part, str)), key=len).strip()
        for record in expand(index)["signatures"]
    )
    return sorted({text for text in longest if len(text) >= _LEAST_LITERAL})


def _python(what: str, index: Path, log: Path) -> list[str]:
    return [sys.executable, "-m", "scripts.measured", what, str(index), str(log)]


def bench_scan(megabytes: int, sizes: Sequence[int], rounds: int, large: int, seed: int) -> None:
    """Print scanning times as ratios to ripgrep, and memory by file size.

    Args:
        megabytes: size of the log.
        sizes: numbers of signatures.
        rounds: interleaved rounds; the least CPU time of each counts.
        large: megabytes of the largest log whose memory is measured, 0 for none.
        seed: of signatures and log.
    """
    rg = shutil.which("rg")
    if rg is None:
        sys.exit("the bench needs ripgrep as its peer (on Debian: apt install ripgrep)")
    browser = needed("chromium")
    with tempfile.TemporaryDirectory(prefix="faultbook-bench-") as name:
        base = Path(name)
        log = base / "run.log"
        write_log(log, megabytes * 1_000_000, seed)
        print(f"{log.stat().st_size / 1e6:.0f} MB; load average {os.getloadavg()[0]:.1f}")
        print("CPU s, least of the rounds; Chromium in wall s, in a Worker")
        print(f"{'signatures':>10}  {'what':<34}{'s':>8}{'to rg':>8}")
        ours: dict[int, float] = {}
        for count in sizes:
            index = base / f"index-{count}.json"
            made = made_index(count, seed)
            index.write_text(dump_index(made), encoding="utf-8")
            lines = base / f"literals-{count}.txt"
            lines.write_text("\n".join(literals(made)) + "\n", encoding="utf-8")
            peer = [rg, "--no-config", "-F", "-j1", "-c", "-f", str(lines), str(log)]
            commands = {
                "rg -F -j1 -c -f": peer,
                "Python, start-up alone": _python("scan", index, Path(os.devnull)),
                "Python, scan and confirm": _python("scan", index, log),
                "Python, whole diagnosis": _python("diagnose", index, log),
            }
            best = {what: float("inf") for what in commands}
            for _ in range(rounds):
                for what, command in commands.items():
                    best[what] = min(best[what], measure(command)[0])
                for part, shown in _IN_BROWSER.items():
                    what = f"Chromium, {shown}"
                    seconds = _in_browser(browser, base, index, log, part)
                    best[what] = min(best.get(what, seconds), seconds)
            for what, seconds in best.items():
                ratio = seconds / best["rg -F -j1 -c -f"]
                print(f"{count:>10}  {what:<34}{seconds:>8.2f}{ratio:>8.2f}", flush=True)
            ours[count] = best["Python, scan and confirm"] - best["Python, start-up alone"]
        few, many = min(sizes), max(sizes)
        print(
            f"{many} signatures against {few}, scan alone: {ours[many] / ours[few]:.2f} (goal 1.6)"
        )
        if large:
            index = base / f"index-{few}.json"
            for size in (20, megabytes, large):
                write_log(log, size * 1_000_000, seed)
                seconds, memory = measure(_python("diagnose", index, log))
                print(f"whole diagnosis of {size:>5} MB: {seconds:.1f} CPU s, {memory:.0f} MiB")


_IN_BROWSER = {"read": "reading alone", "scan": "scan and confirm", "whole": "whole diagnosis"}


def _in_browser(browser: str, base: Path, index: Path, log: Path, part: str) -> float:
    from playwright.sync_api import sync_playwright

    site = base / "site"
    site.mkdir(exist_ok=True)
    for module in MODULES.glob("*.js"):
        (site / module.name).write_bytes(module.read_bytes())
    (site / "worker.js").write_text(_WORKER, encoding="utf-8")
    (site / "index.html").write_text(_PAGE, encoding="utf-8")
    shutil.copy(index, site / "index.json")
    started = time.perf_counter()
    with served(site) as url, sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browser, args=list(CHROMIUM_FLAGS))
        page = running.new_page()
        page.set_default_timeout(600_000)
        page.goto(url)
        page.set_input_files("input", log)
        seconds: float = page.evaluate(
            "([index, what]) => window.scan(index, what)", [f"{url}index.json", part]
        )
        running.close()
    assert seconds < time.perf_counter() - started
    return seconds
