"""How long a bot has been away from all referees."""

import pytest

from referee.hosting.absences import STALE_S, Absences
from referee.hosting.roster import INSTANT_S
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


LOOKS = 5
"""In an instant."""


@pytest.mark.parametrize(
    ("there", "since"), [(LOOKS - 1, 0), (2 * LOOKS, 10 + 2 * LOOKS)], ids=["an instant", "longer"]
)
def test_who_looks_in_for_an_instant_only_is_absent_all_along(there: int, since: int) -> None:
    """As it is for the matches that are played already: it has shown that it can dial, not that it plays."""
    absences = Absences()
    homes: list[list[str]] = [[]] * 10 + [["one"]] * there + [[]] * 10
    seen = [absences.look(BOT, 10.0 + n * INSTANT_S / LOOKS, at, BOTH) for n, at in enumerate(homes)]
    assert seen[-1] == 10.0 + since * INSTANT_S / LOOKS


def test_who_was_lost_with_its_referee_after_an_instant_has_time_to_notice_all_the_same() -> None:
    """That is not its fault, however short it was there."""
    absences = Absences()
    for now, at in ((10.0, []), (11.0, []), (11.2, ["one"])):
        absences.look(BOT, now, at, BOTH)
    assert absences.look(BOT, 11.4, [], {"two"}) == 11.4 + NOTICE_S
