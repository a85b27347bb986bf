"""Puts into a wheel what lies beside the package: entries, their compiled index, the theme.

Everything else stands in pyproject.toml. An editable installation uses the repository itself.
"""

import re
import shutil
import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).parent.resolve()
#: What belongs to the encyclopedia; anything else in its folder is somebody's own.
ENTRY_FILE = re.compile(r"taxonomy\.yml|[a-z0-9-]+\.(?:yml|repro\.(?:py|sh|log))")


class BuildWithEncyclopedia(build_py):
    """Copies the encyclopedia and compiles its index."""

    def run(self) -> None:
        """Build as usual, then add what lies beside the package."""
        super().run()
        if not self.editable_mode:
            # A former build's entries may have gone since.
            for folder in ("shipped", "theme"):
                shutil.rmtree(self._package / folder, ignore_errors=True)
            for path in self._made():
                path.parent.mkdir(parents=True, exist_ok=True)
            self._ship()

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """Return every file that `run` writes."""
        own = [] if self.editable_mode else [str(path) for path in self._made()]
        return [*super().get_outputs(include_bytecode), *own]

    @property
    def _package(self) -> Path:
        return Path(self.build_lib) / "generator"

    def _copies(self) -> dict[Path, Path]:
        """Return the files that are copied, with where they come from."""
        entries = [path for path in _files(ROOT / "entries") if ENTRY_FILE.fullmatch(path.name)]
        theme = [path for path in _files(ROOT / "theme") if not path.name.startswith(".")]
        return {
            **{self._package / "shipped" / path.relative_to(ROOT): path for path in entries},
            **{self._package / path.relative_to(ROOT): path for path in theme},
        }

    def _made(self) -> list[Path]:
        return [*self._copies(), self._package / "shipped" / "signatures.json"]

    def _ship(self) -> None:
        for target, source in self._copies().items():
            shutil.copyfile(source, target)
        sys.path.insert(0, str(ROOT))
        try:
            from generator.load import load_encyclopedia
            from generator.signatures.compile import compile_index, dump_index

            loaded = load_encyclopedia(ROOT / "entries")
        finally:
            sys.path.remove(str(ROOT))
        if loaded.problems:
            raise SystemExit("\n".join(map(str, loaded.problems)))
        text = dump_index(compile_index(loaded.encyclopedia))
        (self._package / "shipped" / "signatures.json").write_text(text, encoding="utf-8")


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


setup(cmdclass={"build_py": BuildWithEncyclopedia})
