"""Planted bugs: each is a mistake that somebody could make, and that the simulation must find."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Final
from unittest.mock import patch

from ladder.store.rows import Claimed
from referee import logbook, wire
from referee.hosting.asking import Asker
from referee.hosting.asking import Reply as AskerReply
from referee.hosting.host import Host
from referee.hosting.hosted import Hosted, Inflight
from referee.hosting.matchlog import MatchLog
from referee.hosting.seats import Seat
from referee.hosting.sessions import Session
from referee.hosting.taking import Taker, Terms
from referee.hosting.timekeeper import Timekeeper
from referee.logbook import ActRecord, Author, Fault
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.orders import ordered_pick
from referee.rules.round import Picks
from referee.table import Table
from tests.simulate import twins
from tests.simulate.database import Database, Reply
from tests.simulate.invariant import Invariant
from tests.simulate.scenario import Kind
from tests.simulate.twins import TWINS

HAND_OVER_S: Final = 3.0
Plant = Callable[[], AbstractContextManager[object]]


@dataclass(frozen=True, slots=True)
class Bug:
    """A planted bug.

    Attributes:
        name: what the tables call it.
        story: what is wrong.
        plant: plants it for the time of a block.
        breaks: the invariant that it breaks.
        within: so many seeds, from 0 on, suffice to find it.
        shown: one of those seeds, with a short run that finds it: it is tried first.
        weather: what goes wrong in those runs; nothing named = whatever the seeds bring.
    """

    name: str
    story: str
    plant: Plant
    breaks: Invariant
    within: int
    shown: int
    weather: tuple[Kind, ...] = ()

    @property
    def seeds(self) -> list[int]:
        """The seeds that suffice, in the order in which they are tried."""
        return sorted(range(self.within), key=lambda seed: seed != self.shown)


def _next_id(db: Database, log: bytes, entry: bytes) -> bytes:
    """Return an id that the log accepts: the wanted one, or the next."""
    entries = db.stream(log)
    last = entries[-1][0] if entries else (0, 0)
    wanted = tuple(map(int, entry.split(b"-")))
    return entry if wanted > last else b"%d-%d" % (last[0], last[1] + 1)


def _append_unchecked(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    _, new, entry, data = args
    db.xadd(keys[1], _next_id(db, keys[1], entry), b"d", data)
    db.put(keys[0], new)
    return b"OK"


def _append_of_the_dead(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    old, new, entry, data = args
    head = db.get(keys[0]) or b""
    if head in (old, new) or int(head.split(b"-")[0]) <= int(old.split(b"-")[0]):
        return twins.append(db, keys, args)
    number = _next_id(db, keys[1], entry)
    db.xadd(keys[1], number, b"d", data)
    db.put(keys[0], number + head[head.rindex(b"-") :])
    return b"OK"


def _claim_with_a_new_seed(db: Database, keys: list[bytes], args: list[bytes]) -> Reply:
    db.delete(keys[3])
    return twins.claim(db, keys, args)


def _script(name: str, planted: twins.Twin) -> Plant:
    return lambda: patch.dict(TWINS, {name: planted})


# -- in the referee


@contextmanager
def _effects_first() -> Iterator[None]:
    """Let effects out when an entry is sent."""
    form = MatchLog._next

    def planted(self: MatchLog, hosted: Hosted, now_ms: int) -> Inflight | None:
        entry = form(self, hosted, now_ms)
        if entry is not None and not entry.final:
            host: Host = self._committed.__self__  # type: ignore[attr-defined]
            effects, entry.effects = entry.effects, []
            host.let_out(effects)
        return entry

    with patch.object(MatchLog, "_next", planted):
        yield


@contextmanager
def _default_not_logged() -> Iterator[None]:
    fault = Asker._fault

    def planted(self: Asker, hosted: Hosted, seat: Seat, kind: Fault, ms: int) -> None:
        before = len(hosted.pending)
        fault(self, hosted, seat, kind, ms)
        del hosted.pending[before:]

    with patch.object(Asker, "_fault", planted):
        yield


@contextmanager
def _freeze_not_given_back() -> Iterator[None]:
    """Neither by the next tick, nor to an answer that comes in before it."""
    shifted = patch.object(Timekeeper, "_shift", lambda _self, _gap, _now: None)
    with shifted, patch.object(Timekeeper, "standstill_ms", lambda _self, _now: 0):
        yield


def _given_back_in_silence() -> AbstractContextManager[object]:
    def planted(hosted: Hosted, seat: Seat, thought_ms: int) -> None:
        hosted.pending += logbook.time(seat.table.index, seat.number, seat.last_act, 0, thought_ms)

    return patch.object(Asker, "_note_time", staticmethod(planted))


@contextmanager
def _clock_not_rearmed() -> Iterator[None]:
    """Go on with the clock of an open decision where its last host left it, the time of the hand-over included."""
    adopt, take = Host.adopt, Session.take
    handed_over: dict[object, int] = {}

    def remembering(self: Host, hosted: Hosted, absent: list[int]) -> None:
        adopt(self, hosted, absent)
        if hosted.epoch > 1:
            handed_over.update({seat: seat.act for seats in hosted.seats.values() for seat in seats if seat.act >= 0})

    def planted(self: Session, now: float) -> bytes:
        stamps = list(self.stamps)
        message = take(self, now)
        for seat in stamps:
            if isinstance(seat, Seat) and handed_over.get(seat) == seat.act:
                seat.started -= HAND_OVER_S
        return message

    with patch.object(Host, "adopt", remembering), patch.object(Session, "take", planted):
        yield


@contextmanager
def _orders_in_the_fold() -> Iterator[None]:
    """Fold what the bot orders now, not what was answered for it then."""
    host_claimed = Taker._host_claimed
    redo = MatchPlay._redo_act
    rosters: dict[str, Host] = {}

    async def remembering(self: Taker, spec: MatchSpec, claimed: Claimed, terms: Terms) -> None:
        rosters[spec.id] = self._host
        await host_claimed(self, spec, claimed, terms)

    def planted(self: MatchPlay, record: ActRecord) -> None:
        host = rosters.get(self.spec.id)
        if host is not None and record.author is Author.ORDER:
            record = _as_ordered_now(self, host, record)
        redo(self, record)

    with patch.object(Taker, "_host_claimed", remembering), patch.object(MatchPlay, "_redo_act", planted):
        yield


def _as_ordered_now(play: MatchPlay, host: Host, record: ActRecord) -> ActRecord:
    table: Table = play.table(record.game)
    bot = play.spec.entrants[play.spec.seating(record.game)[record.seat]]
    player = host.roster.players.get(bot)
    session = player.best_session(play.spec.format.name) if player else None
    if session is None:
        return record
    kind = table.round.asked[record.seat]
    pick = ordered_pick(table.round, record.seat, kind, session.greeting.orders)
    if pick is None:
        return record
    return ActRecord(
        record.game, record.seat, record.options, pick, record.call, record.color, record.author, record.fault,
        record.ms,
    )  # fmt: skip


@contextmanager
def _in_doubt_merged() -> Iterator[None]:
    """Put an entry whose reply was lost together with what has gathered since, as one new entry."""
    form, lost = MatchLog._next, MatchLog._on_lost
    sent: dict[Hosted, bytes] = {}

    def remembering(self: MatchLog, hosted: Hosted, now_ms: int) -> Inflight | None:
        data = bytes(hosted.pending)
        entry = form(self, hosted, now_ms)
        if entry is not None:
            sent[hosted] = data
        return entry

    def planted(self: MatchLog) -> None:
        lost(self)
        under_way, self._inflight = self._inflight, {}
        for hosted, entry in under_way.items():
            hosted.pending[:0] = sent[hosted]
            hosted.effects[:0] = entry.effects
            hosted.inflight = None
            self.mark(hosted)

    with patch.object(MatchLog, "_next", remembering), patch.object(MatchLog, "_on_lost", planted):
        yield


@contextmanager
def _late_answer_counted_twice() -> Iterator[None]:
    """Take an answer whose default has been played for the answer to what is asked now."""
    answer, late = Asker.answer, Asker.late
    defaulted: set[tuple[Seat, int]] = set()

    def noting(self: Asker, seat: Seat, ms: int) -> None:
        defaulted.add((seat, seat.act))
        late(self, seat, ms)

    def planted(
        self: Asker, session: Session, handle: int, act: int, picks: Picks, flags: int, thought_ms: int = 0
    ) -> AskerReply | None:
        seat = session.handles.get(handle)
        if seat is not None and seat.act >= 0 and (seat, act) in defaulted:
            act = seat.act
        return answer(self, session, handle, act, picks, flags, thought_ms)

    with patch.object(Asker, "late", noting), patch.object(Asker, "answer", planted):
        yield


def _lost_going_away() -> AbstractContextManager[object]:
    return patch.object(wire, "going_away", lambda _ms: b"")


BUGS: Final[tuple[Bug, ...]] = (
    Bug(
        "no head compare", "the store appends whatever it gets",
        _script("append", _append_unchecked), Invariant.EPOCHS, 40, 15,
    ),
    Bug(
        "effect before append", "bots see an answer before the log has it",
        _effects_first, Invariant.SEEN, 20, 6,
    ),
    Bug(
        "default not logged", "what is played for a late bot is missing in the log",
        _default_not_logged, Invariant.FOLDS, 10, 5,
    ),
    Bug(
        "clock not re-armed", "the clock of an open question includes the hand-over",
        _clock_not_rearmed, Invariant.BLAMELESS, 10, 3,
    ),
    Bug(
        "freeze not given back", "the time that a referee stood still is the bots'",
        _freeze_not_given_back, Invariant.BLAMELESS, 40, 11,
    ),
    Bug(
        "given back in silence", "the log does not say that a referee stood still",
        _given_back_in_silence, Invariant.BLAMELESS, 10, 3,
    ),
    Bug(
        "dead owner's append accepted", "who was taken for dead still writes",
        _script("append", _append_of_the_dead), Invariant.EPOCHS, 40, 14,
    ),
    Bug(
        "seed redrawn by a second claim", "whoever claims again deals anew",
        _script("claim", _claim_with_a_new_seed), Invariant.SEED, 20, 6,
    ),
    Bug(
        "standing order consulted by the fold", "a rebuild asks what the bot orders now",
        _orders_in_the_fold, Invariant.SEEN, 20, 2, (Kind.BOT_ORDERS, Kind.KILL, Kind.DRAIN),
    ),
    Bug(
        "in-doubt append merged", "an entry in doubt is sent again as part of another",
        _in_doubt_merged, Invariant.ALARM, 20, 15,
    ),
    Bug(
        "late answer counted twice", "an answer that comes after its default answers the next question",
        _late_answer_counted_twice, Invariant.KEPT, 10, 0, (Kind.BOT_DEAF,),
    ),
    Bug(
        "lost GoingAway", "a referee that stops does not tell its bots",
        _lost_going_away, Invariant.FAREWELL, 10, 9,
    ),
)  # fmt: skip
