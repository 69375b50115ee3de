"""How much a referee takes on: less while its loop is late, never nothing, and so many matches a look."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.rows import MatchState
from referee.app import Referee
from referee.hosting.claim import MOST_CLAIMS
from referee.hosting.host import Host
from referee.hosting.hosted import Hosted, Phase
from referee.hosting.lateness import ENOUGH, MOST_S, TICKS, Lateness
from referee.hosting.rooms import SERVED
from referee.hosting.roster import Roster
from referee.hosting.timekeeper import GAP_S, TICK_S, Timekeeper
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.metrics import Metrics
from referee.trunk.lodging import Lodging
from tests.live.house import plan
from tests.referee.idle import idle
from tests.referee.playing import SEED, spec

BOTS = ("ann@1", "ben@1")
ROOM = 2_000


def running(store: Store) -> int:
    return store.matches.states()[MatchState.RUNNING]


def takes(referee: Referee, rounds: int) -> None:
    """Have a match here that takes so many rounds."""
    played = spec().format
    hosted = Hosted(MatchPlay(MatchSpec("cup.9.9.0", played, ("cid@1", "dan@1"), rounds), SEED), "0-0-", 0, 0)
    hosted.phase, hosted.parallel = Phase.PLAYING, rounds
    referee.host.matches[hosted.id] = hosted


def late(referee: Referee, seconds: float) -> None:
    """Have the loop be late for as long as is looked at."""
    for _ in range(TICKS):
        referee.host.lateness.note(seconds)


@pytest.mark.parametrize(
    ("delays", "p99_s"),
    [
        pytest.param([], 0.0, id="nothing is known"),
        pytest.param([0.5] * (ENOUGH - 1), 0.0, id="too little is known"),
        pytest.param([0.5] * ENOUGH, 0.5, id="just enough"),
        pytest.param([0.001] * (TICKS - 2) + [9.0] * 2, 0.001, id="one in a hundred does not count"),
        pytest.param([0.001] * (TICKS - 3) + [9.0] * 3, 9.0, id="three in two hundred do"),
        pytest.param([9.0] * TICKS + [0.001] * TICKS, 0.001, id="what was long ago is forgotten"),
    ],
)
def test_lateness(delays: Sequence[float], p99_s: float) -> None:
    """What one tick of a hundred exceeds, of the last two hundred."""
    lateness = Lateness()
    for delay in delays:
        lateness.note(delay)
    assert lateness.p99_s == p99_s
    assert lateness.too_late is (p99_s >= MOST_S)


def test_every_tick_of_the_clock_counts() -> None:
    """Also one that comes so late that all clocks are put back."""
    now = 100.0
    host = Host(lambda: now, Roster(), Metrics())
    timekeeper = Timekeeper(host, Lodging(host), 20.0, lambda: False)
    for _ in range(ENOUGH):
        now += TICK_S + 2 * GAP_S
        timekeeper.tick()
    assert host.lateness.p99_s == pytest.approx(2 * GAP_S)


@pytest.mark.parametrize(
    ("late_s", "rounds", "claims"),
    [
        pytest.param(0.0, 1_000, 1, id="in time"),
        pytest.param(MOST_S, SERVED, 0, id="late, with as much as any machine serves"),
        pytest.param(MOST_S, SERVED - 2, 1, id="late, with less"),
        pytest.param(5.0, 0, 1, id="late, with nothing: a slow machine plays, too"),
    ],
)
async def test_a_late_loop_takes_no_more_on(
    store: Store, tmp_path: Path, late_s: float, rounds: int, claims: int
) -> None:
    """And says so with its beat: others are before it in line, and planners plan for less."""
    async with idle(store, tmp_path, *BOTS, room=ROOM) as referee:
        if rounds:
            takes(referee, rounds)
        late(referee, late_s)
        store.matches.plan([plan("t.1.1.0", *BOTS)], 5)
        await referee.claimer._claim_ready()
        assert running(store) == claims
        await referee.claimer._beat_once()
        (beat,) = store.matches.referees().values()
        assert beat["capacity"] == (SERVED if late_s else 1_024)


async def test_one_look_claims_so_many_and_no_more(store: Store, tmp_path: Path) -> None:
    """Each claim deals games, or reads what was dealt; who plays meanwhile waits for no more than that."""
    async with idle(store, tmp_path, *BOTS, room=ROOM) as referee:
        store.matches.plan([plan(f"t.1.{table}.0", *BOTS) for table in range(MOST_CLAIMS + 5)], 5)
        await referee.claimer._claim_ready()
        assert running(store) == MOST_CLAIMS
