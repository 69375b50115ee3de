"""How long a tournament takes is said by what was measured here, with a span that its end falls into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.workers.house import House, spec
from workers.engine import terms
from workers.tournaments.forecast import Measured, forecast, played
from workers.tournaments.summary import PlanSummary
from workers.tournaments.traffic import games_per_second

pytestmark = pytest.mark.slow

COUNTS = st.integers(2, 100)
PAST = st.lists(st.builds(Measured, st.integers(10, 10_000), st.floats(1, 10_000), COUNTS), min_size=1, max_size=3)


@pytest.mark.parametrize(
    ("format_name", "games", "before", "took_s"),
    [
        pytest.param("uno-classic-2", 1200, (), 7.7, id="uno, the first of its format"),
        pytest.param("uno-classic-2", 3600, (Measured(1200, 5.2, 4),), 18.0, id="uno, after another one"),
        pytest.param("dos-4", 800, (), 4.2, id="dos, the first of its format"),
        pytest.param("dos-4", 800, (), 7.2, id="dos, beside other work"),
        pytest.param("dos-4", 2400, (Measured(800, 4.4, 4),), 17.1, id="dos, after another one"),
        pytest.param("uno-classic-4", 400, (), 2.2, id="four seats"),
        pytest.param("uno-classic-4", 3600, (Measured(1200, 9.9, 4),), 37.7, id="four seats, after another one"),
        pytest.param("uno-classic-500-2", 60, (), 7.5, id="many rounds a game"),
        pytest.param("uno-classic-500-2", 60, (), 14.0, id="many rounds a game, beside other work"),
        pytest.param("uno-classic-500-2", 120, (Measured(60, 10.2, 4),), 21.8, id="many rounds, after another one"),
    ],
)
def test_the_end_falls_into_the_span(format_name: str, games: int, before: Sequence[Measured], took_s: float) -> None:
    """As four house bots took on a machine of two cores, at one referee, from the begin to the last rating."""
    span = forecast(games, 4, games_per_second(terms(format_name).decisions, 1), before)
    assert span.least < took_s < span.most
    assert span.measured == sum(one.games for one in before)
    if before:
        assert span.seconds == pytest.approx(took_s, rel=0.25)


@given(st.integers(1, 100_000), COUNTS, PAST)
def test_what_is_likely_is_within_the_span(games: int, bots: int, past: list[Measured]) -> None:
    """Whatever was measured; so is what it takes at the pace of each, and where bots are waited for, too."""
    span = forecast(games, bots, 1.0, past)
    assert 0 < span.least < span.seconds < span.most
    for one in past:
        assert span.least < games / one.pace < span.most
        assert span.least < games / (one.pace * bots / one.bots) < span.most


def test_more_games_take_longer() -> None:
    """Measured or not, and nothing takes no time."""
    for past in ((), (Measured(100, 10.0, 4),)):
        assert forecast(20, 4, 5.0, past).seconds < forecast(200, 4, 5.0, past).seconds
        assert forecast(0, 4, 5.0, past).most == 0


@pytest.mark.parametrize(
    ("games", "times", "seconds"),
    [
        pytest.param(30, [(0, 2_000), (1_000, 3_000)], 3.0, id="beside each other"),
        pytest.param(30, [(90_000, 92_000), (0, 1_000)], 3.0, id="a pause between"),
        pytest.param(30, [(0, 5_000), (1_000, 2_000), (4_000, 6_000)], 6.0, id="within another"),
        pytest.param(9, [(0, 60_000)], None, id="few games"),
        pytest.param(500, [(0, 900)], None, id="short"),
        pytest.param(0, [], None, id="nothing"),
    ],
)
def test_only_the_time_of_play_counts(games: int, times: list[tuple[int, int]], seconds: float | None) -> None:
    """And what is too little tells nothing."""
    found = played(games, times, 4)
    assert (found and found.seconds) == seconds


# through the ledger


def _took(house: House, name: str, each_ms: int, apart_ms: int = 0) -> None:
    """Write down that the matches of a tournament were played one after the other."""
    begun = house.now_ms - 1_000_000
    for row in house.store.matches.every(name):
        times = ("begun_ms", begun, "ended_ms", begun + each_ms)
        house.store.link._execute("HSET", house.store.keys.match(row.id), *times)
        begun += each_ms + apart_ms


def _planned(house: House, *bots: str, meetings: int = 30) -> PlanSummary:
    house.now_ms += 60_000
    return house.desk.plan(spec("next", *bots, meetings=meetings)).summary


def test_a_plan_reckons_with_what_was_played_here(house: House) -> None:
    """Before that with what is usual; a pause costs nothing, and bots that never came tell nothing."""
    house.enter("alpha", "beta", "gamma")
    usual = _planned(house, "alpha", "beta", "gamma")
    assert (usual.measured, usual.games) == (0, 180)
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=4))
    house.play("spring")
    _took(house, "spring", 4_000, apart_ms=70_000)
    known = _planned(house, "alpha", "beta", "gamma")
    assert known.measured == 24
    assert known.seconds == pytest.approx(180 / 2 + 2)
    assert known.least_s < 90 < known.most_s < 200


def test_tournaments_that_tell_nothing_do_not_hide_one_that_does(house: House) -> None:
    """Of two games, or over within a second, as many as count; of those that tell something the newest count."""
    house.enter("alpha", "beta")
    for number in range(4):
        house.create(spec(f"long-{number}", "alpha", "beta", meetings=10))
        house.play(f"long-{number}")
        _took(house, f"long-{number}", 2_000 + number)
    for name, meetings in (("tiny-1", 1), ("tiny-2", 1), ("tiny-3", 1), ("short", 20)):
        house.now_ms += 1_000
        house.create(spec(name, "alpha", "beta", meetings=meetings))
        house.play(name)
        _took(house, name, 90)
    assert _planned(house, "alpha", "beta").measured == 60
    seconds = sorted(one.seconds for one in house.desk.recent("uno-classic-2"))
    assert seconds == [2.001, 2.002, 2.003]


def test_walkovers_are_no_measure(house: House) -> None:
    """What was decided because a bot was not there took no time."""
    house.enter("alpha", "beta")
    house.register(["gamma"])
    house.create(replace(spec("spring", "alpha", "beta", "gamma", meetings=10), grace_s=1))
    house.look(2_000)
    house.play("spring")
    _took(house, "spring", 4_000)
    assert _planned(house, "alpha", "beta").measured == 20


def test_matches_outside_of_tournaments_tell_how_long_it_takes(house: House) -> None:
    """Where there was no tournament of the format."""
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta", meetings=20))
    house.play("spring")
    _took(house, "spring", 2_000)
    for row in house.store.matches.every("spring"):
        house.store.link._execute("HSET", house.store.keys.match(row.id), "tournament", "")
    house.store.link._execute("HSET", house.store.keys.tournament("spring"), "games_done", 0)
    assert _planned(house, "alpha", "beta").measured == 40


def test_what_was_measured_is_kept_for_a_moment(house: House) -> None:
    """A list of many tournaments reads it once."""
    house.enter("alpha", "beta")
    assert house.desk.recent("uno-classic-2") == ()
    house.create(spec("spring", "alpha", "beta", meetings=20))
    house.play("spring")
    _took(house, "spring", 2_000)
    house.now_ms += 60_000
    found = house.desk.recent("uno-classic-2")
    assert [one.games for one in found] == [40]
    assert house.desk.recent("uno-classic-2") is found


def test_once_begun_the_plan_says_what_is_known_now(house: House) -> None:
    """The forecast until its own pace is known, then the time that passed and that to go, at last the time it took."""
    house.enter("alpha", "beta", "gamma")
    foretold = house.create(spec("spring", "alpha", "beta", "gamma", meetings=40)).plan.summary
    house.look(100)
    begun_ms, begun = house.now_ms, house.desk.get("spring")
    assert begun.entrants
    assert (begun.eta_s, begun.plan.summary) == (None, foretold)
    for _ in range(3):
        house.look(6_000)
        house.referee.play(house.now_ms, 1)
    status = house.desk.get("spring")
    assert status.eta_s is not None
    going = status.plan.summary
    assert going.seconds == pytest.approx((house.now_ms - begun_ms) / 1000 + status.eta_s, abs=0.2)
    assert (going.games, going.measured, going.most_s) == (foretold.games, status.games_done, 0)
    house.play("spring")
    row = house.store.tournaments.get("spring")
    took = house.desk.get("spring").plan.summary
    assert (took.seconds, took.measured) == ((row.ended_ms - row.started_ms) / 1000, foretold.games)
