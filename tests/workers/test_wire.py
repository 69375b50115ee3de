"""What goes over the wire comes back as it was."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.errors import InvalidFieldError
from ladder.judged import Judged
from ladder.standings import Standing
from ladder.tables import PairResult, RankRange, Table
from lastcard.errors import ProtocolError
from lastcard.v1 import tournament_pb2 as pb
from workers.tournaments.life import State
from workers.tournaments.progress import summed_up
from workers.tournaments.spec import Deals, Kind, Size, TournamentSpec
from workers.tournaments.summary import PlanSummary
from workers.tournaments.tournament_status import Plan, TournamentStatus, status_shape
from workers.tournaments.wire import plan_of, plan_to, spec_of, spec_to, status_of, status_to

pytestmark = pytest.mark.slow

WORDS = st.text(st.characters(codec="utf-8"), max_size=12)
COUNTS = st.integers(0, 2**31)
NUMBERS = st.floats(0, 1e6)
MOMENTS = st.integers(1, 4_000_000_000_000)
SPECS = st.builds(
    TournamentSpec,
    name=WORDS,
    format=WORDS,
    bots=st.lists(WORDS, max_size=3).map(tuple),
    all=st.booleans(),
    kind=st.sampled_from(Kind),
    meetings=st.integers(1, 10_000),
    cycles=st.integers(1, 1_000),
    start_ms=st.none() | MOMENTS,
    cron=WORDS,
    timezone=WORDS.filter(bool),
    deals=st.none() | st.sampled_from(Deals),
    schedule_seed=st.integers(0, 2**64 - 1),
    grace_s=st.integers(0, 604_800),
    trusted=st.booleans(),
    unrated=st.booleans(),
    nonces=st.booleans(),
    size=st.none() | st.sampled_from(Size),
    sprt=st.none() | st.builds(Judged, NUMBERS, NUMBERS, st.booleans()),
)
PLANS = st.builds(
    Plan,
    st.builds(
        PlanSummary,
        matches=COUNTS,
        meetings=COUNTS,
        games=COUNTS,
        meetings_per_bot=COUNTS,
        seconds=st.floats(0.001, 1e9),
        expected_ci95=st.none() | st.floats(0.1, 1000),
        per_pairing=COUNTS,
    ),
    st.lists(MOMENTS, max_size=3).map(tuple),
)
STANDINGS = st.builds(
    Standing,
    rank=COUNTS,
    bot=WORDS,
    elo=NUMBERS,
    ci95=st.none() | NUMBERS,
    meetings=COUNTS,
    wins=COUNTS,
    ties=COUNTS,
    losses=COUNTS,
    mean_points=NUMBERS,
    faults=COUNTS,
    raw_elo=NUMBERS,
    luck=st.none() | NUMBERS,
    provisional=st.booleans(),
)
PAIRS = st.builds(
    PairResult,
    a=WORDS,
    b=WORDS,
    score=NUMBERS,
    elo=NUMBERS,
    ci95=NUMBERS,
    games=COUNTS,
    points_a=NUMBERS,
    points_b=NUMBERS,
)
RECORDS = st.builds(
    TournamentStatus,
    spec=SPECS,
    state=st.sampled_from(State),
    plan=PLANS,
    entrants=st.lists(WORDS, max_size=3).map(tuple),
    matches_done=COUNTS,
    matches_lost=COUNTS,
    matches_created=COUNTS,
    matches_replayed=COUNTS,
    missing=st.lists(WORDS, max_size=3).map(tuple),
    other_versions=st.lists(WORDS, max_size=3).map(tuple),
    not_offering=st.lists(WORDS, max_size=3).map(tuple),
    games_done=COUNTS,
    games_per_second=NUMBERS,
    rounds_a_game=NUMBERS,
    eta_s=st.none() | NUMBERS,
    commitment=st.binary(max_size=32).map(bytes.hex),
    deal_seed=st.binary(max_size=32),
    ruleset=WORDS,
    created_ms=MOMENTS,
    started_ms=st.just(0) | MOMENTS,
    ended_ms=st.just(0) | MOMENTS,
    table=st.builds(
        Table,
        st.lists(STANDINGS, max_size=2).map(tuple),
        st.lists(PAIRS, max_size=2).map(tuple),
        st.lists(NUMBERS, max_size=4).map(tuple),
        ranks=st.lists(st.builds(RankRange, WORDS, COUNTS, COUNTS), max_size=2).map(tuple),
        lc_versions=st.lists(WORDS, max_size=2).map(tuple),
        groups=st.lists(st.lists(WORDS, max_size=2).map(tuple), max_size=2).map(tuple),
    ),
).map(lambda status: replace(status, table=replace(status.table, known=bool(status.ruleset))))


@given(SPECS)
def test_a_description(spec: TournamentSpec) -> None:
    """A description survives the wire."""
    assert spec_of(spec_to(spec)) == spec


@given(PLANS)
def test_a_plan(plan: Plan) -> None:
    """A plan survives the wire."""
    assert plan_of(plan_to(plan)) == plan


@given(RECORDS)
def test_an_older_ladder_says_nothing_of_rounds(status: TournamentStatus) -> None:
    """So games a second are shown, and programs are told that it is not known."""
    message = status_to(replace(status, state=State.RUNNING, games_per_second=12.0, eta_s=None))
    message.ClearField("rounds_per_game")
    old = status_of(message)
    line = summed_up(old)
    assert ", 12 games/s" in line
    assert "rounds/s" not in line
    assert status_shape(old)["rounds_per_second"] is None


def test_what_a_newer_ladder_says_is_an_error_with_advice() -> None:
    """A state of tomorrow is not taken for one of today."""
    message = pb.Tournament(state=99)  # type: ignore[arg-type]  # an open enum takes every number
    with pytest.raises(
        ProtocolError, match="state 99, which this lastcard does not know: install a newer one"
    ) as newer:
        status_of(message)
    assert (newer.value.reason, newer.value.value, newer.value.allowed) == ("NEWER_LADDER", 99, tuple(range(1, 8)))


@given(RECORDS)
def test_a_tournament(status: TournamentStatus) -> None:
    """A tournament with its table survives the wire."""
    assert status_of(status_to(status)) == status


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        pytest.param(b"\x28\x63", "kind 99 is not known here; there are 1 (roundrobin), 2 (gauntlet)", id="kind"),
        pytest.param(b"\x58\x63", "there are 1 (fresh), 2 (mirrored), 3 (field)", id="deals"),
        pytest.param(b"\x98\x01\x63", "there are 1 (quick), 2 (default), 3 (fine)", id="size"),
    ],
)
def test_a_number_that_stands_for_nothing_is_told_which_do(number: bytes, sentence: str) -> None:
    """With their words, and what 0 means."""
    with pytest.raises(InvalidFieldError, match=re.escape(f"{sentence}, and 0 for what is usual")):
        spec_of(pb.TournamentSpec.FromString(number))
