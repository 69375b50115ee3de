"""Mistakes that this simulation found in the referee: each is made once more here, and must be found again."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Final
from unittest.mock import patch

from ladder.store import match_reads
from ladder.store.errors import StoreError
from ladder.store.match_reads import BEAT_MS
from referee import wire
from referee.app import Referee
from referee.door import hello
from referee.door.service import PlayService
from referee.hosting.asking import Asker
from referee.hosting.claim import Claimer
from referee.hosting.hosted import Hosted, Phase
from referee.hosting.matchlog import MatchLog
from referee.hosting.roster import Roster
from referee.hosting.sessions import Session
from referee.hosting.timekeeper import Timekeeper
from referee.wire import ReplyCode
from tests.simulate.bugs import Bug
from tests.simulate.invariant import Invariant
from tests.simulate.scenario import FORMATS, Kind


@contextmanager
def _outage_counts() -> Iterator[None]:
    charged = patch.object(Timekeeper, "_excuse", lambda _self, _players, _now: None)
    with charged, patch.object(Roster, "knocking", lambda _self: []):
        yield


def _plays_without() -> AbstractContextManager[object]:
    return patch.object(Claimer, "_missed", lambda _self, _bot, _row: True)


def _drains_only_with_the_store() -> AbstractContextManager[object]:
    drain, store = Claimer.drain, Claimer.store

    async def planted(self: Claimer, patience_s: float) -> None:
        failures: list[StoreError] = []

        async def noting(call: Callable[[], object]) -> object:
            try:
                return await store(self, call)
            except StoreError as error:
                failures.append(error)
                raise

        with patch.object(self, "store", noting):
            await drain(self, patience_s)
        if failures:
            raise failures[0]

    return patch.object(Claimer, "drain", planted)


def _lapses_with_an_open_door() -> AbstractContextManager[object]:
    async def planted(self: Referee) -> None:
        for session in self.roster.sessions:
            session.tell(wire.going_away(0))
        await asyncio.sleep(0.2)
        await self.front.close(0)

    return patch.object(Referee, "_lapse", planted)


@contextmanager
def _looks_at_the_door_too_early() -> Iterator[None]:
    refuse, join = PlayService._refuse_if_draining, PlayService._join
    looked: set[int] = set()

    def planted(self: PlayService, name: str) -> None:
        task = id(asyncio.current_task())
        if task not in looked:
            looked.add(task)
            refuse(self, name)

    def forgetting(self: PlayService, session: Session) -> None:
        looked.discard(id(asyncio.current_task()))
        join(self, session)

    with patch.object(PlayService, "_refuse_if_draining", planted), patch.object(PlayService, "_join", forgetting):
        yield


@contextmanager
def _waits_at_the_bots_expense() -> Iterator[None]:
    part = Roster.part

    def planted(self: Roster, session: Session, now: float) -> None:
        started = {seat: seat.started for seat in self.players[session.bot].seats}
        part(self, session, now)
        for seat, since in started.items():
            seat.started = since

    with patch.object(Roster, "part", planted):
        yield


@contextmanager
def _queues_by_its_own_clock() -> Iterator[None]:
    command = MatchLog._command

    def planted(self: MatchLog, hosted: Hosted, head: str, data: bytes, now_ms: int) -> bytes:
        if hosted.phase is Phase.LEAVING:
            hosted.queued_ms = now_ms
        return command(self, hosted, head, data, now_ms)

    with patch.object(MatchLog, "_command", planted):
        yield


def _trusts_the_time_of_a_claim() -> AbstractContextManager[object]:
    return patch.object(match_reads, "_just", lambda claimed_ms, now_ms: now_ms - claimed_ms < BEAT_MS)


async def _keeps(_self: Claimer) -> None:
    pass


def _keeps_what_it_lost() -> AbstractContextManager[object]:
    return patch.object(Claimer, "_drop_lost", _keeps)


def _forgets_who_waits() -> AbstractContextManager[object]:
    return patch.object(Asker, "refill", lambda _self, _session: None)


def _acknowledged_too_early() -> AbstractContextManager[object]:
    def planted(_self: Asker, session: Session, handle: int, act: int) -> None:
        session.hint(wire.reply(handle, act, ReplyCode.OK, ""))

    return patch.object(Asker, "acknowledge", planted)


def _seats_whoever_is_connected() -> AbstractContextManager[object]:
    return patch.object(hello, "_formats", lambda _names: frozenset(FORMATS))


FOUND: Final[tuple[Bug, ...]] = (
    Bug(
        "outage counts", "clocks run while the store is away and nobody can come in",
        _outage_counts, Invariant.BLAMELESS, 30, 23, (Kind.BOT_CUT_IN_OUTAGE,),
    ),
    Bug(
        "no time to come back", "a fresh referee does not wait for bots that still dial",
        _plays_without, Invariant.BLAMELESS, 20, 3, (Kind.DRAIN,),
    ),
    Bug(
        "drain needs the store", "SIGTERM while the store is away is a crash",
        _drains_only_with_the_store, Invariant.ALARM, 10, 8, (Kind.DRAIN_IN_OUTAGE,),
    ),
    Bug(
        "lapsed with an open door", "bots that are sent away come straight back in",
        _lapses_with_an_open_door, Invariant.FAREWELL, 20, 7, (Kind.FREEZE,),
    ),
    Bug(
        "queued by its own clock", "a wrong wall clock hides a released match",
        _queues_by_its_own_clock, Invariant.ENDS, 10, 3,
    ),
    Bug(
        "trusts the time of a claim", "a wrong wall clock hides an orphan",
        _trusts_the_time_of_a_claim, Invariant.ENDS, 40, 5, (Kind.SKEW_AND_KILL,),
    ),
    Bug(
        "forgets who waits", "a match that ends does not give its bot's room to the next",
        _forgets_who_waits, Invariant.ENDS, 30, 16, (Kind.VOID,),
    ),
    Bug(
        "acknowledged too early", "a repeated answer is said to count before the log has it",
        _acknowledged_too_early, Invariant.KEPT, 10, 0,
    ),
    Bug(
        "seats whoever is connected", "a bot is asked in a format that its Hello does not offer",
        _seats_whoever_is_connected, Invariant.SEEN, 5, 3, (Kind.BOT_DROPS,),
    ),
)  # fmt: skip
