"""Measures Faultbook against its peers; run as `scripts/bench build`, `scan` or `search`.

Every figure is printed with the machine's load, since ratios of CPU time survive a
busy machine and wall times do not.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import yaml

from generator.export.entry_data import entry_markdown
from generator.export.faq import questions
from generator.load import load_encyclopedia
from scripts.synthetic import write_synthetic

ROOT = Path(__file__).resolve().parent.parent
ENTRIES = ROOT / "entries"


@dataclass(frozen=True, slots=True)
class Run:
    """What one process took.

    Attributes:
        cpu: seconds of CPU time, user and system.
        wall: seconds.
        memory: peak resident size in MiB.
        size: MiB of what it wrote.
    """

    cpu: float
    wall: float
    memory: float
    size: float


def run(command: Sequence[str], folder: Path, output: Path) -> Run:
    """Run a command and measure it.

    Args:
        command: program and arguments.
        folder: where it runs.
        output: folder that it writes.

    Raises:
        SystemExit: it failed; its output is shown.
    """
    with tempfile.TemporaryFile() as log:
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=log,
            stderr=subprocess.STDOUT,
            env={**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT)},
        )
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        wall = time.perf_counter() - started
        if process.returncode:
            log.seek(0)
            sys.exit(f"{' '.join(command)} failed:\n{log.read().decode(errors='replace')[-3000:]}")
    size = sum(file.stat().st_size for file in output.rglob("*") if file.is_file())
    return Run(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, size / 2**20)


def _title(text: str) -> str:
    return yaml.safe_dump(text, allow_unicode=True, width=10**6).split("\n")[0]


def write_stock(entries: Path, target: Path) -> None:
    """Write the same content as a stock project: one Markdown page for each entry.

    Args:
        entries: folder of entries.
        target: folder of the project.
    """
    encyclopedia = load_encyclopedia(entries).encyclopedia
    docs = target / "docs"
    (docs / "failures").mkdir(parents=True)
    (docs / "index.md").write_text("# Home\n\nEntries.\n", encoding="utf-8")
    (docs / "tags.md").write_text("# Tags\n\n<!-- material/tags -->\n", encoding="utf-8")
    for entry in encyclopedia.entries.values():
        front = "\n".join(f"  - {tag}" for tag in entry.tags)
        body = entry_markdown(entry, encyclopedia, "https://example.org/")
        # Our page answers the standing questions too; the Markdown export leaves them out.
        asked = questions(entry, encyclopedia)
        body += "\n\n## Standing questions\n"
        body += "".join(f"\n### {one.question}\n\n{one.answer}\n" for one in asked)
        page = f"---\ntitle: {_title(entry.title)}\ntags:\n{front}\n---\n\n{body}"
        (docs / "failures" / f"{entry.id}.md").write_text(page, encoding="utf-8")
    (target / "mkdocs.yml").write_text(
        """\
site_name: Stock
site_url: https://example.org/
theme:
  name: material
  font: false
plugins:
  - search
  - tags
nav:
  - Home: index.md
  - Tags: tags.md
not_in_nav: /failures/
markdown_extensions:
  - admonition
  - attr_list
  - tables
  - toc: {permalink: true}
  - pymdownx.highlight
  - pymdownx.superfences
  - pymdownx.tasklist
