"""Printed times as comparable whole milliseconds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_CLOCK = r"([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.,]([0-9]{1,9}))?"
_FULL = re.compile(
    rf"^([0-9]{{4}})[-/]([0-9]{{2}})[-/]([0-9]{{2}})[T ]{_CLOCK}(Z|[-+][0-9]{{2}}:?[0-9]{{2}})?",
    re.ASCII,
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_SYSLOG = re.compile(rf"^(?:[A-Z][a-z]{{2}} )?([A-Z][a-z]{{2}}) ([ 0-9][0-9]) {_CLOCK}", re.ASCII)
_ONLY_CLOCK = re.compile(rf"^{_CLOCK}$", re.ASCII)
_MONTH_DAY = re.compile(r"^([0-9]{1,2})-?([0-9]{2})$", re.ASCII)

_DAY = 86_400_000


@dataclass(frozen=True, slots=True)
class Moment:
    """A time in whole milliseconds.

    Attributes:
        scale: what it counts from: `date` (with year), `day` (month and day without
            year), `clock` (time of day) or `uptime`. Only moments of one scale compare.
        value: milliseconds on that scale.
    """

    scale: str
    value: int


def moment_of(fields: Mapping[str, str]) -> Moment | None:
    """Return the time that a line's prefixes state, None where they state none."""
    text = fields.get("time", "")
    if text and (moment := _full(text) or _syslog(text)):
        return moment
    clock = _ONLY_CLOCK.match(fields.get("clock", ""))
    if clock:
        milliseconds = _milliseconds(*clock.groups())
        day = _MONTH_DAY.match(fields.get("month_day", ""))
        if day:
            return Moment("day", _days(2000, int(day[1]), int(day[2])) * _DAY + milliseconds)
        return Moment("clock", milliseconds)
    uptime = fields.get("uptime", "")
    if re.fullmatch(r"[0-9]{1,10}[.][0-9]{6}", uptime, re.ASCII):
        return Moment("uptime", int(uptime.replace(".", "")) // 1000)
    return None


def shown(fields: Mapping[str, str]) -> str | None:
    """Return the time of a line as its prefixes print it."""
    if time := fields.get("time"):
        return time
    if clock := fields.get("clock"):
        day = fields.get("month_day")
        return f"{day} {clock}" if day else clock
    return fields.get("uptime")


def _full(text: str) -> Moment | None:
    found = _FULL.match(text)
    if found is None:
        return None
    value = _days(int(found[1]), int(found[2]), int(found[3])) * _DAY
    value += _milliseconds(*found.groups()[3:7])
    zone = found[8]
    if zone and zone != "Z":
        sign = -1 if zone[0] == "-" else 1
        value -= sign * (int(zone[1:3]) * 60 + int(zone[-2:])) * 60_000
    return Moment("date", value)


def _syslog(text: str) -> Moment | None:
    found = _SYSLOG.match(text)
    if found is None or found[1] not in _MONTHS:
        return None
    days = _days(2000, _MONTHS.index(found[1]) + 1, int(found[2]))
    return Moment("day", days * _DAY + _milliseconds(*found.groups()[2:6]))


def _milliseconds(hours: str, minutes: str, seconds: str, part: str | None) -> int:
    fraction = int((part or "0").ljust(3, "0")[:3])
    return ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + fraction


def _days(year: int, month: int, day: int) -> int:
    """Return days since 1970-01-01, also for a date that no calendar has.

    Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil.
    """
    year -= month <= 2
    era = year // 400
    of_era = year - era * 400
    of_year = (153 * (month + (-3 if month > 2 else 9)) + 2) // 5 + day - 1
    return era * 146_097 + of_era * 365 + of_era // 4 - of_era // 100 + of_year - 719_468
