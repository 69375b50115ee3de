"""When a cron line is due, in its own time zone.

The line is parsed by Celery, and means what it means there: all five fields have to agree (classic cron takes either
day field). A local time that the change to summer time skips is left out; one that comes twice in autumn counts once.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import islice
from typing import Any, Final
from zoneinfo import ZoneInfo

from celery.schedules import ParseException, crontab

from ladder.errors import InvalidFieldError

__all__ = ["Cron", "check_zone"]

FIELDS: Final = 5
LETTERS: Final = re.compile(r"[A-Za-z0-9*,/\- \t]+", re.ASCII)
DIGITS: Final = 2
"""No number of a field, a step included, has more."""
RANGES: Final = "minutes are 0-59, hours 0-23, days 1-31, months 1-12, and weekdays 0-6 from Sunday, which is 0"
OF_MACHINES: Final = re.compile(r"localtime|posixrules|(?:posix|right)/.+")
"""Beside the zones lie files that are none: what a machine is set to, and other tellings of the same zones."""
HORIZON_DAYS: Final = 41 * 366
"""The next 29th of February that is a Monday may be forty years away, and none is further."""


@dataclass(frozen=True, slots=True)
class Cron:
    """A parsed cron line with its time zone."""

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    zone: ZoneInfo

    @classmethod
    def parse(cls, line: str, zone: str = "UTC") -> Cron:
        """Return the cron line.

        Raises:
            InvalidFieldError: BAD_CRON or BAD_TIMEZONE, with what is wrong.
        """
        if len(line.split()) != FIELDS:
            raise _bad(line, "it needs five fields: minute hour day month weekday")
        if not LETTERS.fullmatch(line):
            raise _bad(line, "it has numbers, names of days and months, and * , - / alone")
        if large := next((number for number in re.findall(r"\d+", line) if len(number) > DIGITS), ""):
            raise _bad(line, f"{large} is no minute, hour, day, month or step of any")
        try:
            parsed: Any = crontab.from_string(line)  # its parts are missing in the stubs
        except (ParseException, ValueError) as error:
            raise _bad(line, f"{str(error).rstrip('.')}; {RANGES}") from error
        return cls(
            minutes=tuple(sorted(parsed.minute)),
            hours=tuple(sorted(parsed.hour)),
            days=frozenset(parsed.day_of_month),
            months=frozenset(parsed.month_of_year),
            weekdays=frozenset(parsed.day_of_week),
            zone=_zone(zone),
        )

    def after(self, moment: datetime) -> Iterator[datetime]:
        """Yield the times after a moment, soonest first, in UTC, as far as the horizon."""
        first = moment.astimezone(self.zone).date()
        for number in range(HORIZON_DAYS):
            yield from (time_ for time_ in self._times(first + timedelta(days=number)) if time_ > moment)

    def next(self, moment: datetime, count: int) -> tuple[datetime, ...]:
        """Return the next times after a moment, at most `count`."""
        return tuple(islice(self.after(moment), count))

    def latest(self, since: datetime, until: datetime) -> datetime | None:
        """Return the last time in (since, until], or None: missed times are made up for once."""
        last, stop = until.astimezone(self.zone).date(), since.astimezone(self.zone).date()
        for number in range(min((last - stop).days + 1, HORIZON_DAYS)):
            times = [time_ for time_ in self._times(last - timedelta(days=number)) if since < time_ <= until]
            if times:
                return times[-1]
        return None

    def _times(self, day: date) -> list[datetime]:
        """Return the times of a day of the zone, in order, in UTC."""
        if not (day.month in self.months and day.day in self.days and (day.weekday() + 1) % 7 in self.weekdays):
            return []
        local = (datetime.combine(day, time(hour, minute)) for hour in self.hours for minute in self.minutes)
        return sorted(found for found in map(self._in_utc, local) if found is not None)

    def _in_utc(self, local: datetime) -> datetime | None:
        """Return a local time in UTC; None where clocks skip it."""
        found = local.replace(tzinfo=self.zone).astimezone(UTC)
        exists = found.astimezone(self.zone).replace(tzinfo=None) == local
        return found if exists else None


def check_zone(name: str) -> None:
    """Check that a time zone means the same on every machine.

    Raises:
        InvalidFieldError: it is no name of IANA's, or not known here.
    """
    if OF_MACHINES.fullmatch(name):
        message = f"timezone {name!r} is no zone of IANA's: write one like Asia/Ho_Chi_Minh, or UTC"
        raise InvalidFieldError("BAD_TIMEZONE", message, field="timezone", value=name)
    _zone(name)


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name or "UTC")
    except (KeyError, ValueError, OSError) as error:
        message = f"timezone {name!r} is not known here: write an IANA name like Asia/Ho_Chi_Minh"
        raise InvalidFieldError("BAD_TIMEZONE", message, field="timezone", value=name) from error


def _bad(line: str, why: str) -> InvalidFieldError:
    message = f"cron line {line!r}: {why}; for example '0 2 * * *' is every night at two"
    return InvalidFieldError("BAD_CRON", message, field="cron", value=line)
