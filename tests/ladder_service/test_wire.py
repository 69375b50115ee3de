"""Between the wire and the domain and back is the identity."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ladder import wire
from ladder.paging import MOST_PAGE, page_size
from ladder.readings.boards import Board
from ladder.readings.profiles import Profile, Version
from ladder.readings.summaries import Summary
from ladder.standings import Standing
from ladder.store.rows import MatchState
from lastcard.v1 import ladder_pb2 as pb

pytestmark = pytest.mark.slow

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
COUNT = st.integers(0, 2**32 - 1)
MOMENT = st.integers(0, 4_000_000_000_000)
NUMBER = st.floats(-1e6, 1e6, allow_nan=False)
STANDINGS = st.builds(
    Standing,
    rank=COUNT,
    bot=TEXT,
    elo=NUMBER,
    ci95=st.none() | NUMBER,
    meetings=COUNT,
    wins=COUNT,
    ties=COUNT,
    losses=COUNT,
    mean_points=NUMBER,
    faults=COUNT,
    raw_elo=NUMBER,
    luck=st.none() | NUMBER,
    provisional=st.booleans(),
)
VERSIONS = st.builds(Version, TEXT, TEXT, MOMENT)
PROFILES = st.builds(
    Profile, TEXT, TEXT, MOMENT, st.lists(VERSIONS, max_size=3).map(tuple), online=st.booleans(), house=st.booleans(),
    retired=st.booleans(),
)  # fmt: skip
SUMMARIES = st.builds(
    Summary,
    id=TEXT,
    format=TEXT,
    ruleset=TEXT,
    entrants=st.lists(TEXT, max_size=4).map(tuple),
    meetings=COUNT,
    state=st.sampled_from([state.value for state in MatchState]),
    reason=TEXT,
    tournament=TEXT,
    commitment=st.binary(max_size=32).map(bytes.hex),
    games_done=COUNT,
    wins=st.lists(COUNT, max_size=4).map(tuple),
    faults=st.lists(COUNT, max_size=4).map(tuple),
    created_ms=MOMENT,
    ended_ms=MOMENT,
)


@settings(deadline=None)
@given(STANDINGS)
def test_a_standing_survives_the_wire(row: Standing) -> None:
    """Nothing is lost, and nothing becomes zero that was absent."""
    assert wire.standing_of(pb.Standing.FromString(wire.standing_to(row).SerializeToString())) == row


@settings(deadline=None)
@given(PROFILES)
def test_a_bot_survives_the_wire(profile: Profile) -> None:
    """Names, versions and times come out as they went in."""
    assert wire.profile_of(pb.Bot.FromString(wire.profile_to(profile).SerializeToString())) == profile


@settings(deadline=None)
@given(SUMMARIES)
def test_a_match_survives_the_wire(match: Summary) -> None:
    """States, commitments and times come out as they went in."""
    assert wire.summary_of(pb.Match.FromString(wire.summary_to(match).SerializeToString())) == match


@settings(deadline=None)
@given(st.lists(STANDINGS, max_size=5).map(tuple), st.integers(0, 6))
def test_a_page_of_a_board_is_its_best(rows: tuple[Standing, ...], limit: int) -> None:
    """A board that is cut keeps its first rows in order."""
    board = wire.board_of(wire.board_to(Board("uno-classic-2", "00ff", 7, rows, matches=6), limit))
    assert (board.standings, board.seq, board.matches) == (rows[:limit], 7, 6)


@settings(deadline=None)
@given(st.integers(-(2**31), 2**31 - 1))
def test_every_number_of_a_state_is_known_or_refused(number: int) -> None:
    """An open enum of the wire never becomes a state by accident."""
    known = {value.number for value in pb.MatchState.DESCRIPTOR.values}
    if number in known:
        state = wire.match_state(number)
        assert pb.MatchState.Name(number) == f"MATCH_STATE_{'UNSPECIFIED' if state is None else state.name}"
    else:
        with pytest.raises(Exception, match="is no MatchState"):
            wire.match_state(number)


def test_every_state_of_the_ledger_has_a_number() -> None:
    """A new state cannot be forgotten on the wire."""
    known = {wire.match_state(value.number) for value in pb.MatchState.DESCRIPTOR.values}
    assert known == {None, *MatchState}


@settings(deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_a_page_size_is_within_its_limits_or_refused(size: int) -> None:
    """Zero stands for a hundred, and nobody gets more than a thousand."""
    if size > MOST_PAGE:
        with pytest.raises(Exception, match="at most 1000"):
            page_size(size)
    else:
        assert 1 <= page_size(size) <= MOST_PAGE


def test_the_interval_of_a_fit_may_be_zero() -> None:
    """Absent and zero are two things."""
    row = Standing(1, "a@1", 1500.0, 0.0, 1, 1, 0, 0, 0.0, 0, 1500.0, None, provisional=True)
    assert wire.standing_of(wire.standing_to(row)).ci95 == 0.0
    assert not math.isnan(wire.standing_to(row).ci95)
