"""Fixtures for all tests."""

from __future__ import annotations

import os
from collections.abc import Iterator

import hypothesis
import pytest

from tests.built import Site, build, served

# The same examples on every run in CI; no deadline, since the machine may be busy.
hypothesis.settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
hypothesis.settings.register_profile("local", deadline=None)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "local")


@pytest.fixture(scope="session")
def built_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The repository's site, built once for the sub-path that it is served under."""
    folder = tmp_path_factory.mktemp("site") / "site"
    with served(folder) as url:
        build(folder, url)
        yield Site(folder, url)
