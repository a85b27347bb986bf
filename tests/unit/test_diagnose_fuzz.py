"""Generated templates in generated logs: the matcher finds what a simple one finds."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from random import Random
from unittest.mock import patch

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.diagnose import Matcher, events, paste
from generator.diagnose.events import KEPT, Collector
from generator.diagnose.incident import gather
from generator.diagnose.layers import layers_of
from generator.diagnose.read import clean_chunks, text_blocks
from generator.diagnose.sources import Source
from tests.fuzzing import Hit, log_of, matcher_of, simple_hits

#: Whole numbers shrink no log, but are drawn a hundred times faster than each choice in it.
CHANCE = st.integers(0, 2**32).map(Random)


def hits_of(log: str, matcher: Matcher, *, small: bool) -> tuple[list[Hit], Counter[int]]:
    """What stands in single lines, and how often each pattern was found, kept or not."""
    collector = Collector(matcher)
    # A text over several lines is more than the simple matcher looks for.
    with patch.object(events, "JOINS", 0):
        for chunk in clean_chunks(text_blocks(log)):
            collector.chunk(0, chunk, small=small)
    whole = [event for event in collector.events if not event.cut]
    counts: Counter[int] = Counter()
    for event in whole:
        counts[event.pattern] += event.count
    return [Hit.of(event) for event in whole], counts


@pytest.mark.parametrize("small", [True, False])
@settings(max_examples=300, deadline=None)
@given(CHANCE)
def test_hits_are_those_of_a_simple_matcher(small: bool, chance: Random) -> None:
    matcher = matcher_of(chance, 12)
    log = log_of(chance, matcher, 12)
    expected = simple_hits(log, matcher, anchored=not small)
    found, counts = hits_of(log, matcher, small=small)
    assert set(found) <= set(expected), log
    assert counts == Counter(hit.pattern for hit in expected), log
    kept = {pattern for pattern, count in counts.items() if count <= KEPT}
    assert {hit for hit in found if hit.pattern in kept} == {
        hit for hit in expected if hit.pattern in kept
    }


@settings(max_examples=50, deadline=None)
@given(CHANCE)
def test_slices_of_the_bytes_do_not_matter(chance: Random) -> None:
    matcher = matcher_of(chance, 12)
    data = log_of(chance, matcher, 30).encode()
    places = sorted({0, len(data), *(chance.randrange(len(data) + 1) for _ in range(9))})
    slices = [data[start:end] for start, end in pairwise(places)]
    whole = layers_of([Source("log", lambda: iter([data]))], matcher, "log")
    assert layers_of([Source("log", lambda: iter(slices))], matcher, "log") == whole


def test_lines_of_all_files_share_one_bound() -> None:
    matcher = matcher_of(Random(1), 3)
    log = "a line that says nothing in particular\n" * 6_000
    gathered = gather([paste(log, f"rank{at}.log") for at in range(130)], matcher, "many")
    assert gathered.lines == 130 * 6_000
    assert len(gathered.tails) == 130
