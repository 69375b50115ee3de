"""`./dev bench tournament`: its rows are there by their names, with floors where design asks for them."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest

from bench import mathematics
from bench.by_hand import CALLS, ByHand
from bench.tournament import Played, _cost, _games, _plans
from tests.workers.house import House, spec
from workers.due import Stand, View, due
from workers.settings import WorkerSettings
from workers.tournaments.life import State
from workers.tournaments.spec import TournamentSpec


@pytest.mark.slow
def test_rows_of_mathematics() -> None:
    """A rating update, a fit and a plan, each once."""
    rows = {row.id: row for row in mathematics.run(1, None)}
    assert {name: row.floor for name, row in rows.items()} == {"rating_2": 0.25, "bt_fit": 1.0, "plan_1000": 1.0}
    assert all(row.ratio > 0 for row in rows.values())
    assert rows["plan_1000"].detail["matches"] == 1_998_000


def test_what_is_fed_directly_is_the_same_tournament() -> None:
    """Every match of the schedule, with all its games."""
    plans = _plans(TournamentSpec("bench", "uno-classic-2", tuple(f"bench-{n:03d}" for n in range(8)), meetings=20))
    assert sum(plan.meetings * len(plan.entrants) for plan in plans) == _games(20)
    assert len({plan.id for plan in plans}) == len(plans) == 56


def test_what_workers_do_is_done_by_hand(house: House, ledger_url: str) -> None:
    """A tournament is planned, rated and finished without a queue; what that took is told."""
    house.now_ms = time.time_ns() // 1_000_000
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma"))
    hand = ByHand(house.store, WorkerSettings(redis_url=ledger_url, broker_url=ledger_url, luck=False))

    def over() -> bool:
        house.referee.play(time.time_ns() // 1_000_000)
        return house.state("spring").over

    assert hand.until(over) > 0
    assert house.state("spring") is State.FINISHED
    assert house.store.tournaments.get("spring").done == 3


def test_by_hand_is_not_waited_for_without_end(house: House, ledger_url: str) -> None:
    """A tournament that never ends is no measurement."""
    hand = ByHand(house.store, WorkerSettings(redis_url=ledger_url, broker_url=ledger_url, luck=False))
    with pytest.raises(RuntimeError, match=r"not over within 0\.1 s"):
        hand.until(lambda: False, within_s=0.1)


def test_what_a_look_may_ring_for_is_known_by_hand() -> None:
    """At any hour: ladders are looked through at night alone."""
    view = View(
        closed=["m"], tournaments=[Stand("spring", State.RUNNING)], renewals=["uno"], fits=["uno"],
        inspections=["uno"], luck=[("m", 1)], house=[("m", 1)], turn=True,
    )  # fmt: skip
    assert {job.task for job in due(0, view)} == CALLS.keys()


def test_what_celery_costs_is_a_share_of_the_whole_run() -> None:
    """Five hundredths more processor time are just within the floor; the referee's own ups and downs do not count."""
    hand = Played(100.0, 9.0, 1_300.0, 0, planned_us=400.0, bots_us=300.0, store_us=100.0)
    through = Played(100.0, 9.0, 1_000.0, 50, planned_us=484.0, bots_us=300.0, store_us=110.0)
    row = _cost([hand], [through])
    assert row.ratio == pytest.approx(1_800 / 1_894)
    assert row.floor == 0.95
    assert row.met
    assert row.detail["celery_share"] == pytest.approx(94 / 1_894)
    assert not _cost([hand], [replace(through, planned_us=500.0)]).met
