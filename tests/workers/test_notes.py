"""What the planner remembers: who is missing, how fast it goes, who belongs together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.pace import Pace
from workers.schedule.deal_groups import HOUSE
from workers.schedule.window import Cursor
from workers.tournaments.notes import Notes

ENTRANTS = ("a@1", "b@1", "c@1")


def test_who_is_missing_keeps_the_time_since_when() -> None:
    """Being away is counted from the first look without it, and forgotten when it is back."""
    notes = Notes().attended(ENTRANTS, frozenset({"a@1", "b@1"}), 1000)
    notes = notes.attended(ENTRANTS, frozenset({"b@1"}), 5000)
    assert notes.missing == {"a@1": 5000, "c@1": 1000}
    assert notes.gone(121_000, 120_000) == {"c@1"}
    assert notes.attended(ENTRANTS, frozenset(ENTRANTS), 6000).missing == {}


@pytest.mark.parametrize(
    ("kin", "related"),
    [
        pytest.param({"a@1": 1, "b@1": 2}, False, id="strangers"),
        pytest.param({"a@1": 1, "b@1": 1}, True, id="one owner"),
        pytest.param({"a@1": HOUSE, "b@1": HOUSE}, False, id="the house may meet itself"),
        pytest.param({"a@1": HOUSE, "b@1": 1}, False, id="the house and a stranger"),
    ],
)
def test_related_bots(kin: dict[str, int], related: bool) -> None:
    """Bots of one owner are never rated against each other, house bots are."""
    assert Notes(kin=kin).related(("a@1", "b@1")) is related


@given(
    st.builds(
        Notes,
        cursor=st.builds(Cursor, st.integers(0, 100), st.lists(st.integers(0, 100)).map(tuple)),
        missing=st.dictionaries(st.text(), st.integers()),
        pace=st.builds(Pace, st.lists(st.tuples(st.integers(), st.integers())).map(tuple)),
        kin=st.dictionaries(st.text(), st.integers()),
    )
)
def test_json_and_back(notes: Notes) -> None:
    """Notes survive being written and read."""
    assert Notes.parse(notes.text()) == notes


def test_no_notes_yet() -> None:
    """Before anything was written there is nothing to remember."""
    assert Notes.parse("") == Notes()


def test_pace_and_eta() -> None:
    """The pace is that of the last minute; what is left at that pace is the time to go."""
    pace = Pace()
    for second in range(0, 100, 5):
        pace = pace.seen(second * 1000, second * 20)
    assert pace.games_per_second(100_000, 2000) == pytest.approx(20)
    assert pace.eta_s(100_000, 2000, 2400) == pytest.approx(20)
    assert pace.samples[0][0] >= 30_000


def test_nothing_moves_no_eta() -> None:
    """Without progress nobody can say how long it takes."""
    assert Pace(((0, 10),)).eta_s(60_000, 10, 100) is None
    assert Pace().eta_s(60_000, 10, 100) is None


def test_samples_are_apart() -> None:
    """Many looks in a short time leave one sample."""
    assert Pace().seen(0, 0).seen(4_999, 10).samples == ((0, 0),)
