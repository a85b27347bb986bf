"""How much a browser loads before it can search."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

from generator.export.scripts import published_script
from generator.signatures.compile import core_index, dump_index, index_texts
from generator.signatures.expand import Index

_IMPORT = re.compile(r"""^(?:import|export)\b[^"'\n]*["']\./([a-z-]+\.js)["']""", re.MULTILINE)


def search_sizes(index: Index, modules: Path) -> dict[str, int]:
    """Return gzipped sizes in bytes.

    Args:
        index: the compiled index.
        modules: the folder of the browser's matcher, where `main.js` begins.

    Returns:
        `index` (its core), `code` (`main.js` and what it imports, as published, in one file),
        `core` (both together, the search core) and `texts` (what `/diagnose/` loads beside it).
    """
    texts_of = {
        name: (modules / name).read_text(encoding="utf-8") for name in _reached("main.js", modules)
    }
    code = "".join(map(published_script, texts_of.values())).encode()
    sizes = {
        "index": len(gzip.compress(dump_index(core_index(index)).encode(), mtime=0)),
        "code": len(gzip.compress(code, mtime=0)),
    }
    texts = len(gzip.compress(dump_index(index_texts(index)).encode(), mtime=0))
    return {**sizes, "core": sum(sizes.values()), "texts": texts}


def _reached(first: str, modules: Path) -> list[str]:
    found = [first]
    for name in found:  # grows while it is read
        text = (modules / name).read_text(encoding="utf-8")
        found += (one for one in dict.fromkeys(_IMPORT.findall(text)) if one not in found)
    return sorted(found)
