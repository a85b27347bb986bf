"""Addresses of the site, and the lock that keeps each published one alive.

`urls.lock` stands at the root of the repository: every address and section
anchor ever published, one a line (`/failures/x/`, `/failures/x/#fix`), sorted.
Builds read it; only publishing appends to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from generator.model import Encyclopedia, Problem, ProblemsError

LOCK_FILE = "urls.lock"
_RULE = "url-lock"
_ADDRESS = re.compile(r"/(?!/)[^\s#]*(?:#\S+)?\Z")


def absolute(site_url: str, path: str) -> str:
    """Return the absolute address of a page.

    Args:
        site_url: address of the home page, with or without a closing slash; empty
            where it is not known, then the result starts at the root.
        path: address below the root, with or without a leading slash.
    """
    return f"{site_url.rstrip('/')}/{path.lstrip('/')}"


def entry_path(id_: str) -> str:
    """Return an entry's address below the site's root."""
    return f"/failures/{id_}/"


def entry_url(site_url: str, id_: str) -> str:
    """Return an entry's absolute address."""
    return absolute(site_url, entry_path(id_))


def data_urls(site_url: str, id_: str) -> dict[str, str]:
    """Return the addresses of an entry's data, by kind (`json`, `yml`, `md`)."""
    return {kind: absolute(site_url, f"/failures/{id_}.{kind}") for kind in ("json", "yml", "md")}


def redirects(encyclopedia: Encyclopedia) -> Mapping[str, str]:
    """Return each former address of an entry with the one that it leads to."""
    return {
        entry_path(alias): entry_path(entry.id)
        for entry in encyclopedia.entries.values()
        for alias in entry.aliases
    }


def read_lock(text: str) -> Mapping[str, int]:
    """Read `urls.lock`.

    Args:
        text: content of the file; blank lines and lines that start with `# ` are
            comments.

    Returns:
        The published addresses in the file's order, each with its 1-based line.

    Raises:
        ProblemsError: where a line is no address below the site's root.
    """
    locked: dict[str, int] = {}
    problems: list[Problem] = []
    for number, raw in enumerate(text.split("\n"), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if _ADDRESS.match(line):
            locked.setdefault(line, number)
        else:
            problems.append(
                Problem(
                    LOCK_FILE,
                    number,
                    0,
                    "",
                    f"{line[:80]!r} is no address; write one a line, such as /failures/x/#fix, "
                    "and keep both sides of a merge",
                    _RULE,
                )
            )
    if problems:
        raise ProblemsError(tuple(problems))
    return locked


def _rooted(address: str) -> str:
    return "/" + address.lstrip("/")


def _leads_to_a_page(page: str, pages: set[str], moved: Mapping[str, str]) -> bool:
    seen: set[str] = set()
    while page not in pages:
        if page in seen or page not in moved:
            return False
        seen.add(page)
        page = moved[page].partition("#")[0]
    return True


def _dropped_page(page: str) -> str:
    message = f"{page} was published and would be gone; "
    name = re.fullmatch(r"/failures/([^/]+)/", page)
    if name:
        return message + f"keep {name[1]} in the aliases of the entry that takes its place"
    return message + "keep the page, or redirect it to the one that takes its place"


def missing(
    lock: Mapping[str, int], current: Iterable[str], redirects: Mapping[str, str]
) -> tuple[Problem, ...]:
    """Return what a build would take away from readers who kept an address.

    Args:
        lock: from `read_lock`.
        current: addresses and anchors that the build has (`/failures/x/`,
            `/failures/x/#fix`); the leading slash may be left out.
        redirects: former page addresses with the page that each leads to.

    Returns:
        One problem for each page that is neither built nor redirected to a page that
        is built, and for each anchor that its page lacks. The anchors of a page that
        is gone or redirected are not reported beside it.
    """
    present = {_rooted(address) for address in current}
    pages = {address.partition("#")[0] for address in present}
    moved = {_rooted(old): _rooted(new) for old, new in redirects.items()}
    problems: list[Problem] = []
    gone: set[str] = set()
    for address, line in lock.items():
        page, hash_, anchor = address.partition("#")
        if page in pages:
            if hash_ and address not in present:
                message = (
                    f"{page} lost its section #{anchor}, to which published links lead; "
                    "keep the section's old id as an empty target"
                )
                problems.append(Problem(LOCK_FILE, line, 0, "", message, _RULE))
        elif page not in gone and not _leads_to_a_page(page, pages, moved):
            gone.add(page)
            problems.append(Problem(LOCK_FILE, line, 0, "", _dropped_page(page), _RULE))
    return tuple(problems)


def append(lock_text: str, current: Iterable[str]) -> str:
    """Return the lock with what is published now; nothing is ever taken out.

    Args:
        lock_text: content of the file, empty at the first publication.
        current: addresses and anchors of the build, as for `missing`.

    Returns:
        The new content: the comments of the old one, then every address, sorted.

    Raises:
        ProblemsError: where the old content cannot be read, or an address of the
            build could not be read back.
    """
    comments = [line for line in lock_text.split("\n") if line.startswith("#")]
    addresses = {_rooted(address) for address in current}
    read_lock("\n".join(sorted(addresses)))
    return "\n".join([*comments, *sorted(addresses | set(read_lock(lock_text)))]) + "\n"
