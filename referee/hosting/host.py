"""Matches hosted here: taken on, dealt, played to the end, handed back."""

import secrets
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Protocol

from ladder.store.logs import logger
from referee import wire
from referee.hosting.asking import Asker
from referee.hosting.contest import Contest
from referee.hosting.hosted import Effect, Hosted, Inflight, Mail, Phase
from referee.hosting.lateness import Lateness
from referee.hosting.roster import Player, Roster
from referee.hosting.seats import NOT_ASKED, Seat
from referee.hosting.sessions import Session
from referee.logbook import LeaveReason
from referee.metrics import Metrics
from referee.rules.chance import NONCE_BYTES
from referee.table import Table

NONCE_S: Final = 2.0
ORPHAN_S: Final = 5.0

log = logger("referee.hosting.host")


class Log(Protocol):
    """Where a host writes; everything it is given is written once, in order, match by match."""

    def mark(self, hosted: Hosted) -> None:
        """Say that a match has something to write or to release."""


class Host:
    """All matches of this referee."""

    def __init__(self, clock: Callable[[], float], roster: Roster, metrics: Metrics) -> None:
        self.clock = clock
        self.roster = roster
        self.metrics = metrics
        self.matches: dict[str, Hosted] = {}
        self.lateness = Lateness()
        self.halted = False
        """The store is nearly full: games stand still, and nobody's time runs."""
        self.contest = Contest(clock, roster, self._take)
        self.asker = Asker(clock, metrics, self._mark, self._game_over, self._must_leave, self.crashed)
        self._log: Log | None = None
        self.on_gone: Callable[[Hosted], None] = lambda _hosted: None
        self.on_last: Callable[[Hosted], None] = lambda _hosted: None
        """Told of a match whose last entry the log has."""
        self.place: Callable[[Player, str], Session | None] = Player.best_session
        """Says to which session a round of a format goes."""
        self.dealing = 0
        """Counts how often games of a match were dealt: while some are, all other matches stay as they are."""

    def connect(self, log: Log) -> None:
        """Say where to write; once, before the first match."""
        self._log = log

    def _mark(self, hosted: Hosted) -> None:
        assert self._log is not None
        self._log.mark(hosted)

    # -- taking on

    def adopt(self, hosted: Hosted, absent: Sequence[int]) -> None:
        """Begin, or go on with, a claimed match; `absent` entrants were waited for and are played without."""
        self.matches[hosted.id] = hosted
        self.dealing += 1
        self._alone(hosted, partial(self._adopt, hosted, absent))

    def _alone(self, hosted: Hosted, act: Callable[[], None]) -> None:
        """Do something to a match: a bug of ours stops this match, and takes none of its neighbours along."""
        try:
            act()
        except Exception as bug:  # noqa: BLE001
            self.crashed(hosted, bug)

    def _adopt(self, hosted: Hosted, absent: Sequence[int]) -> None:
        now = self.clock()
        for entrant, bot in enumerate(hosted.play.spec.entrants):
            if entrant not in absent:
                self.roster.player(bot, now).excuse(now, hosted.format_name, home_lost=hosted.epoch > 1)
        for game, table in hosted.play.tables.items():
            self._seat(hosted, game, table)
        for entrant in absent:
            if entrant not in hosted.play.gone:
                self._leave(hosted, entrant, hosted.play.absence(entrant))
        if len(absent) == len(hosted.play.spec.entrants):
            self.void(hosted, "all_absent")
        elif hosted.play.walkover:
            self._finish(hosted)
        else:
            self._introduce(hosted)

    def _introduce(self, hosted: Hosted) -> None:
        """Tell the bots of a match that it begins, and ask for the nonces that are missing."""
        for session in self._sessions(hosted):
            session.tell(wire.match_start(hosted.play))
        if not hosted.play.missing_nonces:
            self._begin(hosted)
            return
        hosted.nonce_deadline = self.clock() + NONCE_S
        for entrant in hosted.play.missing_nonces:
            if entrant in hosted.play.gone:
                self._take_nonce(hosted, entrant, None)
        self._mark(hosted)

    def _sessions(self, hosted: Hosted) -> list[Session]:
        """Return the sessions of the bots of a match that play its format."""
        now, bots = self.clock(), hosted.play.spec.entrants
        return [one for bot in bots for one in self.roster.player(bot, now).sessions_for(hosted.format_name)]

    def nonce(self, session: Session, match: str, value: bytes) -> bool:
        """Take a bot's nonce; return whether it was of use."""
        hosted = self.matches.get(match)
        if hosted is None or hosted.phase is not Phase.NONCES or session.bot not in hosted.play.spec.entrants:
            return False
        entrant = hosted.play.spec.entrants.index(session.bot)
        if entrant not in hosted.play.missing_nonces:
            return False
        self._take_nonce(hosted, entrant, value if len(value) == NONCE_BYTES else None)
        return True

    def _take_nonce(self, hosted: Hosted, entrant: int, value: bytes | None) -> None:
        hosted.pending += hosted.play.set_nonce(entrant, value)
        if not hosted.play.missing_nonces:
            self._alone(hosted, partial(self._begin, hosted))
        self._mark(hosted)

    def nonces_late(self, hosted: Hosted) -> None:
        """Leave out the nonces that did not come in time."""
        if hosted.phase is not Phase.NONCES:
            return
        for entrant in hosted.play.missing_nonces:
            self._take_nonce(hosted, entrant, None)

    def _begin(self, hosted: Hosted) -> None:
        hosted.nonce_deadline = 0.0
        hosted.phase = Phase.PLAYING
        for table in list(hosted.play.tables.values()):
            self.asker.progress(hosted, table)
        self.fill(hosted)

    def fill(self, hosted: Hosted) -> None:
        """Deal games until as many are in play as there is room for, or none is left."""
        self.dealing += 1
        self._alone(hosted, partial(self._fill, hosted))

    def _fill(self, hosted: Hosted) -> None:
        while hosted.phase is Phase.PLAYING and len(hosted.play.tables) < hosted.parallel:
            game = hosted.play.next_game()
            if game is None:
                break
            table = hosted.play.start(game)
            self._seat(hosted, game, table)
            self.asker.progress(hosted, table)
        if hosted.phase is Phase.PLAYING and hosted.play.over:
            self._finish(hosted)

    def _seat(self, hosted: Hosted, game: int, table: Table) -> None:
        spec = hosted.play.spec
        now = self.clock()
        seats = [Seat(hosted, table, number, entrant) for number, entrant in enumerate(spec.seating(game))]
        hosted.seats[game] = seats
        for seat in seats:
            seat.last_act, seat.last_answer = hosted.play.latest.get((game, seat.number), (NOT_ASKED, ()))
            player = self.roster.player(spec.entrants[seat.entrant], now)
            player.seats[seat] = None
            session = self.place(player, spec.format.name)
            if session is not None:
                session.admit(seat)
            else:
                seat.orphaned = now

    def join(self, session: Session) -> None:
        """Take a session in: of two of the same instance the newer one stays, and has the seats of its bot."""
        self.contest.join(session)

    def _take(self, session: Session) -> None:
        now = self.clock()
        player = self.roster.player(session.bot, now)
        self.roster.join(session, now)
        player.strand(now)
        self.attach(player, session, all_orphans=False)

    def part(self, session: Session) -> None:
        """Take a session out: the clocks of its seats run on, and one that waited for its end has them."""
        now = self.clock()
        self.roster.part(session, now)
        self.contest.parted(session)
        self.roster.player(session.bot, now).strand(now)

    def lose(self, session: Session, *, moved: bool = False) -> None:
        """Take a session out, and look for its bot: it has time to come back.

        No clock of it runs on; where it has `moved` to another referee, that is so as often as a return is free.
        """
        now = self.clock()
        player = self.roster.player(session.bot, now)
        seats, held = dict.fromkeys(session.handles.values()), session in player.sessions.values()
        self.roster.part(session, now)
        for format_name in session.greeting.formats - player.formats:
            if not moved or player.away_since(format_name) >= now:
                player.excuse(now, format_name, home_lost=True)
        settle = partial(Seat.move, now=now) if moved else Seat.forgive
        for seat in seats:
            settle(seat)
        self.contest.parted(session)
        # Those that waited for this process to take them over wait for us now, unless it has a stream that follows.
        if held or not moved:
            for seat in [one for one in player.seats if one.hosted.format_name not in player.formats]:
                if seat not in seats:
                    settle(seat)

    def attach(self, player: Player, session: Session, *, all_orphans: bool) -> None:
        """Give a session the seats of its bot that have none: its own, or those of lost instances as well."""
        told: set[str] = set()
        for seat in list(player.seats):
            mine = seat.instance in ("", session.greeting.instance)
            plays = seat.hosted.format_name in session.greeting.formats
            if seat.session is not None or not plays or not (mine or all_orphans):
                continue
            self._alone(seat.hosted, partial(self._hand_over, seat, session, told))
        self._late_nonces(session, told)

    def _hand_over(self, seat: Seat, session: Session, told: set[str]) -> None:
        """Give a session one seat; `told` are the matches that it was told of."""
        seat.seen = min(session.greeting.resume.get(seat.round_id, 0), len(seat.table.round.events) // 4)
        session.admit(seat)
        seat.put_anew(self.clock())
        if seat.hosted.id not in told:
            told.add(seat.hosted.id)
            session.tell(wire.match_start(seat.hosted.play))
        if seat.released:
            self.asker.send(seat)

    def _late_nonces(self, session: Session, told: set[str]) -> None:
        """Ask a bot that came back for the nonces that its matches still miss."""
        for hosted in self.matches.values():
            waits = hosted.nonce_deadline and hosted.id not in told and session.bot in hosted.play.spec.entrants
            if waits and hosted.format_name in session.greeting.formats:
                session.tell(wire.match_start(hosted.play))

    def remind(self, hosted: Hosted, bot: str) -> None:
        """Ask a bot again for its nonce, if it is missing: its home, which kept nothing for it, passed none on."""
        play = hosted.play
        if hosted.phase is Phase.NONCES and play.spec.entrants.index(bot) in play.missing_nonces:
            for session in self.roster.player(bot, self.clock()).sessions_for(hosted.format_name):
                session.tell(wire.match_start(play))

    # -- leaving

    def leave(self, hosted: Hosted, entrant: int, reason: LeaveReason) -> None:
        """Forfeit the rest of a match for an entrant."""
        if hosted.phase is Phase.PLAYING and entrant not in hosted.play.gone:
            self._alone(hosted, partial(self._leave_now, hosted, entrant, reason))

    def _leave_now(self, hosted: Hosted, entrant: int, reason: LeaveReason) -> None:
        self._leave(hosted, entrant, reason)
        self._after_leave(hosted)

    def _leave(self, hosted: Hosted, entrant: int, reason: LeaveReason) -> None:
        hosted.pending += hosted.play.leave(entrant, reason)
        hosted.leave_pending = True
        self.asker.retract(hosted)
        self.metrics.forfeit(hosted.play.spec.format.name, reason)
        self._mark(hosted)

    def _must_leave(self, hosted: Hosted, entrant: int) -> None:
        self._leave(hosted, entrant, LeaveReason.FAULTS)
        hosted.effects.append(lambda: self._after_leave(hosted))

    def _after_leave(self, hosted: Hosted) -> None:
        """Move on the tables of a match that an entrant left."""
        if hosted.phase is Phase.PLAYING:
            for table in list(hosted.play.tables.values()):
                self.asker.progress(hosted, table)
            self.fill(hosted)

    # -- games and their end

    def _game_over(self, hosted: Hosted, seats: list[Seat]) -> None:
        game = seats[0].table.index
        now = self.clock()
        for seat in seats:
            self.roster.player(hosted.play.spec.entrants[seat.entrant], now).seats.pop(seat, None)
            seat.session = None
        del hosted.seats[game]
        result = hosted.play.results[game]
        assert result is not None
        self.metrics.game(hosted.play.spec.format.name, result.ending)
        hosted.effects.append(lambda: self.fill(hosted))

    def _finish(self, hosted: Hosted) -> None:
        record, text = hosted.play.close()
        hosted.pending += record
        hosted.close_text = text
        hosted.phase = Phase.CLOSING
        self._mark(hosted)

    def void(self, hosted: Hosted, reason: str) -> None:
        """End a match that does not count."""
        if hosted.phase in (Phase.GONE, Phase.CLOSING, Phase.LEAVING):
            return
        hosted.void_reason = reason
        hosted.phase = Phase.CLOSING
        hosted.effects.clear()
        hosted.pending.clear()
        hosted.show = None  # it may have seen what the log will never have
        self._mark(hosted)

    def give_back(self, hosted: Hosted) -> None:
        """Have a match released, so that it goes on elsewhere."""
        hosted.phase = Phase.LEAVING
        self._mark(hosted)

    def crashed(self, hosted: Hosted, bug: Exception) -> None:
        """Park a match that our own bug stopped: logged under an id, and the id is all that the outside sees."""
        incident = secrets.token_hex(4)
        log.critical("match_crashed", match=hosted.id, incident=incident, exc_info=bug)
        self.metrics.crashes += 1
        hosted.parked = True
        self.void(hosted, f"internal error {incident}")

    # -- what the log says

    def committed(self, hosted: Hosted, entry: Inflight) -> None:
        """The log has an entry: let its effects out."""
        hosted.head = entry.new_head
        hosted.seq = entry.seq
        hosted.inflight = None
        try:
            self.let_out(entry.effects)
        except Exception as bug:  # noqa: BLE001  (one match must not take its neighbours along)
            self.crashed(hosted, bug)
        if entry.final:
            self.on_last(hosted)
            if hosted.phase is Phase.CLOSING:
                self._farewell(hosted)
            else:
                hosted.moved = True
            self._drop(hosted)
        elif hosted.pending or hosted.effects or hosted.phase is Phase.CLOSING:
            self._mark(hosted)

    def let_out(self, effects: list[Effect]) -> None:
        """Send what was waiting for the log."""
        asker = self.asker
        now = self.clock()
        for effect in effects:
            if isinstance(effect, Seat):
                asker.release(effect)
            elif isinstance(effect, Mail):
                effect.session.end_round(effect.turn, effect.handle, now)
            else:
                effect()

    def fenced(self, hosted: Hosted) -> None:
        """Somebody else owns the match now: forget it."""
        self.metrics.fenced += 1
        self.drop(hosted)

    def drop(self, hosted: Hosted) -> None:
        """Forget a match that may go on elsewhere."""
        hosted.moved = True
        self._drop(hosted)

    def _drop(self, hosted: Hosted) -> None:
        hosted.phase = Phase.GONE
        self.matches.pop(hosted.id, None)
        now = self.clock()
        sessions: dict[Session, None] = {}
        for seats in hosted.seats.values():
            for seat in seats:
                self.roster.player(hosted.play.spec.entrants[seat.entrant], now).seats.pop(seat, None)
                seat.act = NOT_ASKED
                if seat.session is not None:
                    sessions[seat.session] = None
                    seat.session.dismiss(seat, moved=hosted.moved)
        hosted.seats.clear()
        for session in sessions:
            self.asker.refill(session)
        self.on_gone(hosted)

    def _farewell(self, hosted: Hosted) -> None:
        for session in self._sessions(hosted):
            session.tell(wire.match_end(hosted.play, hosted.void_reason, goes_on=hosted.parked))
