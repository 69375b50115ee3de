"""Asks seats, takes their answers, and lets effects out when the log has what they tell."""

from collections.abc import Callable
from functools import partial
from typing import Final

from referee import logbook, wire
from referee.hosting.hosted import Hosted, Mail, Phase
from referee.hosting.seats import NOT_ASKED, Seat
from referee.hosting.sessions import Asked, Session
from referee.hosting.show import Finished
from referee.logbook import CALLED, Author, Fault
from referee.metrics import Metrics
from referee.orders import ORDERED, ordered_pick
from referee.rules.errors import IllegalAnswerError
from referee.rules.round import Picks
from referee.rules.vocabulary import DecisionKind
from referee.table import Table
from referee.wire import ReplyCode

MOST_PICKS: Final = 512
SHORT_MS: Final = 100
"""Answers that came sooner need no look at whether we stood still meanwhile, and the log says no more of their time."""
MOVED: Final = "the match goes on at another referee; the decision will be asked again"
CLOSED: Final = "that decision is closed"
OVER: Final = "that round is over"

Reply = tuple[ReplyCode, str]
Forced = tuple[Seat, Picks, int, Author, Fault]


class Asker:
    """Moves tables on: from an answer to the next question.

    Nothing here waits. Questions and results become effects of their match; `release` sends them.

    Attributes:
        standstill_ms: for how long, up to a loop time, this process has just stood still without clocks being told.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        metrics: Metrics,
        dirty: Callable[[Hosted], None],
        game_over: Callable[[Hosted, list[Seat]], None],
        must_leave: Callable[[Hosted, int], None],
        crashed: Callable[[Hosted, Exception], None],
    ) -> None:
        self.standstill_ms: Callable[[float], int] = lambda _now: 0
        self._clock = clock
        self._metrics = metrics
        self._decided = metrics.decisions.add
        self._dirty = dirty
        self._game_over = game_over
        self._must_leave = must_leave
        self._crashed = crashed

    # -- from a table to its seats

    def progress(self, hosted: Hosted, table: Table) -> None:
        """Ask whoever is to be asked, answering what needs no bot, until a bot is waited for or the game is over."""
        while True:
            if table.round.result is not None:
                if not self._round_over(hosted, table):
                    return
                continue
            forced = self._ask(hosted, table)
            if forced is None:
                if hosted.show is not None:
                    hosted.show.look(table)
                return
            seat, picks, flags, author, fault = forced
            self._apply(hosted, seat, picks, flags, author, fault, 0)

    def _ask(self, hosted: Hosted, table: Table) -> Forced | None:
        """Open the questions of the round; return an answer that needs no bot instead, if there is one."""
        current = table.round
        act = current.asked_at
        seats = hosted.seats[table.index]
        lost = hosted.play.lost
        alone = current.seat
        for number, kind in ((alone, current.kind),) if alone >= 0 else current.asked.items():
            seat = seats[number]
            if seat.act == act:
                continue
            if kind in ORDERED or lost or seat.clock.spent_ms >= seat.clock.rule.round_ms:
                forced = self._answer_without_bot(hosted, seat, kind)
                if forced is not None:
                    return forced
            seat.act = act
            seat.released = False
            seat.started = seat.carried = seat.given_back = 0.0
            seat.suspect = False
            hosted.effects.append(seat)
        self._dirty(hosted)
        return None

    def _answer_without_bot(self, hosted: Hosted, seat: Seat, kind: DecisionKind) -> Forced | None:
        play = hosted.play
        game = seat.table.index
        if play.lost and play.has_lost(game, seat.entrant):
            return self.default(seat, Author.FORFEIT, Fault.NONE)
        clock = seat.clock
        if clock.spent_ms >= clock.rule.round_ms:
            return self.default(seat, Author.CLOCK, Fault.LATE)
        if kind in ORDERED and seat.session is not None:
            pick = ordered_pick(seat.table.round, seat.number, kind, seat.session.greeting.orders)
            if pick is not None:
                return seat, pick, 0, Author.ORDER, Fault.NONE
        return None

    @staticmethod
    def default(seat: Seat, author: Author, fault: Fault) -> Forced:
        """Return the default answer of an asked seat."""
        picks, call, color = seat.table.round.default(seat.number)
        return seat, picks, color | (CALLED if call else 0), author, fault

    def _apply(self, hosted: Hosted, seat: Seat, picks: Picks, flags: int, author: int, fault: int, ms: int) -> None:
        asked = seat.table.round.asked_at
        record = hosted.play.act(seat.table, seat.number, picks, flags, author, fault, ms)
        seat.last_act = asked
        seat.last_answer = (picks, flags)
        seat.act = NOT_ASKED
        hosted.pending += record
        if fault:
            seat.faults += 1
            self._metrics.fault(hosted.play.spec.format.name, fault)
            if hosted.play.must_leave(seat.entrant):
                self._must_leave(hosted, seat.entrant)

    def _round_over(self, hosted: Hosted, table: Table) -> bool:
        """Tell everybody, begin the next round; return whether there is one."""
        seats = hosted.seats[table.index]
        finished = table.round
        seen = hosted.show and Finished(finished, table.game.round_index, tuple(table.game.scores))
        starts = [wire.introduction(seat) for seat in seats]
        hosted.pending += hosted.play.end_round(table)
        if hosted.show is not None and seen:
            hosted.show.round_over(table, seen)
        over = table.game.over
        places = table.game.result.places if table.game.result else ()
        for seat, start in zip(seats, starts, strict=True):
            session = seat.session
            if session is not None:
                turn = wire.round_end(seat, finished, start, places)
                hosted.effects.append(Mail(session, turn, seat.handle))
                self._next_waiting(session, seat)
                session.handles.pop(seat.handle, None)
            seat.new_round()
            if not over:
                seat.wind()
            if session is not None and not over:
                session.admit(seat)
        self._metrics.rounds += 1
        if over:
            self._game_over(hosted, seats)
        self._dirty(hosted)
        return not over

    def retract(self, hosted: Hosted) -> None:
        """Forget the open questions that a leaving entrant took off the tables, whoever they were put to."""
        for game, seats in hosted.seats.items():
            current = hosted.play.tables[game].round if game in hosted.play.tables else None
            for seat in seats:
                if seat.act >= 0 and not (current and current.asked_at == seat.act and seat.number in current.asked):
                    seat.last_act, seat.last_answer, seat.act = seat.act, (), NOT_ASKED
                    if seat.session is not None:
                        self._next_waiting(seat.session, seat)

    # -- from a seat to the wire

    def release(self, seat: Seat) -> None:
        """The log has what the open question depends on: send it when its bot has room."""
        if seat.act >= 0:
            seat.released = True
            self.send(seat)

    def send(self, seat: Seat) -> None:
        """Send the open question of a seat, or have it wait for room."""
        session = seat.session
        if session is None or seat.act < 0 or seat in session.open:
            return
        if len(session.open) >= session.greeting.max_open:
            session.waiting.append(seat)
            return
        if seat.hosted.unlogged_leave:
            if seat not in seat.hosted.effects:  # a log that stands still would gather it with every return of its bot
                seat.hosted.effects.append(seat)
            self._dirty(seat.hosted)
            return
        session.open[seat] = None
        session.push(wire.turn(seat), seat, self._clock())

    def refill(self, session: Session) -> None:
        """Send what waits for room, as far as there is room."""
        while (waiting := session.next_waiting()) is not None:
            self._send_waiting(waiting)

    def _next_waiting(self, session: Session, seat: Seat) -> None:
        waiting = session.close_decision(seat)
        if waiting is not None:
            self._send_waiting(waiting)

    def _send_waiting(self, waiting: Asked) -> None:
        """Send what has waited for room, whoever hosts it."""
        if isinstance(waiting, Seat):
            self.send(waiting)
        else:
            waiting.offer(self._clock())

    # -- from the wire to a seat

    def answer(
        self, session: Session, handle: int, act: int, picks: Picks, flags: int, thought_ms: int = 0
    ) -> Reply | None:
        """Take an answer; return what is wrong with it, if anything.

        Args:
            session: where it came from.
            handle: round handle.
            act: decision id.
            picks: option index, or several of them.
            flags: colour, plus 32 if called; 7 as colour = malformed.
            thought_ms: milliseconds that the bot says it thought; 0 = it does not say.
        """
        seat = session.handles.get(handle)
        if seat is None:
            return no_round(session, handle)
        hosted = seat.hosted
        if hosted.phase is not Phase.PLAYING:
            return (ReplyCode.MOVED, MOVED) if hosted.phase is Phase.LEAVING else (ReplyCode.ROUND_OVER, OVER)
        if seat.act != act or not seat.released:
            return not_open(seat, max(seat.act, seat.table.round.asked_at), act, picks, flags)
        now = self._clock()
        ms = max(0, int((now - seat.started) * 1000)) if seat.started else 0
        if ms >= SHORT_MS and not session.remote:
            ms = self.charged_ms(seat, ms, now)
        if session.waiting:
            self._next_waiting(session, seat)
        else:
            session.open.pop(seat, None)
        self._decided(ms / 1000)
        try:
            refused = self._try(hosted, seat, picks, flags, ms)
            if ms >= SHORT_MS or seat.given_back or refused is not None:
                self._note_time(hosted, seat, thought_ms)
            self.progress(hosted, seat.table)
        except Exception as bug:  # noqa: BLE001  (one match must not take its neighbours along)
            self._crashed(hosted, bug)
            return None
        return refused

    def charged_ms(self, asked: Asked, ms: int, now: float) -> int:
        """Return what is charged for an answer after so many milliseconds: not those for which we stand still now."""
        ours = min(ms, self.standstill_ms(now))
        if ours:
            asked.given_back += ours / 1000
            self._metrics.given_back["standstill"] += ours / 1000
        return ms - ours

    @staticmethod
    def _note_time(hosted: Hosted, seat: Seat, thought_ms: int) -> None:
        """Log of the answer that a seat has just got what the milliseconds that it is charged do not tell."""
        ours = round(seat.given_back * 1000)
        hosted.pending += logbook.time(seat.table.index, seat.number, seat.last_act, ours, thought_ms)

    def acknowledge(self, session: Session, handle: int, act: int) -> None:
        """Say of a repeated answer that it counts, as soon as the log has it: once, however often it is repeated."""
        reply, repeated = wire.reply(handle, act, ReplyCode.OK, ""), (session, handle, act)
        seat = session.handles.get(handle)
        if seat is None or not (seat.hosted.pending or seat.hosted.inflight is not None):
            session.hint(reply)
        elif seat.repeated != repeated:  # a log that stands still would gather them without end
            seat.repeated = repeated
            seat.hosted.effects.append(partial(self._counts, seat, session, reply))

    @staticmethod
    def _counts(seat: Seat, session: Session, reply: bytes) -> None:
        """Say of the repeated answer of a seat that it counts: the log has it."""
        seat.repeated = None
        session.hint(reply)

    def _try(self, hosted: Hosted, seat: Seat, picks: Picks, flags: int, ms: int) -> Reply | None:
        """Apply a bot's answer, or its default with a fault."""
        if flags & 7 > 4 or (isinstance(picks, tuple) and len(picks) > MOST_PICKS):
            self._fault(hosted, seat, Fault.MALFORMED, ms)
            return ReplyCode.MALFORMED, f"an answer has a colour of 0-4 and at most {MOST_PICKS} picks"
        try:
            self._apply(hosted, seat, picks, flags, Author.BOT, Fault.NONE, ms)
        except IllegalAnswerError as error:
            self._fault(hosted, seat, Fault.ILLEGAL, ms)
            return ReplyCode.ILLEGAL, f"{error}; the default was played"
        return None

    def _fault(self, hosted: Hosted, seat: Seat, fault: Fault, ms: int) -> None:
        _, picks, flags, author, _ = self.default(seat, Author.CLOCK, fault)
        self._apply(hosted, seat, picks, flags, author, fault, ms)

    def late(self, seat: Seat, ms: int) -> None:
        """Play the default for a seat whose time is over."""
        if seat.hosted.phase is not Phase.PLAYING:
            return
        session = seat.session
        if session is not None:
            session.hint(
                wire.reply(seat.handle, seat.act, ReplyCode.LATE, "your time was over; the default was played")
            )
            self._next_waiting(session, seat)
        try:
            self._fault(seat.hosted, seat, Fault.LATE, ms)
            self._note_time(seat.hosted, seat, 0)
            self.progress(seat.hosted, seat.table)
        except Exception as bug:  # noqa: BLE001  (as above)
            self._crashed(seat.hosted, bug)


def no_round(session: Session, handle: int) -> Reply:
    """Return what is wrong with an answer to a round that a stream does not play."""
    if handle in session.moved:
        return ReplyCode.MOVED, MOVED
    if handle < session.next_handle:
        return ReplyCode.ROUND_OVER, OVER
    return ReplyCode.FOREIGN, f"round {handle} is not one of yours"


def not_open(asked: Asked, newest: int, act: int, picks: Picks, flags: int) -> Reply:
    """Return what is wrong with an answer to a decision that is not open; `newest` is the latest of the round."""
    if act == asked.last_act:
        if asked.last_answer == (picks, flags):
            return ReplyCode.OK, ""
        return ReplyCode.STALE, "another answer to that decision counts" if asked.last_answer else CLOSED
    if act < newest:
        return ReplyCode.STALE, CLOSED
    return ReplyCode.FOREIGN, f"decision {act} was not asked"
