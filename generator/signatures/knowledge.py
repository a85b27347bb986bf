"""What the matcher knows beside the entries, as data: classes, prefixes, words, weights.

Everything here goes into the index as it stands, so that each matcher holds mechanism only.
`docs/index-format.md` explains every field.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

_DATA = Path(__file__).parent / "data"


@cache
def knowledge() -> dict[str, Any]:
    """Return what the matcher knows; not to be changed."""
    loaded: dict[str, Any] = json.loads((_DATA / "knowledge.json").read_text(encoding="utf-8"))
    return loaded


@cache
def byte_costs() -> tuple[int, ...]:
    """Return how rare each byte is in logs, as 16 times the negative binary logarithm.

    Measured over public logs of healthy and failed runs; see `docs/index-format.md`.
    """
    loaded: list[int] = json.loads((_DATA / "bytes.json").read_text(encoding="utf-8"))
    return tuple(loaded)