""",
        encoding="utf-8",
    )


def write_ours(entries: Path, target: Path) -> None:
    """Write a project of ours over a folder of entries."""
    target.mkdir(parents=True)
    shutil.copytree(ROOT / "docs", target / "docs")
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    settings = settings.replace("custom_dir: theme", f"custom_dir: {ROOT / 'theme'}")
    settings = settings.replace("entries: entries", f"entries: {entries}")
    (target / "mkdocs.yml").write_text(settings, encoding="utf-8")


def _page_sizes(site: Path) -> list[int]:
    return [file.stat().st_size for file in (site / "failures").glob("*/index.html")]


def _print_row(count: int, who: str, one: Run) -> None:
    print(
        f"{count:>6}  {who:<22}{one.cpu:>9.1f}{one.wall:>9.1f}"
        f"{1000 * one.cpu / count:>11.1f}{one.memory:>9.0f}{one.size:>9.0f}",
        flush=True,
    )


def _touch(file: Path, word: str) -> None:
    text = file.read_text(encoding="utf-8")
    file.write_text(re.sub(r"(?m)^title: .*$", f"title: Changed {word} title", text, count=1))


def bench_build(sizes: Sequence[int], rounds: int, seed: int) -> None:
    """Build synthetic entries with Faultbook and with stock Material, interleaved.

    Args:
        sizes: numbers of entries.
        rounds: how often each size up to 1,000 is built; larger ones once.
        seed: of the synthetic entries.
    """
    faultbook = [sys.executable, "-m", "generator.cli"]
    mkdocs = [sys.executable, "-m", "mkdocs"]
    with tempfile.TemporaryDirectory(prefix="faultbook-bench-") as name:
        base = Path(name)
        real = base / "real"
        write_ours(ENTRIES, real)
        run([*faultbook, "build"], real, real / "site")
        real_median = statistics.median(_page_sizes(real / "site"))
        load = os.getloadavg()[0]
        print(f"load average {load:.1f}; CPU and wall in s, memory and output in MiB")
        print(
            f"{'size':>6}  {'build':<22}{'CPU':>9}{'wall':>9}"
            f"{'ms/entry':>11}{'memory':>9}{'output':>9}"
        )
        ratios: dict[int, float] = {}
        per_entry: dict[int, float] = {}
        for count in sizes:
            entries = base / f"entries-{count}"
            files = write_synthetic(ENTRIES, entries, count, seed)
            ours, stock = base / f"ours-{count}", base / f"stock-{count}"
            write_ours(entries, ours)
            write_stock(entries, stock)
            mine, theirs = list[Run](), list[Run]()
            for _ in range(rounds if count <= 1000 else 1):
                shutil.rmtree(ours / "site", ignore_errors=True)
                shutil.rmtree(stock / "site", ignore_errors=True)
                mine.append(run([*faultbook, "build"], ours, ours / "site"))
                _print_row(count, "faultbook, cold", mine[-1])
                theirs.append(run([*mkdocs, "build", "-q"], stock, stock / "site"))
                _print_row(count, "stock material, cold", theirs[-1])
            median = statistics.median(_page_sizes(ours / "site"))
            _touch(files[0], "once")
            _print_row(
                count, "faultbook, one changed", run([*faultbook, "build"], ours, ours / "site")
            )
            if count <= 1000:  # it is a cold build again, and takes minutes beyond
                first = next((stock / "docs" / "failures").glob("*.md"))
                first.write_text(
                    first.read_text(encoding="utf-8") + "\nChanged.\n", encoding="utf-8"
                )
                _print_row(
                    count,
                    "stock, one changed",
                    run([*mkdocs, "build", "-q"], stock, stock / "site"),
                )
            ratios[count] = min(one.cpu for one in mine) / min(one.cpu for one in theirs)
            per_entry[count] = 1000 * min(one.cpu for one in mine) / count
            print(
                f"{count:>6}  ratio of CPU to stock {ratios[count]:.2f} (goal at 1,000: 0.25); "
                f"median page {median / 1024:.0f} KiB, real entries {real_median / 1024:.0f} KiB",
                flush=True,
            )
            shutil.rmtree(ours)
            shutil.rmtree(stock)
        growth = per_entry[max(sizes)] / per_entry[min(sizes)]
        print(
            f"CPU for each entry at {max(sizes)} against {min(sizes)}: {growth:.2f} "
            "(1 is linear, start-up included)"
        )


def main() -> None:
    """Read the command line and run one benchmark."""
    parser = argparse.ArgumentParser(prog="scripts/bench", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    build = commands.add_parser("build", help="cold and warm builds beside stock Material")
    build.add_argument("--sizes", type=int, nargs="+", default=[100, 1000, 5000])
    build.add_argument("--rounds", type=int, default=2)
    build.add_argument("--seed", type=int, default=1)
    scan = commands.add_parser("scan", help="logs against signatures, beside ripgrep")
    scan.add_argument("--megabytes", type=int, default=200, help="size of the log")
    scan.add_argument("--signatures", type=int, nargs="+", default=[500, 5000])
    scan.add_argument("--rounds", type=int, default=3)
    scan.add_argument(
        "--large", type=int, default=0, metavar="MB", help="largest log for the figures on memory"
    )
    scan.add_argument("--seed", type=int, default=1)
    search = commands.add_parser("search", help="search as one types, and answers")
    search.add_argument("--index", type=int, default=5000, help="signatures, for the times")
    search.add_argument(
        "--signatures", type=Path, action="append", default=[], help="a pack beside the entries"
    )
    search.add_argument("--healthy", type=Path, help="folder of logs in which cases are hidden")
    search.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    # Each benchmark loads only what it needs: building needs no browser.
    if arguments.command == "build":
        bench_build(arguments.sizes, arguments.rounds, arguments.seed)
    elif arguments.command == "scan":
        from scripts.bench_scan import bench_scan

        bench_scan(
            arguments.megabytes,
            arguments.signatures,
            arguments.rounds,
            arguments.large,
            arguments.seed,
        )
    else:
        from scripts.bench_search import bench_search

        bench_search(arguments.index, arguments.signatures, arguments.healthy, arguments.seed)


if __name__ == "__main__":
    main()
