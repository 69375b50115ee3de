"""What workers of a house do from the first look to the last, told with a death at any step, and what is left then."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, cast

import pytest

from ladder.readings.histories import Histories
from ladder.readings.tournament_tables import TournamentTables
from ladder.refit import Schedule
from ladder.standings import Tally
from ladder.store import Store
from ladder.store.counters import Counter
from ladder.store.ladder_log import RatedMatch
from ladder.store.rows import MatchRow
from lastcard.secret import Secret
from referee.house_games import house_name
from tests.workers.house import House, spec
from tests.workers.killing import Killer
from workers.archive import Archiver
from workers.due import Job
from workers.engine import course_of, deals_of, gifts_of, house_of, prove, teams_of, terms
from workers.fit import Fitter
from workers.fortune import Fortune
from workers.house_luck import LEASE_MS, HouseLuck
from workers.inspection import DAY_MS, HOUR_MS, Inspector
from workers.proof import UnprovenResultError
from workers.rate import Rater

NAMES: Final = ("alpha", "beta", "gamma")
MINUTE_MS: Final = 60_000
SECOND: Final = 1_000


class Staff:
    """All workers of a house, who do what is rung for; one dies at one step, and what it had in hand is lost."""

    def __init__(self, house: House, monkeypatch: pytest.MonkeyPatch, steps: int, *, liar: str = "") -> None:
        """`liar`: a match whose log leads nowhere."""

        def proved(row: MatchRow, seed: Secret, entries: Sequence[bytes]) -> str:
            if row.id == liar:
                raise UnprovenResultError(f"{liar} is what this test spoils")
            return prove(row, seed, entries)

        store = house.store
        house.rater = Rater(store, terms, proved, house.bell)
        house.fitter = Fitter(store, lambda: 0.0, house_name(), Schedule((8,), 8))
        self.house = house
        self.fortune = Fortune(store, gifts_of)
        self.house_luck = HouseLuck(store, house_of)
        self.inspector = Inspector(store, course_of)
        self.archiver = Archiver(store, house.bell, MINUTE_MS, 10 * MINUTE_MS)
        self.killer = Killer(house, monkeypatch, steps)
        self.killer.rest()
        self._looks: tuple[tuple[str, Callable[[int], object]], ...] = (
            ("tick", house.lookout.look),
            ("archive", self.archiver.look),
            ("reconcile", house.reconciler.reconcile),
        )

    def look(self, times: int = 1, later_ms: int = SECOND, *, play: bool = True) -> None:
        """Let time pass, play what is ready, look at what is due, and do it; so many times."""
        for _ in range(times):
            house = self.house
            house.now_ms += later_ms
            house.referee.beat(fresh=True)
            for doing, act in self._looks:
                self.killer.work(doing, partial(act, house.now_ms))
                self._answer()
            if play:
                house.referee.play(house.now_ms)

    def _answer(self) -> None:
        while self.house.bell.jobs:
            job = self.house.bell.jobs.pop(0)
            self.killer.work(job.task, partial(self._do, job))

    def _do(self, job: Job) -> None:
        house, now_ms = self.house, self.house.now_ms
        does: dict[str, Callable[..., object]] = {
            "plan": lambda name: house.planner.advance(name, now_ms),
            "rate": lambda matches: house.rater.rate(matches, now_ms),
            "renew": house.renewer.renew,
            "fit": lambda name: house.fitter.fit(name, now_ms),
            "inspect": lambda name: self.inspector.look(name, now_ms),
            "luck": self.fortune.compute,
            "house": lambda matches: self.house_luck.compute(matches, now_ms),
            "archive": lambda _more: self.archiver.run(now_ms),
        }
        does[job.task](*job.args)


@dataclass(frozen=True)
class Story:
    """Something that workers do."""

    tell: Callable[[Staff], None]
    liar: str = ""


def _play(staff: Staff, name: str = "spring", meetings: int = 1) -> None:
    staff.house.enter(*NAMES)
    staff.house.create(spec(name, *NAMES, meetings=meetings))
    staff.look(8)


def tournament(staff: Staff) -> None:
    """It is planned, played, rated, fitted, finished."""
    _play(staff)


def night(staff: Staff) -> None:
    """Luck, house games, weights of its own, a look through the results, and the archive."""
    _play(staff, meetings=2)
    house = staff.house
    staff.look(2, LEASE_MS + SECOND)
    staff.look(1, 2 * DAY_MS - house.now_ms % DAY_MS + 2 * HOUR_MS)
    staff.look(2, HOUR_MS)
    staff.look(4, 3 * MINUTE_MS)


def spoilt(staff: Staff) -> None:
    """A result that its log does not lead to is parked, with an alarm; all others are applied."""
    _play(staff)


def late_order(staff: Staff) -> None:
    """A host closes a match before it hears that it is to be void."""
    house = staff.house
    house.enter(*NAMES)
    house.create(spec("spring", *NAMES, meetings=1))
    staff.look(2, play=False)
    house.referee.play(house.now_ms)
    house.store.link.read(
        "HSET", house.store.keys.match("spring.2.1.0"), "stop", '{"verb":"void","reason":"rain","who":"olga"}'
    )
    staff.look(6)


def voided(staff: Staff) -> None:
    """A match that was rated is declared void: the ladder is computed anew, and what was said of it."""
    _play(staff)
    staff.house.desk.void("spring.1.1.0", "found out", "olga")
    staff.look(6, 3 * SECOND)


def isolated(staff: Staff) -> None:
    """A batch of which one kills whoever applies it is taken apart; that one is parked."""
    house = staff.house
    house.enter(*NAMES)
    house.create(spec("spring", *NAMES, meetings=1))
    staff.look(2, play=False)
    house.referee.play(house.now_ms)
    closed = sorted(house.store.matches.waiting_for_worker())
    for batch in (closed, closed[:1], closed[:1]):  # a message is delivered again to who comes after the dead
        staff.killer.work("isolate", partial(house.rater.isolate, batch, house.now_ms))
    staff.look(6)


def cron(staff: Staff) -> None:
    """A cron line has a run at its time, once, and that is played."""
    house = staff.house
    house.enter(*NAMES)
    house.create(replace(spec("spring", *NAMES, meetings=1), cron="1 8 * * *"))
    staff.look(2)
    staff.look(1, MINUTE_MS)
    staff.look(12)


def paused(staff: Staff) -> None:
    """What waits is held back, and opened again."""
    house = staff.house
    house.enter(*NAMES)
    house.create(spec("spring", *NAMES, meetings=1))
    staff.look(2, play=False)
    house.store.tournaments.move("spring", {"running"}, "paused", now_ms=house.now_ms)
    staff.look(3)
    house.store.tournaments.move("spring", {"paused"}, "running", now_ms=house.now_ms)
    staff.look(8)


def cancelled(staff: Staff) -> None:
    """What waits is void, one by one."""
    house = staff.house
    house.enter(*NAMES)
    house.create(spec("spring", *NAMES, meetings=1))
    staff.look(2, play=False)
    house.store.tournaments.move("spring", {"running"}, "cancelled", now_ms=house.now_ms)
    staff.look(20, play=False)


def unsupported(staff: Staff) -> None:
    """What nobody supports any more is void after a while, and played again by the rules of today."""
    house = staff.house
    house.enter(*NAMES)
    house.create(spec("spring", *NAMES, meetings=1))
    staff.look(2, play=False)
    for match in house.store.matches.waiting():
        house.store.link.read("HSET", house.store.keys.match(match), "rules_version", "99")
    staff.look(3, 11 * MINUTE_MS, play=False)
    staff.look(10)


STORIES: Final = {
    "tournament": Story(tournament),
    "night": Story(night),
    "spoilt": Story(spoilt, liar="spring.2.1.0"),
    "late order": Story(late_order),
    "voided": Story(voided),
    "isolated": Story(isolated),
    "cron": Story(cron),
    "paused": Story(paused),
    "cancelled": Story(cancelled),
    "unsupported": Story(unsupported),
}


def told(store: Store, monkeypatch: pytest.MonkeyPatch, name: str, steps: int) -> Staff:
    """Tell a story in which a worker dies before its next step after so many."""
    tables = TournamentTables(store.matches, store.ratings, teams_of, deals_of=deals_of)
    story = STORIES[name]
    with monkeypatch.context() as patched:
        staff = Staff(House(store, tables), patched, steps, liar=story.liar)
        story.tell(staff)
        _expire(store)
        staff.look(3, LEASE_MS + SECOND)  # whoever is dead has what it began with no longer
    return staff


def _expire(store: Store) -> None:
    """Let the time run out of who is at work on a ladder: it is that of the server."""
    for name in store.ratings.formats():
        builder = store.keys.ladder(name, "builder")
        if store.link.read("EXISTS", builder):
            assert cast("int", store.link.read("PTTL", builder)) > 0
            store.link.read("DEL", builder)


def left(house: House) -> dict[str, object]:
    """Return all that matters of what stands in the ledger, without times and what differs by chance."""
    store = house.store
    histories = Histories(store.ratings)
    tournaments = store.tournaments.page()[0]
    rows = [row for one in tournaments for row in store.matches.every(one.name)]
    ladders = sorted(store.ratings.formats())
    counters = store.counters.read()
    return {
        "tournaments": {one.name: (one.state, one.matches, one.planned, one.again, one.done, one.lost, one.parked,
                                   one.lucky, one.games_done, one.reason) for one in tournaments},
        "matches": {row.id: (row.state, row.result, row.seq > 0, row.reason, row.stop, row.games_done, row.entrants)
                    for row in rows},
        "luck": store.gifts.find([row.id for row in rows]),
        "house": store.house.find([row.id for row in rows]),
        "tallies": {name: (sorted(map(_tallied, store.ratings.tallies(name))),
                           store.ratings.generation(name)) for name in ladders},
        "opponents": {(name, tally.bot): histories.opponents(name, tally.bot)
                      for name in ladders for tally in store.ratings.tallies(name)},
        "rebuilt": [store.ratings.rebuild(name).equal for name in ladders],
        "fits": {name: (fit.seq, fit.generation, fit.pending) for name in ladders
                 if (fit := store.fits.state(name).fit)},
        "reports": {name: (report.generation, report.seq) for name in ladders
                    if (report := store.reports.get(name))},
        "lists": (store.matches.open_ids(), store.matches.waiting(), store.matches.waiting_for_worker(),
                  store.gifts.pending(), store.house.pending(), store.generations.due(), store.matches.states()),
        "open": {one.name: store.tournaments.open_ids(one.name) for one in tournaments},
        "audit": sorted((deed.who, deed.verb, deed.target) for deed in store.audit.tail(100)),
        "alarms": {str(counter): count for counter, count in counters.items() if _is_alarm(counter)},
    }  # fmt: skip


def of_order(house: House) -> tuple[object, object]:
    """Return in which order matches were applied, and what depends on that: ratings, weights, fits."""
    store = house.store
    ladders = sorted(store.ratings.formats())
    logs = [[one.match for one in store.ratings.log(name) if isinstance(one, RatedMatch)] for name in ladders]
    fits = [fit for name in ladders if (fit := store.fits.state(name).fit)]
    return logs, (
        [store.ratings.tallies(name) for name in ladders],
        [[replace(change, at_ms=0) for change in store.weights.of(name)] for name in ladders],
        [dict(fit.rows) for fit in fits],
    )


def _tallied(tally: Tally) -> tuple[object, ...]:
    """Return what does not depend on the order in which matches were applied."""
    counts = (tally.meetings, tally.wins, tally.ties, tally.losses, tally.points, tally.rounds, tally.faults)
    return tally.bot, counts


def _is_alarm(counter: Counter) -> bool:
    return counter.name == "alarms_total"
