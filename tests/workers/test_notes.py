"""What the planner remembers: who is missing, how fast it goes, who belongs together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.pace import Pace
from workers.schedule.deal_groups import HOUSE
from workers.schedule.window import Cursor
from workers.tournaments.notes import Notes
from workers.tournaments.outlook import Mark, Outlook

ENTRANTS = ("a@1", "b@1", "c@1")


def test_who_is_missing_keeps_the_time_since_when() -> None:
    """Being away is counted from the first look without it, and forgotten when it is back."""
    notes = Notes().attended(ENTRANTS, frozenset({"a@1", "b@1"}), 1000)
    notes = notes.attended(ENTRANTS, frozenset({"b@1"}), 5000)
    assert notes.missing == {"a@1": 5000, "c@1": 1000}
    assert notes.gone(121_000, 120_000) == {"c@1"}
    assert notes.attended(ENTRANTS, frozenset(ENTRANTS), 6000).missing == {}


def test_a_pause_takes_nothing_from_anybodys_grace() -> None:
    """The clock stands still: who was missing keeps what was left, and who left meanwhile begins at its end."""
    notes = Notes().attended(ENTRANTS, frozenset({"b@1", "c@1"}), 1_000)
    notes = notes.held(11_000).held(12_000).attended(ENTRANTS, frozenset({"b@1"}), 50_000)
    resumed = notes.resumed(0, 111_000)
    assert resumed.missing == {"a@1": 101_000, "c@1": 111_000}
    assert resumed.held_ms == 0
    assert resumed.gone(121_000, 20_000) == {"a@1"}


def test_who_was_back_during_a_pause_begins_anew() -> None:
    """As at any other time."""
    notes = Notes().attended(ENTRANTS, frozenset({"b@1", "c@1"}), 1_000).held(11_000)
    notes = notes.attended(ENTRANTS, frozenset(ENTRANTS), 50_000)
    notes = notes.attended(ENTRANTS, frozenset({"b@1", "c@1"}), 60_000)
    assert notes.resumed(0, 111_000).missing == {"a@1": 111_000}


@pytest.mark.parametrize(
    ("start_ms", "rested_ms"),
    [
        pytest.param(5_000, 90_000, id="paused after its time"),
        pytest.param(60_000, 40_000, id="paused before it"),
        pytest.param(200_000, 0, id="goes on before it"),
    ],
)
def test_a_pause_before_the_begin_counts_from_the_start_on(start_ms: int, rested_ms: int) -> None:
    """Bots are waited for from then on; two pauses add up."""
    once = Notes().held(10_000).resumed(start_ms, 100_000)
    assert once.rested_ms == rested_ms
    assert once.held(200_000).resumed(start_ms, 201_000).rested_ms == rested_ms + 1_000


def test_nobody_waits_for_a_bot_without_matches() -> None:
    """It has played all it had to."""
    notes = Notes(missing={"a@1": 1, "b@1": 2}).awaiting({"b@1", "c@1"})
    assert notes.missing == {"b@1": 2}


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


MARKS = st.builds(Mark, st.integers(), st.lists(st.integers()).map(tuple))


@given(
    st.builds(
        Notes,
        cursor=st.builds(Cursor, st.integers(0, 100), st.lists(st.integers(0, 100)).map(tuple)),
        missing=st.dictionaries(st.text(), st.integers()),
        pace=st.builds(Pace, st.lists(st.tuples(st.integers(), st.integers())).map(tuple), st.integers()),
        outlook=st.builds(Outlook, st.lists(MARKS, max_size=2).map(tuple), st.integers()),
        kin=st.dictionaries(st.text(), st.integers()),
        held_ms=st.integers(0),
        rested_ms=st.integers(0),
        even=st.booleans(),
        spread=st.booleans(),
        meetings=st.integers(0),
    )
)
def test_json_and_back(notes: Notes) -> None:
    """Notes survive being written and read."""
    assert Notes.parse(notes.text()) == notes


def test_notes_of_an_earlier_version_know_no_pause_and_no_other_order() -> None:
    """A tournament goes on through an upgrade."""
    text = Notes(missing={"a@1": 1}).text()
    for later in (',"held":0', ',"rested":0', '"even":false,', ',"spread":false', '"meetings":0,'):
        assert later in text
        text = text.replace(later, "")
    assert Notes.parse(text) == Notes(missing={"a@1": 1})


def test_no_notes_yet() -> None:
    """Before anything was written there is nothing to remember."""
    assert Notes.parse("") == Notes()


def test_pace_is_that_of_the_last_minute() -> None:
    """Older moments are left out."""
    pace = Pace()
    for second in range(0, 100, 5):
        pace = pace.seen(second * 1000, 1 + second * 20)
    assert pace.games_per_second(100_000, 2001) == pytest.approx(20)
    assert pace.samples[0][0] >= 30_000


def test_what_it_takes_to_begin_is_no_part_of_the_pace() -> None:
    """Of the moments before the first game the last one counts, however close they are."""
    pace = Pace()
    for second in range(9):
        pace = pace.seen(second * 1000, 0)
    pace = pace.seen(14_000, 60)
    assert pace.samples == ((8_000, 0), (14_000, 60))
    assert pace.games_per_second(14_000, 60) == pytest.approx(10)


def test_time_to_go_is_until_then() -> None:
    """It was reckoned when it will be over; past that moment it is any second, and where nothing moves nobody knows."""
    pace = Pace(((0, 0), (40_000, 50)), 150_000)
    assert pace.eta_s(60_000) == 90
    assert pace.eta_s(100_001) is None  # nobody has reckoned for a minute: workers are down
    assert replace(pace, over_ms=70_000).eta_s(70_000) is None  # it was wrong
    assert Pace().eta_s(60_000) is None


def test_a_pause_is_no_part_of_the_pace() -> None:
    """When a tournament goes on, it is measured anew."""
    before = Notes(pace=Pace(((0, 0), (5_000, 50)), 90_000), outlook=Outlook((Mark(0, (7, 7)),), 5_000), held_ms=5_000)
    after = before.resumed(0, 65_000)
    assert (after.pace, after.outlook) == (Pace(), Outlook())


def test_samples_are_apart() -> None:
    """Many looks in a short time leave one sample."""
    assert Pace().seen(0, 1).seen(4_999, 10).samples == ((0, 1),)


@pytest.mark.parametrize("even", [False, True])
@pytest.mark.parametrize("spread", [False, True])
@pytest.mark.parametrize(
    "harm",
    [
        pytest.param(lambda text: text.replace('"gaps":[]', '"gaps":7'), id="a field is something else"),
        pytest.param(lambda text: text[:-1], id="cut off"),
        pytest.param(lambda text: text[9:], id="its beginning is gone"),
        pytest.param(lambda text: text.replace('"next":0', '"next":\ufffd'), id="a byte is none"),
    ],
)
def test_damaged_notes_say_in_which_order_the_tables_are(even: bool, spread: bool, harm: Callable[[str], str]) -> None:
    """That of the release that began the tournament, whatever else of them is gone."""
    text = Notes(even=even, spread=spread, missing={"b@1": 5}).text()
    assert harm(text) != text
    assert Notes.salvaged(harm(text), {}) == Notes(even=even, spread=spread)


def test_damaged_notes_say_who_belonged_together_when_it_began() -> None:
    """Owners may have been linked since; where the notes do not say it of all, it is as it is now."""
    now = {"a@1": 1, "b@1": 1, "c@1": HOUSE}
    noted = Notes(kin={"a@1": 1, "b@1": 2, "c@1": HOUSE}).text().replace('"gaps":[]', '"gaps":7')
    assert Notes.salvaged(noted, now).kin == {"a@1": 1, "b@1": 2, "c@1": HOUSE}
    for text in ("", "7", noted[:-1], noted.replace('"b@1":2', '"b@1":"x"'), noted.replace('"a@1":1,', "")):
        assert Notes.salvaged(text, now).kin == now
