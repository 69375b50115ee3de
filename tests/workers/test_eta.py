"""After a tenth of a run, what is said of its end is right within 15 %."""

from __future__ import annotations

import random

import pytest

from ladder.pace import Pace
from tests.workers.house import House, spec
from workers.tournaments.life import State

pytestmark = pytest.mark.slow

WITHIN = 0.15
LOOK_MS = 5_000


def run(seed: int, games_s: float, games: int, slow_start_s: float) -> list[tuple[int, int]]:
    """Return `(ms, games done)` as looks every five seconds see them: games end by matches of 32, unevenly."""
    chance = random.Random(seed)
    seen, now_ms, played = [(0, 0)], 0, 0.0
    while seen[-1][1] < games:
        now_ms += LOOK_MS
        going_ms = min(LOOK_MS, max(0.0, now_ms - 1000 * slow_start_s))
        played += games_s * going_ms / 1000 * chance.uniform(0.85, 1.15)
        seen.append((now_ms, min(games, int(played) // 32 * 32 if played < games else games)))
    return seen


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(
    ("games_s", "games"),
    [
        pytest.param(600.0, 360_000, id="ten minutes at full speed"),
        pytest.param(40.0, 72_000, id="half an hour of slow bots"),
        pytest.param(1_500.0, 10_000_000, id="two hours"),
    ],
)
def test_the_time_to_go_is_right_after_a_tenth(seed: int, games_s: float, games: int) -> None:
    """The pace of the last minute tells the rest, whatever the first seconds were like. The seed is the parameter."""
    seen = run(seed, games_s, games, slow_start_s=4.0)
    end_ms, pace, compared = seen[-1][0], Pace(), 0
    for now_ms, done in seen[:-1]:
        if 0.1 * games <= done <= 0.5 * games:
            eta_s = pace.eta_s(now_ms, done, games)
            assert eta_s == pytest.approx((end_ms - now_ms) / 1000, rel=WITHIN), (now_ms, done)
            compared += 1
        pace = pace.seen(now_ms, done)
    assert compared


def test_a_tournament_says_when_it_is_over(house: House) -> None:
    """Sixteen bots, a match a second: the time to go that is shown after a tenth is that which it takes."""
    names = tuple(f"bot-{number:02}" for number in range(16))
    house.enter(*names)
    house.create(spec("spring", *names, meetings=1))
    said: list[tuple[int, float]] = []
    while house.state("spring") is not State.FINISHED:
        house.look()
        house.referee.play(house.now_ms, 1)
        if not said:
            record = house.desk.get("spring")
            if record.games_done >= 0.1 * record.plan.summary.games and record.eta_s is not None:
                said.append((house.now_ms, record.eta_s))
    ((at_ms, eta_s),) = said
    assert eta_s == pytest.approx((house.now_ms - at_ms) / 1000, rel=WITHIN)


def test_what_is_void_is_not_waited_for(house: House) -> None:
    """Half of the matches will never count: the time to go is that of the others."""
    names = tuple(f"bot-{number}" for number in range(8))
    house.enter(*names)
    house.create(spec("spring", *names, meetings=1))
    house.look()
    matches = sorted(row.id for row in house.store.matches.every("spring"))
    for match in matches[::2]:
        house.desk.void(match, "no", "tester")
    left = matches[1::2]
    for match in left[: len(left) // 2]:
        house.look(6_000)
        house.referee.play(house.now_ms, 1, [match])
    house.look(6_000)
    row, status = house.store.tournaments.get("spring"), house.desk.get("spring")
    assert row.matches == len(matches)
    assert status.eta_s is not None
    games = 2 * (len(left) - row.done)
    assert status.eta_s * status.games_per_second == pytest.approx(games, abs=2)
