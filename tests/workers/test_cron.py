"""Cron lines in their own time zone: the days the clocks change, leap days, and what was missed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder.errors import InvalidFieldError
from workers.tournaments.cron import Cron

pytestmark = pytest.mark.slow


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def nexts(line: str, zone: str, moment: str, count: int = 3) -> list[str]:
    return [found.strftime("%Y-%m-%d %H:%M") for found in Cron.parse(line, zone).next(utc(moment), count)]


@pytest.mark.parametrize(
    ("line", "zone", "moment", "expected"),
    [
        pytest.param(
            "0 2 * * *",
            "Asia/Ho_Chi_Minh",
            "2026-11-29 20:00",
            ["2026-11-30 19:00", "2026-12-01 19:00", "2026-12-02 19:00"],
            id="every night at two in Saigon is seven in the evening before in UTC",
        ),
        pytest.param(
            "30 9 * * 1-5",
            "UTC",
            "2026-11-27 09:30",
            ["2026-11-30 09:30", "2026-12-01 09:30", "2026-12-02 09:30"],
            id="workdays: a time is not after itself, and the weekend is left out",
        ),
        pytest.param("0 0 29 2 *", "UTC", "2026-01-01 00:00", ["2028-02-29 00:00", "2032-02-29 00:00"], id="leap days"),
        pytest.param(
            "30 2 * * *",
            "Europe/Berlin",
            "2026-03-28 12:00",
            ["2026-03-30 00:30", "2026-03-31 00:30", "2026-04-01 00:30"],
            id="the night that has no half past two",
        ),
        pytest.param(
            "30 2 * * *",
            "Europe/Berlin",
            "2026-10-24 12:00",
            ["2026-10-25 00:30", "2026-10-26 01:30", "2026-10-27 01:30"],
            id="the night that has two of them counts once",
        ),
        pytest.param(
            "0 0 29 2 1", "UTC", "2072-03-01 00:00", ["2112-02-29 00:00"], id="a leap day on a Monday: forty years"
        ),
        pytest.param(
            "0,30 */12 1 * *",
            "UTC",
            "2026-11-29 00:00",
            ["2026-12-01 00:00", "2026-12-01 00:30", "2026-12-01 12:00"],
            id="lists and steps",
        ),
    ],
)
def test_next_times(line: str, zone: str, moment: str, expected: list[str]) -> None:
    """The next times of a line after a moment."""
    assert nexts(line, zone, moment, len(expected)) == expected


CHANGES = [
    ("Europe/Berlin", "2026-03-29 01:00"),
    ("Europe/Berlin", "2026-10-25 01:00"),
    ("America/New_York", "2026-03-08 07:00"),
    ("America/New_York", "2026-11-01 06:00"),
    ("Australia/Lord_Howe", "2026-04-04 15:00"),
    ("Australia/Lord_Howe", "2026-10-03 15:30"),
    ("Antarctica/Troll", "2026-03-29 01:00"),
    ("Antarctica/Troll", "2026-10-25 01:00"),
    ("America/Havana", "2026-03-08 05:00"),
    ("America/Havana", "2026-11-01 05:00"),
    ("Pacific/Apia", "2011-12-30 10:00"),
    ("Asia/Pyongyang", "2018-05-04 15:00"),
]
"""Zones, and when their clocks change: by an hour, by half of one, by two, at midnight, over a whole day, for good."""


@pytest.mark.parametrize(("zone", "change"), CHANGES)
@given(
    minutes=st.sampled_from(["0", "30", "*/20", "59"]),
    hours=st.sampled_from(["*", "0", "1", "2", "3", "23", "*/3"]),
    before_m=st.integers(0, 2_000),
)
@settings(max_examples=12)
def test_around_a_change_of_clocks_the_next_three_are_those_that_the_clock_shows(
    zone: str, change: str, minutes: str, hours: str, before_m: int
) -> None:
    """Minute by minute: a time is due when the local clock shows it, and where it shows it twice, the first time."""
    cron, here = Cron.parse(f"{minutes} {hours} * * *", zone), ZoneInfo(zone)
    moment = utc(change) - timedelta(minutes=before_m)
    shown = list[datetime]()
    while len(shown) < 3:
        moment += timedelta(minutes=1)
        local = moment.astimezone(here)
        if not local.fold and local.minute in cron.minutes and local.hour in cron.hours:
            shown.append(moment)
    assert list(cron.next(utc(change) - timedelta(minutes=before_m), 3)) == shown


@pytest.mark.parametrize(
    ("since", "until", "expected"),
    [
        pytest.param("2026-11-01 00:00", "2026-11-20 12:00", "2026-11-20 02:00", id="many were missed: the last one"),
        pytest.param("2026-11-20 02:00", "2026-11-20 12:00", None, id="that one was acted on"),
        pytest.param("2026-11-20 02:00", "2026-11-21 02:00", "2026-11-21 02:00", id="just now"),
        pytest.param("2026-11-20 12:00", "2026-11-20 11:00", None, id="clocks that went back"),
    ],
)
def test_missed_times_are_made_up_for_once(since: str, until: str, expected: str | None) -> None:
    """However long nobody looked, one run is due, not many."""
    found = Cron.parse("0 2 * * *").latest(utc(since), utc(until))
    assert found == (utc(expected) if expected else None)


@given(st.integers(0, 500_000), st.integers(1, 5_000))
def test_latest_is_the_last_of_the_next(minute: int, minutes: int) -> None:
    """Looking back and looking forward see the same times."""
    cron = Cron.parse("*/7 3,11 * * 2,5", "America/New_York")
    since = utc("2026-01-01 00:00") + timedelta(minutes=minute)
    until = since + timedelta(minutes=minutes)
    forward = [found for found in cron.next(since, 200) if found <= until]
    assert cron.latest(since, until) == (forward[-1] if forward else None)


@pytest.mark.parametrize(
    ("line", "zone", "reason", "sentence"),
    [
        pytest.param("0 2 * *", "UTC", "BAD_CRON", "five fields", id="four fields"),
        pytest.param("0 25 * * *", "UTC", "BAD_CRON", "25", id="hour 25"),
        pytest.param("0 2 * * 7", "UTC", "BAD_CRON", "weekdays 0-6 from Sunday, which is 0;", id="Sunday by 7"),
        pytest.param("x 2 * * *", "UTC", "BAD_CRON", "x", id="no number"),
        pytest.param("\u0661 2 * * *", "UTC", "BAD_CRON", "it has numbers", id="other digits"),
        pytest.param(f"*/{'9' * 30} 2 * * *", "UTC", "BAD_CRON", "is no minute", id="a step that is too long"),
        pytest.param("0 0 30 2 *", "UTC", "BAD_CRON", "never occurs", id="30 February"),
        pytest.param("0 2 * * *", "Mars/Olympus", "BAD_TIMEZONE", "IANA", id="unknown zone"),
        pytest.param("0 2 * * *", "../etc/passwd", "BAD_TIMEZONE", "IANA", id="a path for a zone"),
    ],
)
def test_what_is_wrong_with_a_line(line: str, zone: str, reason: str, sentence: str) -> None:
    """A bad line or zone is refused by a reason and a sentence that shows what to write."""
    with pytest.raises(InvalidFieldError, match=sentence) as refused:
        Cron.parse(line, zone)
    assert refused.value.reason == reason
