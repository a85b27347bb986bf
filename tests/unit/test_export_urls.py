"""Addresses, once published, stay."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.export import urls
from generator.model import ProblemsError
from tests.unit.export_fixtures import DISK_FULL, SITE, encyclopedia

LOCK = "# Appended to by publishing.\n/failures/x/\n/failures/x/#fix\n/failures/y/\n"
PAGES = ("/failures/x/", "/failures/x/#fix", "/failures/y/")


def messages(current: tuple[str, ...], redirects: dict[str, str] | None = None) -> list[str]:
    problems = urls.missing(urls.read_lock(LOCK), current, redirects or {})
    return [str(problem) for problem in problems]


def test_addresses_join_with_and_without_slashes() -> None:
    assert urls.absolute("https://a.b/c", "/d/") == urls.absolute("https://a.b/c/", "d/")
    assert urls.entry_url(SITE, "x") == f"{SITE}failures/x/"
    assert urls.absolute("", "/d/") == "/d/"


def test_a_build_with_everything_has_no_problem() -> None:
    assert messages((*PAGES, "/failures/new/", "/failures/x/#more")) == []
    assert messages(tuple(page[1:] for page in PAGES)) == []


def test_a_dropped_page_names_its_line_and_the_alias_as_the_way_out() -> None:
    (message,) = messages(("/failures/y/",))
    assert message.startswith("urls.lock:2: /failures/x/ was published and would be gone")
    assert "keep x in the aliases" in message


def test_a_dropped_section_names_the_empty_target_as_the_way_out() -> None:
    (message,) = messages(("/failures/x/", "/failures/y/"))
    assert message.startswith("urls.lock:3: /failures/x/ lost its section #fix")
    assert "keep the section's old id as an empty target" in message


def test_a_redirect_to_a_page_of_the_build_is_enough() -> None:
    assert messages(("/failures/y/",), {"failures/x/": "failures/y/"}) == []
    chain = {"/failures/x/": "/failures/z/", "/failures/z/": "/failures/y/"}
    assert messages(("/failures/y/",), chain) == []


@pytest.mark.parametrize("target", ["/failures/nowhere/", "/failures/x/"])
def test_a_redirect_to_nowhere_or_in_a_circle_is_not(target: str) -> None:
    (message,) = messages(("/failures/y/",), {"/failures/x/": target})
    assert "urls.lock:2:" in message


def test_aliases_redirect() -> None:
    assert urls.redirects(encyclopedia(DISK_FULL)) == {
        "/failures/disk-full/": "/failures/disk-full-during-training/",
        "/failures/no-space-left/": "/failures/disk-full-during-training/",
    }
    assert urls.redirects(encyclopedia(replace(DISK_FULL, aliases=()))) == {}


@pytest.mark.parametrize("line", ["failures/x/", "https://a.b/", "//a.b/", "/a b/", "<<<<<<< HEAD"])
def test_a_line_that_is_no_address_is_named(line: str) -> None:
    with pytest.raises(ProblemsError, match=r"^urls\.lock:2: "):
        urls.read_lock(f"/failures/x/\n{line}\n")


ADDRESS = st.from_regex(r"/failures/[a-z0-9]{1,4}/(#[a-z]{1,3})?", fullmatch=True)


@given(st.sets(ADDRESS), st.sets(ADDRESS))
def test_publishing_appends_and_never_removes(old: set[str], new: set[str]) -> None:
    first = urls.append("# ours\n", old)
    second = urls.append(first, new)
    assert set(urls.read_lock(second)) == old | new
    assert second.split("\n")[1:-1] == sorted(old | new)
    assert second.startswith("# ours\n")
    assert urls.append(second, new) == second


@given(st.sets(ADDRESS))
def test_what_was_just_published_is_not_missing(published: set[str]) -> None:
    lock = urls.read_lock(urls.append("", published))
    pages = {address.partition("#")[0] for address in published}
    assert urls.missing(lock, published | pages, {}) == ()
    assert len(urls.missing(lock, (), {})) == len(pages)
