"""Where the theme lies: in an installed package, else in the repository."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from generator.model import FaultbookError


@lru_cache(maxsize=1)
def theme_dir() -> Path:
    """Return the folder of templates, styles and browser modules.

    Raises:
        FaultbookError: the installation lacks the theme.
    """
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "theme", package.parent / "theme"):
        if (folder / "main.html").is_file():
            return folder
    raise FaultbookError(
        f"no theme at {package / 'theme'} or {package.parent / 'theme'}: reinstall faultbook, "
        "or run it from a clone of the repository"
    )
