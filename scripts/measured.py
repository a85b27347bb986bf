"""What `scripts/bench scan` runs in processes of their own; imports nothing that they do not need.

usage: python -m scripts.measured scan|diagnose INDEX LOG
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from generator.diagnose import Matcher, diagnose_sources, read_index, sources_of
from generator.diagnose.events import Collector
from generator.diagnose.read import clean_chunks


def scan(index: Path, log: Path) -> None:
    """Scan and confirm, and nothing else."""
    collector = Collector(Matcher(read_index(index)))
    for chunk in clean_chunks(sources_of(log)[0].blocks()):
        collector.chunk(0, chunk, small=False)


def diagnose(index: Path, log: Path) -> None:
    """Give the whole answer, as `faultbook diagnose` with a shipped index does."""
    report = diagnose_sources(sources_of(log), Matcher(read_index(index)), log.name)
    json.dumps(report.data())


if __name__ == "__main__":
    {"scan": scan, "diagnose": diagnose}[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
