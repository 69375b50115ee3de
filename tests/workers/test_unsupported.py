"""Two releases: what no referee supports any more is void after ten minutes, and is played again by today's rules."""

from __future__ import annotations

import pytest
import structlog.testing

from ladder.store.counters import Counter
from ladder.store.rows import Claimed, MatchState
from ladder.store.upgrades import UNSUPPORTED
from tests.workers.house import House, spec
from workers.engine import terms
from workers.plan import Planner
from workers.reconcile import PATIENCE_MS
from workers.tournaments.life import State
from workers.tournaments.terms import Terms

pytestmark = pytest.mark.slow

NEW = 2
"""A version of the rules that this release does not know."""
LOOK_MS = 16_000
ALARM = Counter("alarms_total", {"kind": UNSUPPORTED})


def new_terms(name: str) -> Terms:
    """Return a format as the next release has it."""
    known = terms(name)
    return Terms(known.name, "r" * 16, NEW, known.seats, known.deals)


def begin(house: House) -> list[str]:
    """Start a tournament of one pair and two matches; returns their ids."""
    house.enter("alpha", "beta")
    house.create(spec("spring", "alpha", "beta", meetings=32))
    house.look()
    matches = sorted(house.store.matches.waiting())
    assert len(matches) == 2
    return matches


def upgrade(house: House, *, workers: bool) -> None:
    """Have the one referee be of the next release, and the workers, too, if they are restarted already."""
    house.referee.said = {"rules": [NEW], "logs": [1]}
    house.referee.beat(fresh=True)
    if workers:
        house.planner = Planner(house.store, new_terms, house.bell, house.planner.fresh_seed)


def reconcile(house: House, later_ms: int = LOOK_MS) -> int:
    house.now_ms += later_ms
    return house.reconciler.reconcile(house.now_ms).unsupported


def test_what_nobody_supports_is_void_after_ten_minutes_with_an_alarm(house: House) -> None:
    """Also what was running at a referee of the old release that is gone."""
    waiting, running = begin(house)
    house.store.matches.beat("ref-old", {}, fresh=True)
    assert isinstance(house.store.matches.claim(running, "ref-old", house.now_ms, seed=bytes(32)), Claimed)
    house.store.matches.leave("ref-old")
    upgrade(house, workers=True)
    assert reconcile(house) == 0
    assert reconcile(house, PATIENCE_MS - LOOK_MS) == 0
    with structlog.testing.capture_logs() as logs:
        assert reconcile(house) == 2
    assert {one["match"] for one in logs if one["event"] == UNSUPPORTED} == {waiting, running}
    assert house.store.counters.read()[ALARM] == 2
    for match in (waiting, running):
        assert house.store.matches.get(match).reason == UNSUPPORTED


def test_a_referee_of_the_old_release_ends_the_wait(house: House) -> None:
    """The upgrade was put off: it plays what it did before."""
    begin(house)
    upgrade(house, workers=False)
    assert reconcile(house) == 0
    house.referee.said = {}
    house.referee.beat(fresh=True)
    assert reconcile(house, PATIENCE_MS) == 0
    upgrade(house, workers=False)
    assert reconcile(house) == 0
    assert reconcile(house, PATIENCE_MS - LOOK_MS) == 0


def test_while_no_referee_lives_nothing_is_void(house: House) -> None:
    """That is an outage, and no question of versions."""
    begin(house)
    house.store.matches.leave(house.referee.me)
    assert reconcile(house) == 0
    assert reconcile(house, 2 * PATIENCE_MS) == 0
    assert house.store.matches.states()[MatchState.VOID] == 0


def test_it_is_played_again_by_the_rules_of_today_as_soon_as_somebody_supports_them(house: House) -> None:
    """While workers are still of the old release it waits, and its tournament is not over."""
    first, second = begin(house)
    upgrade(house, workers=False)
    assert [reconcile(house), reconcile(house, PATIENCE_MS)] == [0, 2]
    house.look()
    house.look()
    assert house.state("spring") is State.RUNNING
    assert house.store.matches.open_ids() == set()
    upgrade(house, workers=True)
    house.look()
    again = house.store.matches.readable([f"{first}.r2", f"{second}.r2"])
    assert [(row.state, row.rules_version, row.ruleset) for row in again] == [(MatchState.READY, NEW, "r" * 16)] * 2
    house.look()
    assert house.store.tournaments.open_ids("spring") == {f"{first}.r2", f"{second}.r2"}
    assert {deed.verb for deed in house.store.audit.tail(10, f"{first}.r2")} == {"replay"}


@pytest.mark.parametrize("head", [b"x", b"\xff"], ids=["no head", "no text"])
def test_a_match_whose_head_cannot_be_read_holds_up_no_other(house: House, head: bytes) -> None:
    """Others are void in time, and all else that was left behind is found."""
    first, second = begin(house)
    upgrade(house, workers=True)
    house.store.link.read("SET", house.store.keys.head(first), head)
    assert [reconcile(house), reconcile(house, PATIENCE_MS)] == [0, 1]
    assert house.store.matches.get(second).reason == UNSUPPORTED
    assert house.store.upgrades.unread.names == {first}


def test_a_match_whose_log_cannot_be_read_holds_up_no_other(house: House) -> None:
    """It is left to an operator, who is told of it."""
    first, second = begin(house)
    upgrade(house, workers=True)
    house.store.link.read("SET", house.store.keys.log(first), "x")
    assert [reconcile(house), reconcile(house, PATIENCE_MS)] == [0, 1]
    assert house.store.matches.get(second).reason == UNSUPPORTED
    assert house.store.upgrades.unread.names == {first}
