"""A match as a pure state: meetings, seatings, faults and results, driven by log records or by the host alike."""

import hashlib
from collections.abc import Iterable
from typing import Final

from mypy_extensions import mypyc_attr

from lastcard.secret import Secret
from referee import logbook
from referee.clock import SeatClock
from referee.finished_game import FinishedGame
from referee.logbook import (
    CALLED,
    ActRecord,
    CloseRecord,
    Fault,
    LeaveReason,
    LeaveRecord,
    NonceRecord,
    RoundRecord,
    RoundResult,
)
from referee.match_result import FAULT_NAMES, as_json, canonical
from referee.match_spec import MatchSpec
from referee.rules.chance import StreamSource, deal_key
from referee.rules.game import Game
from referee.rules.round import Picks
from referee.table import Table

FAULTS_TO_LOSE_MEETING: Final = 3
MEETINGS_TO_LEAVE: Final = 3


class EngineMismatchError(Exception):
    """The log does not fit the engine: it must not be played on.

    Attributes:
        game: index of the game in the match.
        problem: what differs.
    """

    def __init__(self, game: int, problem: str) -> None:
        super().__init__(f"game {game}: {problem}")
        self.game = game
        self.problem = problem


@mypyc_attr(allow_interpreted_subclasses=True)
class MatchPlay:
    """State of one match: open tables, finished games, faults.

    `latest` has, after a rebuild, the newest answer of each seat of an open round: (decision id, answer).
    `set_nonce`, `act`, `leave`, `end_round` change it; each has a log record, and `redo` applies a record by calling
    the same method. So a match rebuilt from its log is the match.
    """

    def __init__(self, spec: MatchSpec, seed: bytes | Secret, game: type[Game] = Game) -> None:
        k = len(spec.entrants)
        self._new_game = game
        self.spec = spec
        self.seed = Secret(seed)
        self.nonces: dict[int, bytes | None] = {}
        self.tables: dict[int, Table] = {}
        self.clocks: dict[int, list[SeatClock]] = {}
        self.results: list[FinishedGame | None] = [None] * spec.games
        self.games_done = 0
        self.rounds_done = 0
        self.fault_kinds: list[dict[Fault, int]] = [dict.fromkeys(FAULT_NAMES, 0) for _ in range(k)]
        self.lost: set[tuple[int, int]] = set()
        self.gone: dict[int, LeaveReason] = {}
        self.closed: bytes | None = None
        self.latest: dict[tuple[int, int], tuple[int, tuple[object, ...]]] = {}
        self._counts: dict[tuple[int, int], int] = {}
        self._key: Secret | None = None
        self._ended: RoundResult | None = None
        self._known: dict[tuple[int, int], RoundResult] = {}
        self._undealt: dict[int, Game] = {}
        self._by_game = bool(spec.format.rules.number("target_score"))

    # -- before the first deal

    @property
    def missing_nonces(self) -> list[int]:
        """Entrants whose nonce is neither there nor given up."""
        if not self.spec.with_nonces:
            return []
        return [e for e in range(len(self.spec.entrants)) if e not in self.nonces]

    def set_nonce(self, entrant: int, nonce: bytes | None) -> bytes:
        """Take an entrant's nonce (None: left out) and return its record. The first one counts."""
        assert entrant not in self.nonces
        assert self._key is None, "nonces come before the first deal"
        self.nonces[entrant] = nonce
        return logbook.nonce(entrant, nonce)

    @property
    def walkover(self) -> bool:
        """Whether so many entrants never came that nothing is dealt."""
        absent = sum(reason == LeaveReason.NEVER_CAME for reason in self.gone.values())
        return len(self.spec.entrants) - absent < 2

    @property
    def begun(self) -> bool:
        """Whether a bot has put anything into this match: a nonce, or an answer."""
        return self._key is not None or any(nonce is not None for nonce in self.nonces.values())

    def absence(self, entrant: int) -> LeaveReason:
        """Return why an entrant leaves that is not there: who was in the match before did not miss it."""
        played = self._key is not None or entrant in self.nonces
        return LeaveReason.ABSENT if played else LeaveReason.NEVER_CAME

    # -- play

    def start(self, game: int) -> Table:
        """Deal a game that has not begun."""
        assert not self.missing_nonces
        assert game not in self.tables
        assert self.results[game] is None
        spec = self.spec
        k = len(spec.entrants)
        table = self._seat(Table(self._new_game(spec.format.rules, self._chance(game), k - 1), game))
        for entrant in self.gone:
            table.leave(spec.seat_of(game, entrant))
        return table

    def _chance(self, game: int) -> StreamSource:
        """Return the deals of a game; from the first one on no nonce counts any more."""
        spec, k = self.spec, len(self.spec.entrants)
        if self._key is None:
            self._key = deal_key(self.seed, spec.deals_of, [self.nonces.get(e) for e in range(k)])
        return StreamSource(self._key, spec.first_meeting + game // k, spec.deal_of(game, self.seed))

    def _seat(self, table: Table) -> Table:
        self.tables[table.index] = table
        self._wind_clocks(table.index)
        return table

    def _wind_clocks(self, game: int) -> None:
        rule = self.spec.format.clock
        self.clocks[game] = [SeatClock(rule) for _ in self.spec.entrants]

    def act(
        self,
        table: Table,
        seat: int,
        picks: Picks,
        flags: int,
        author: int,
        fault: int,
        ms: int,
    ) -> bytes:
        """Apply an answer and return its record; `flags` = colour, plus CALLED.

        Raises:
            IllegalAnswerError: not legal; nothing has changed.
        """
        current = table.round
        offered = len(current.options(seat))
        table.answer(seat, picks, call=flags >= CALLED, color=flags & 7)
        game = table.index
        if ms:
            self.clocks[game][seat].charge(ms)
        if fault:
            self._count_fault(game, seat, Fault(fault))
        return logbook.act(game, seat, offered, picks, flags, author, fault, ms)

    def _count_fault(self, game: int, seat: int, fault: Fault) -> None:
        entrant = self.spec.seating(game)[seat]
        self.fault_kinds[entrant][fault] += 1
        unit = self._unit(game)
        count = self._counts[unit, entrant] = self._counts.get((unit, entrant), 0) + 1
        if count == FAULTS_TO_LOSE_MEETING:
            self.lost.add((unit, entrant))

    def has_lost(self, game: int, entrant: int) -> bool:
        """Whether the entrant has forfeited the meeting of this game by its faults."""
        return (self._unit(game), entrant) in self.lost

    def _unit(self, game: int) -> int:
        """What faults are counted in: the meeting, or the game where games have a target."""
        return game if self._by_game else game // len(self.spec.entrants)

    def must_leave(self, entrant: int) -> bool:
        """Whether the entrant has forfeited so many meetings that the host must log that it leaves."""
        return entrant not in self.gone and sum(e == entrant for _, e in self.lost) >= MEETINGS_TO_LEAVE

    def leave(self, entrant: int, reason: LeaveReason) -> bytes:
        """Forfeit the rest of the match for an entrant and return the record."""
        if entrant not in self.gone:
            self.gone[entrant] = reason
            for game, table in self.tables.items():
                table.leave(self.spec.seat_of(game, entrant))
        return logbook.leave(entrant, reason)

    def end_round(self, table: Table) -> bytes:
        """Close the round that is over, begin the next or end the game; return the record."""
        digest = table.round.digest()
        finished, index = table.round.result, table.game.round_index
        assert finished is not None
        self.rounds_done += 1
        dealer = 0
        if table.advance():
            self._wind_clocks(table.index)
            dealer = table.round.dealer
        else:
            del self.tables[table.index]
            del self.clocks[table.index]
            self._finish(table.index, table.game, digest)
        self._ended = RoundResult(table.index, index, dealer, finished)
        return logbook.round_end(table.index, digest) + logbook.round_result(self._ended)

    def _finish(self, index: int, game: Game, digest: bytes) -> None:
        seats = self.spec.seating(index)
        forfeited = [entrant for entrant in seats if entrant in self.gone or self.has_lost(index, entrant)]
        self.results[index] = FinishedGame.played(game, seats, forfeited, digest)
        self.games_done += 1

    # -- the end

    @property
    def over(self) -> bool:
        """Whether every game has a result."""
        return self.walkover or self.games_done == self.spec.games

    def next_game(self) -> int | None:
        """Lowest game that has not begun."""
        for game, result in enumerate(self.results):
            if result is None and game not in self.tables:
                return game
        return None

    def result(self) -> dict[str, object]:
        """Return the result as plain JSON values (docs/architecture.md 2)."""
        assert self.over
        games = [
            result or FinishedGame.walkover(self.spec.seating(game), self.gone)
            for game, result in enumerate(self.results)
        ]
        deals = self._deals() if self.spec.hides_deals else None
        return as_json(games, self.fault_kinds, self.gone, deals, walkover=self.walkover)

    def _deals(self) -> list[int]:
        """Return the number of each game's deal, which is known once all tables that share it are over."""
        return [self.spec.deal_of(game, self.seed) for game in range(self.spec.games)]

    def close(self) -> tuple[bytes, str]:
        """Return the closing record and the canonical result text that it signs."""
        text = canonical(self.result())
        digest = hashlib.sha256(text.encode()).digest()
        self.closed = digest
        return logbook.close(digest), text

    # -- from the log

    def foresee(self, results: Iterable[RoundResult]) -> None:
        """Take these results for what the rounds come to: `redo` plays none of them again.

        They stand in the log, behind what is still to be applied. Of a round that is passed over neither the answers
        and how many options they were of are checked, nor the digest of its state: who verifies folds the log without
        results that are known ahead. What comes before a deal may be, or after its game is over, is refused here, too.

        Raises:
            EngineMismatchError: no round of this match comes out so.
        """
        self._known = {(result.game, result.index): result for result in results}
        for result in self._known.values():
            end, k = result.end, len(self.spec.entrants)
            seats = (result.dealer, *end.out, *(() if end.winner is None else (end.winner,)))
            if result.game >= self.spec.games or len(end.points) != k or max(seats) >= k:
                raise EngineMismatchError(result.game, "no round of this match comes out so")

    def redo(self, record: logbook.Record) -> None:
        """Apply one record of the log.

        Raises:
            EngineMismatchError: the record is not what this engine would have allowed or produced.
        """
        match record:
            case ActRecord() | RoundRecord() | RoundResult():
                self._redo_play(record)
            case NonceRecord():
                self._redo_nonce(record)
            case LeaveRecord():
                self._check_entrant(record.entrant)
                self.leave(record.entrant, record.reason)
            case CloseRecord():
                if not self.over or self.close()[0][1:] != record.digest:
                    raise EngineMismatchError(-1, "the closing record does not sign this result")
            case logbook.Stamp() | logbook.TimeRecord():
                pass

    def _redo_play(self, record: ActRecord | RoundRecord | RoundResult) -> None:
        known = self._foreseen(record.game) if self._known else None
        match record:
            case RoundResult():
                if record != self._ended:
                    raise EngineMismatchError(record.game, "the log has another result of the round")
            case ActRecord() if known:
                self._pass_over(record)
            case ActRecord():
                self._redo_act(record)
            case RoundRecord() if known:
                self._count(known, record.digest)
            case RoundRecord():
                self._redo_round(record)

    def _foreseen(self, game: int) -> RoundResult | None:
        """Return the result of the round that a game is at, where it is known ahead."""
        table = self.tables.get(game)
        at = self._undealt.get(game) if table is None else table.game
        return self._known.get((game, 0 if at is None else at.round_index))

    def _pass_over(self, record: ActRecord) -> None:
        """Take from an answer what counts beyond its round."""
        self._check_open(record.game)
        if record.seat >= len(self.spec.entrants):
            raise EngineMismatchError(record.game, f"there is no seat {record.seat}")
        if record.fault:
            self._count_fault(record.game, record.seat, record.fault)

    def _count(self, known: RoundResult, digest: bytes) -> None:
        """Count a round as it came out, and deal the next one of its game, if that is not known, too."""
        self._check_open(known.game)
        index, table = known.game, self.tables.pop(known.game, None)
        self.clocks.pop(index, None)
        game = self._undealt.pop(index, None) if table is None else table.game
        if game is None:
            game = self._new_game.unbegun(self.spec.format.rules, self._chance(index))
        game.count(known.end)
        self.rounds_done += 1
        self._ended = known
        if game.over:
            self._finish(index, game, digest)
            return
        game.round_index += 1
        if (index, game.round_index) in self._known:
            self._undealt[index] = game
        else:
            game.begin(known.dealer)
            self._seat(Table(game, index))

    def table(self, game: int) -> Table:
        """Return the table of a game, dealing it if it has not begun.

        Raises:
            EngineMismatchError: the match has no such game, it is over, or it cannot begin yet.
        """
        found = self.tables.get(game)
        if found is not None:
            return found
        self._check_open(game)
        return self.start(game)

    def _check_open(self, game: int) -> None:
        if not game < self.spec.games or self.results[game] is not None:
            raise EngineMismatchError(game, "there is no such game, or it is over")
        if self.missing_nonces:
            raise EngineMismatchError(game, "a deal before every nonce was there, or left out")

    def _check_entrant(self, entrant: int) -> None:
        if not entrant < len(self.spec.entrants):
            raise EngineMismatchError(-1, f"there is no entrant {entrant}")

    def _redo_nonce(self, record: NonceRecord) -> None:
        self._check_entrant(record.entrant)
        if record.entrant in self.nonces or self._key is not None:
            raise EngineMismatchError(-1, f"a second nonce of entrant {record.entrant}, or one after the first deal")
        self.set_nonce(record.entrant, record.nonce)

    def _redo_act(self, record: ActRecord) -> None:
        table = self.table(record.game)
        if record.seat not in table.round.asked:
            raise EngineMismatchError(record.game, f"seat {record.seat} was not asked")
        offered = len(table.round.options(record.seat))
        if offered & 255 != record.options:
            raise EngineMismatchError(record.game, f"{offered} options, the log says {record.options}")
        flags = record.color | (CALLED if record.call else 0)
        self.latest[record.game, record.seat] = (table.round.asked_at, (record.picks, flags))
        self.act(table, record.seat, record.picks, flags, record.author, record.fault, record.ms)

    def _redo_round(self, record: RoundRecord) -> None:
        table = self.table(record.game)
        if not table.round_over:
            raise EngineMismatchError(record.game, "the round is not over")
        if table.round.digest() != record.digest:
            raise EngineMismatchError(record.game, "the state at the end of the round differs")
        self.end_round(table)
        for seat in range(len(self.spec.entrants)):
            self.latest.pop((record.game, seat), None)
