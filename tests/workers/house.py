"""The workers' use cases over a store, with a doorbell that is answered at once, or not at all; and what they play."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import count
from random import Random

from ladder.readings.tournament_tables import TournamentTables
from ladder.store import Store
from ladder.store.rows import MatchRow, MatchState
from tests.workers.small_referee import FORMAT, SmallReferee, playing
from workers.due import Job
from workers.engine import prove, terms
from workers.fit import Fitter
from workers.lookout import Lookout
from workers.plan import Planner
from workers.rate import Rater
from workers.reconcile import Reconciler
from workers.renew import Renewer
from workers.tournaments.desk import Desk
from workers.tournaments.life import State
from workers.tournaments.spec import Deals, TournamentSpec
from workers.tournaments.tournament_status import TournamentStatus

START_MS = 1_800_000_000_000
FIELD = "uno-classic-2-field"
NAMES = tuple(f"bot-{number:02}" for number in range(16))
GROUP = "spring.1.0.g0"
"""The first deals that tables share in a tournament of them all."""


class Bell:
    """Keeps what was rung for until a test answers it; may lose a part of the rings, as a broker does now and then."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []
        self.rung = 0
        self.loses = 0.0
        self._chance = Random(1)

    def ring(self, job: Job) -> None:
        """Remember a ring, or lose it."""
        self.rung += 1
        if self._chance.random() >= self.loses:
            self.jobs.append(job)


def _seed(number: int) -> bytes:
    """Return the deal seed of the run of a cron line with this number: no two are the same."""
    return number.to_bytes(32, "big")


class House:
    """Everything but Celery, under a clock that the test moves."""

    def __init__(self, store: Store, tables: TournamentTables) -> None:
        self.store = store
        self.now_ms = START_MS
        self.bell = Bell()
        self.planner = Planner(store, terms, self.bell, map(_seed, count(1)).__next__)
        self.rater = Rater(store, terms, prove, self.bell)
        self.renewer = Renewer(store)
        self.fitter = Fitter(store)
        self.lookout = Lookout(store, self.bell, 1000)
        self.reconciler = Reconciler(store, self.bell, 15_000)
        self.desk = Desk(store, terms, tables.get, self.planner, self.bell, lambda: self.now_ms)
        self.referee = SmallReferee(store)

    def register(self, names: Iterable[str], owner: str = "", *, house: bool = False) -> list[str]:
        """Register bots that have connected once; returns their versions. Without an owner each has its own."""
        versions = []
        for name in names:
            if house:
                self.store.registry.house(name, now_ms=self.now_ms)
            else:
                self.store.registry.register(name, owner or f"owner of {name}", now_ms=self.now_ms)
            versions.append(self.store.registry.version(name, "1", now_ms=self.now_ms))
        return versions

    def enter(self, *names: str, formats: Iterable[str] = (FORMAT,)) -> list[str]:
        """Register bots and connect them."""
        versions = self.register(names)
        self.referee.seat(playing(versions, formats=formats))
        return versions

    def create(self, spec: TournamentSpec) -> TournamentStatus:
        """Create a tournament at the desk."""
        return self.desk.create(spec, b"", "tester").status

    def answer(self) -> None:
        """Do what was rung for; show what is over."""
        self.work()
        self.referee.store.reveals.carry_out()

    def work(self) -> None:
        """Do what was rung for, and what that rings for, but for luck, which nobody waits for."""
        while self.bell.jobs:
            job = self.bell.jobs.pop(0)
            if job.task == "rate":
                self.rater.rate(job.args[0], self.now_ms)
            elif job.task == "renew":
                self.renewer.renew(str(job.args[0]))
            elif job.task == "fit":
                self.fitter.fit(str(job.args[0]), self.now_ms)
            elif job.task == "plan":
                self.planner.advance(str(job.args[0]), self.now_ms)

    def look(self, later_ms: int = 1000) -> None:
        """Let time pass, look at what is due, and do it."""
        self.now_ms += later_ms
        self.referee.beat(fresh=True)
        self.lookout.look(self.now_ms)
        self.answer()

    def play(self, name: str, looks: int = 60) -> State:
        """Play a tournament to its end, or as far as it comes."""
        for _ in range(looks):
            self.look()
            self.referee.play(self.now_ms)
            if self.state(name).over:
                break
        return self.state(name)

    def state(self, name: str) -> State:
        """Return where a tournament stands."""
        return State(self.store.tournaments.get(name).state)


def spec(name: str, *bots: str, meetings: int = 3) -> TournamentSpec:
    """Return a small tournament."""
    return replace(TournamentSpec(name, FORMAT), bots=bots, all=not bots, meetings=meetings)


def field(meetings: int = 1) -> TournamentSpec:
    """Return a tournament of sixteen bots on shared deals: eight tables at once, 120 matches."""
    return replace(spec("spring", *NAMES, meetings=meetings), deals=Deals.FIELD, trusted=True)


def of_group(house: House) -> list[MatchRow]:
    """Return the matches of its first group that were not made void or parked."""
    rows = house.store.matches.page(tournament="spring", limit=500).rows
    return [row for row in rows if row.group == GROUP and row.state not in (MatchState.VOID, MatchState.PARKED)]


def play(house: House, matches: Iterable[str]) -> None:
    """Play these matches of those that wait, and no other."""
    kept = set(matches)
    assert set(house.referee.play(house.now_ms, 500, kept)) == kept


def play_group(house: House, *others: str) -> None:
    """Play what waits of the first group, and those others, and look at it."""
    play(house, [*others, *(row.id for row in of_group(house) if row.state is MatchState.READY)])
    house.look()
