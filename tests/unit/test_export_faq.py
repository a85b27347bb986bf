"""The standing questions are answered from the entry's own fields."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator.export.faq import minutes, questions
from generator.export.plain import plain_text
from generator.model import Entry
from tests.unit.export_fixtures import DISK_FULL, INODES, SILENT, WATCHDOG, encyclopedia

ALL = encyclopedia()


def answer(entry: Entry, word: str) -> str:
    (found,) = [asked.answer for asked in questions(entry, ALL) if word in asked.question]
    return found


def test_a_full_entry_answers_all_twelve_and_then_its_own() -> None:
    asked = questions(DISK_FULL, ALL)
    assert len(asked) == 13
    assert asked[-1] == DISK_FULL.faq[0]
    assert len({one.question for one in asked}) == 13
    assert all(one.question.endswith("?") for one in asked)


def test_a_question_whose_field_is_empty_is_not_asked() -> None:
    assert [one.question for one in questions(SILENT, ALL)] == [
        "What does it look like in production?",
        "Does it hit training or inference?",
        "What is the cheapest way to confirm it?",
        "Can it be found in a log automatically?",
    ]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("production", "The step counter stands still at a multiple of the save interval."),
        ("hardware", "Environment. Freeing space on `/checkpoints` lets the same code run on."),
        (
            "How long",
            "Confirming takes 1 to 2 minutes, the fix 10 to 30 minutes. "
            "Deleting from NFS takes longer than the resume.",
        ),
        ("inference", "Training, Checkpointing. At the first save after the third epoch."),
        (
            "cheapest",
            "Look at the mount that receives the saves.\n\n```bash\ndf -h /checkpoints\n```\n\n"
            "**Expect:** `Use%` is 100.",
        ),
        ("come back", "It comes back after as many saves as fit."),
        (
            "documentation",
            "- [write(2)](https://man7.org/linux/man-pages/man2/write.2.html): "
            "`ENOSPC` means no room for the data.",
        ),
        (
            "thousand",
            "- **One GPU:** Only this run stops.\n"
            "- **Many nodes:** Every rank that writes its shard fails at one step.",
        ),
        (
            "check next",
            "- [Collective watchdog timeout](../collective-watchdog-timeout/) (leads to). "
            "Rank 0 dies in the save.\n"
            "- [Inodes exhausted &lt;script>alert(1)&lt;/script>](../inode-exhaustion/) "
            "(mistaken for). `df -i` is at 100 %, `df -h` is not.\n"
            "- [DistributedSampler without set_epoch](../sampler-epoch-missing/) (see also).\n"
            "- [Inodes exhausted &lt;script>alert(1)&lt;/script>](../inode-exhaustion/) "
            "(see also). Same mount.",
        ),
    ],
)
def test_answers_are_the_entrys_own_facts(word: str, expected: str) -> None:
    assert answer(DISK_FULL, word) == expected


def test_what_is_found_automatically_depends_on_the_signatures() -> None:
    found = answer(DISK_FULL, "automatically")
    assert "left below the checkpoint folder`: points here alone" in found
    assert "certain where `at < due` and beside `basic_ios::clear: iostream error`" in found
    assert "No space left on device`: shared. An exhausted inode table prints the same." in found
    assert found.endswith("Look at the mount that receives the saves.")
    assert answer(SILENT, "automatically") == (
        "Nothing is printed. What shows: The loss curve repeats its bumps each epoch"
    )


def test_a_long_list_of_texts_is_cut_and_says_so() -> None:
    specific, shared = DISK_FULL.signatures[2], DISK_FULL.signatures[0]
    entry = replace(
        DISK_FULL,
        signatures=(
            *(replace(specific, match=f"only here {number}") for number in range(9)),
            *(replace(shared, match=f"elsewhere too {number}") for number in range(3)),
        ),
    )
    found = answer(entry, "automatically")
    assert found.count("points here alone") == 6
    assert "- 3 more, under Signatures\n- `elsewhere too 0`" in found
    assert found.count("shared. ") == 3


def test_working_code_is_named_by_what_it_does() -> None:
    other = replace(DISK_FULL.code[0], title="Another", code="second()", why="Other.", stack="")
    found = answer(replace(DISK_FULL, code=(*DISK_FULL.code, other)), "code")
    assert DISK_FULL.code[0].why in found
    assert found.endswith("- Another: Other.")


def test_a_context_line_alone_finds_nothing() -> None:
    context = replace(DISK_FULL.signatures[2], role="context")
    entry = replace(DISK_FULL, signatures=(context,))
    assert [one for one in questions(entry, ALL) if "automatically" in one.question] == []


def test_links_to_other_entries_follow_the_page() -> None:
    texts = [one.answer for one in questions(DISK_FULL, ALL, base="../failures/")]
    assert any("](../failures/inode-exhaustion/)" in text for text in texts)


def test_no_answer_stands_under_another_entry() -> None:
    asked = [
        (entry.id, one.answer) for entry in (DISK_FULL, SILENT) for one in questions(entry, ALL)
    ]
    assert len({text for _, text in asked}) == len(asked)
    # Two entries that share a prose field would be the entries' fault, not the glue's.
    assert questions(INODES, ALL)[-1].answer != questions(WATCHDOG, ALL)[-1].answer


@pytest.mark.parametrize(
    ("span", "words"),
    [
        ((1, 2), "1 to 2 minutes"),
        ((1, 1), "1 minute"),
        ((0, 5), "up to 5 minutes"),
        ((30, 240), "30 minutes to 4 hours"),
        ((60, 120), "1 to 2 hours"),
        ((60, 90), "60 to 90 minutes"),
        ((60, 1440), "1 hour to 1 day"),
        ((0, 0), "0 minutes"),
        ((1440, 4320), "1 to 3 days"),
    ],
)
def test_minutes_in_words(span: tuple[int, int], words: str) -> None:
    assert minutes(span) == words


def test_an_unclosed_fence_does_not_swallow_the_rest_of_an_answer() -> None:
    step = replace(DISK_FULL.confirm[0], step="```\nlook")
    found = answer(replace(DISK_FULL, confirm=(step,)), "cheapest")
    assert plain_text(found).endswith("Expect: Use% is 100.")
