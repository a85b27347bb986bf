"""Review dates as dates."""

from __future__ import annotations

from datetime import UTC, datetime

from generator.model import Entry, Problem, ProblemsError


def reviewed_at(entry: Entry) -> datetime:
    """Return the day of an entry's review, at midnight UTC.

    Args:
        entry: the entry.

    Raises:
        ProblemsError: where the date is no day of the calendar (`2026-02-31`).
    """
    try:
        return datetime.strptime(entry.reviewed.date, "%Y-%m-%d").replace(tzinfo=UTC)
    except ValueError:
        message = f"{entry.reviewed.date!r} is no day of the calendar; write YYYY-MM-DD"
        problem = Problem(entry.path, 0, 0, "reviewed.date", message, "reviewed-date")
        raise ProblemsError((problem,)) from None
