"""How long a bot has been away from all referees."""

from referee.hosting.absences import STALE_S, Absences
from referee.hosting.sessions import NOTICE_S

BOT = ("ann@1", "uno-classic-2")
BOTH = {"one", "two"}


def test_absence_counts_from_the_first_look_that_missed_it() -> None:
    """However long this referee has been up."""
    absences = Absences()
    assert [absences.look(BOT, now, [], BOTH) for now in (10.0, 11.0, 12.0)] == [10.0, 10.0, 10.0]


def test_who_leaves_a_living_referee_is_absent_from_then_on() -> None:
    """It closed its stream."""
    absences = Absences()
    assert absences.look(BOT, 10.0, ["one"], BOTH) == 10.0
    assert [absences.look(BOT, now, [], BOTH) for now in (11.0, 12.0)] == [11.0, 11.0]


def test_who_was_lost_with_its_referee_has_time_to_notice() -> None:
    """A referee that stands still takes its bots half a minute to see."""
    absences = Absences()
    absences.look(BOT, 10.0, ["one"], BOTH)
    assert [absences.look(BOT, now, [], {"two"}) for now in (11.0, 12.0)] == [11.0 + NOTICE_S] * 2


def test_what_was_seen_long_ago_says_nothing() -> None:
    """It may have been there meanwhile."""
    absences = Absences()
    absences.look(BOT, 10.0, [], BOTH)
    assert absences.look(BOT, 10.0 + STALE_S + 1, [], BOTH) == 10.0 + STALE_S + 1
