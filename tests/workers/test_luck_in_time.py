"""Luck comes in time while results keep coming: the real looks, over a ledger whose clock is simulated."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from heapq import heappop, heappush
from typing import Any, Final, cast

import pytest
import redis
from celery import Celery

from ladder.store import Store
from tests.workers.house import START_MS
from workers.doorbell import EXPIRES_S, PREFIX, CeleryDoorbell
from workers.lookout import TURNED_MS, Lookout

pytestmark = pytest.mark.slow

SECONDS: Final = 200
MOST_S: Final = 90
"""After its result a match of the small tournament has its luck: a queue that is too long forgets after 60 s."""
LOOK_S: Final = 5
LOOK_EXPIRES_S: Final = 10
CHILDREN: Final = 2
RATE_S: Final = 0.2
"""What a match of 32 rounds takes to be rated, on a machine that has much else to do."""
LUCK_S: Final = 0.32
"""The same of its luck."""
LARGE_EACH_S: Final = 0.08
"""So often a match of the large tournament is over: more often than two children can rate them."""
SMALL_EACH_S: Final = 2.0
KILLED_EACH_S: Final = 7.0
"""So often one of the children is killed; what it was at is lost."""
GONE_S: Final = 3.0


@dataclass
class Broker:
    """Hands out messages as Celery's does with Redis: whole priorities one after the other, each in order."""

    now_s: float = 0.0
    queues: dict[int, deque[tuple[float, str, list[str]]]] = field(
        default_factory=lambda: {0: deque(), 3: deque(), 9: deque()}
    )

    def send_task(self, name: str, args: tuple[Any, ...], *, expires: float, priority: int | None) -> None:
        """Take a message, as an application does."""
        assert expires == EXPIRES_S
        self.queues[priority or 0].append((self.now_s + expires, name.removeprefix(PREFIX), list(args[0])))

    def beat(self) -> None:
        """Send what beat sends: a look, which nobody wants any more after a while."""
        self.queues[0].append((self.now_s + LOOK_EXPIRES_S, "tick", []))

    def next(self) -> tuple[str, list[str]] | None:
        """Return what is to be done next."""
        for _, queue in sorted(self.queues.items()):
            while queue:
                until_s, task, matches = queue.popleft()
                if until_s > self.now_s:
                    return task, matches
        return None


@dataclass
class Rush:
    """Two tournaments whose matches end faster than they can be rated, and workers that are killed."""

    store: Store
    ledger: redis.Redis
    broker: Broker = field(default_factory=Broker)
    rated: dict[str, float] = field(default_factory=dict)
    lucky: dict[str, float] = field(default_factory=dict)
    looks: int = 0

    def go(self) -> None:
        """Let time pass."""
        keys = self.store.keys
        ends = {"large": 0.0, "small": 1.0}
        number, killed_s, looked_s = 0, KILLED_EACH_S, 0.0
        children: list[Iterator[float] | None] = [None] * CHILDREN
        due = [(0.0, child) for child in range(CHILDREN)]
        while self.broker.now_s < SECONDS:
            now_s, child = heappop(due)
            self.broker.now_s = now_s
            for name, each_s in (("large", LARGE_EACH_S), ("small", SMALL_EACH_S)):
                while ends[name] <= now_s:
                    number, match = number + 1, f"{name}.1.1.{number}"
                    self.ledger.zadd(keys.due, {f"rate:{match}": START_MS + int(1000 * ends[name])})
                    self.ledger.hset(keys.match(match), mapping={"games_done": 32, "ended_ms": ends[name]})
                    ends[name] += each_s
            while looked_s <= now_s:
                self.broker.beat()
                looked_s += LOOK_S
            if killed_s <= now_s:
                killed_s += KILLED_EACH_S
                children[child] = None
                heappush(due, (now_s + GONE_S, child))
                continue
            children[child] = children[child] or self._work()
            worked_s = next(children[child] or iter(()), None)
            if worked_s is None:
                children[child] = None
            heappush(due, (now_s + (LOOK_S / 20 if worked_s is None else worked_s), child))

    def _work(self) -> Iterator[float]:
        """Do a task, match by match; yields what each takes before it is done."""
        if (message := self.broker.next()) is None:
            return
        task, matches = message
        keys = self.store.keys
        if task == "tick":
            doorbell = CeleryDoorbell(cast("Celery", self.broker))
            Lookout(self.store, doorbell, LOOK_S * 1000).look(START_MS + int(1000 * self.broker.now_s))
            self.looks += 1
        for match in matches:
            if task == "rate" and match not in self.rated:
                yield RATE_S
                self.rated.setdefault(match, self.broker.now_s)
                self.ledger.zrem(keys.due, f"rate:{match}")
                self.ledger.zadd(keys.luck_due, {match: START_MS + int(1000 * self.broker.now_s)})
            if task == "luck" and match not in self.lucky:
                yield LUCK_S
                self.lucky.setdefault(match, self.broker.now_s)
                self.ledger.zrem(keys.luck_due, match)


def test_luck_comes_while_more_results_come_than_can_be_rated(store: Store) -> None:
    """That of a small tournament beside a large one in time after each result, under kills; that of both goes on."""
    with redis.Redis.from_url(store.link.url, decode_responses=True) as ledger:
        rush = Rush(store, ledger)
        rush.go()
    waits = {
        match: rush.lucky.get(match, SECONDS) - at_s
        for match, at_s in rush.rated.items()
        if match.startswith("small.") and (match in rush.lucky or at_s < SECONDS - MOST_S)
    }
    assert len(waits) > 15
    assert max(waits.values()) < MOST_S
    assert len(rush.lucky) > 100
    assert rush.looks > 0.8 * SECONDS / LOOK_S  # they come in time
    assert len(rush.rated) > 2 * len(rush.lucky)  # results go first


def test_a_slice_that_had_its_turn_is_not_rung_for_again_at_once(store: Store) -> None:
    """Some worker is at it; one that is killed, and its message with it, holds it up for fifteen seconds at most."""
    keys, broker = store.keys, Broker()
    lookout = Lookout(store, CeleryDoorbell(cast("Celery", broker)), LOOK_S * 1000)
    at_ms = START_MS - START_MS % TURNED_MS
    with redis.Redis.from_url(store.link.url, decode_responses=True) as ledger:
        for number in range(20):
            ledger.zadd(keys.luck_due, {f"cup.1.1.{number}": at_ms - 60_000 + number})
            ledger.hset(keys.match(f"cup.1.1.{number}"), "games_done", 500)
    rung = [
        [job.args[0][0] for job in lookout.look(at_ms + later_ms) if job.task == "luck" and job.in_turn]
        for later_ms in (0, 5_000, 15_000)
    ]
    assert rung == [[f"cup.1.1.{number}" for number in numbers] for numbers in (range(3), range(3, 6), range(3))]
