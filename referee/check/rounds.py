"""Real rounds for a bot that is examined: the rules and the wire of a referee, house bots on the other seats."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from lastcard.history import History
from referee import wire
from referee.check.service import Answered, WrongError
from referee.formats.format import Format
from referee.hosting.hosted import Hosted
from referee.hosting.seats import NOT_ASKED, Seat
from referee.local.local_bot import LocalBot, ask
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.orders import ALWAYS, ORDERED, ordered_pick
from referee.rules.chance import play_seed
from referee.rules.errors import IllegalAnswerError
from referee.table import Table

MEETINGS: Final = 16
MOST_COLOR: Final = 4


@dataclass(frozen=True, slots=True)
class Step:
    """What follows for the bot: bytes to send, and the handle of the round in which they ask."""

    parts: tuple[bytes, ...]
    asks: int


class Rounds:
    """Rounds in flight, all of one format; games begin anew as others end.

    Attributes:
        finished: rounds that were played to their end.
        orders: the bot's standing orders `catch`, `challenge`, `late_call`: what they say is not asked.
    """

    def __init__(self, played: Format, rivals: Iterable[LocalBot], seed: int) -> None:
        self.played = played
        self.finished = 0
        self.orders: tuple[int, int, int] = (ALWAYS, ALWAYS, ALWAYS)
        self._rivals = dict(enumerate(rivals, 1))
        self._seed = seed
        self._matches = 0
        self._hosted: Hosted
        self._games: Iterator[int] = iter(())
        self._seats: dict[int, Seat] = {}
        self._told: dict[int, dict[int, History]] = {}
        self._next_handle = 0

    @property
    def entrants(self) -> tuple[str, ...]:
        """Who sits at the tables: the bot first."""
        return ("you@1", *(f"house-{number}@1" for number in self._rivals))

    @property
    def handles(self) -> list[int]:
        """Handles of the rounds in flight."""
        return list(self._seats)

    def deal(self) -> Step:
        """Deal a round more, up to the bot's first question."""
        game = next(self._games, None)
        if game is None:
            self._matches += 1
            spec = MatchSpec(f"check.{self._matches}.1.0", self.played, self.entrants, MEETINGS, with_nonces=False)
            self._hosted = Hosted(MatchPlay(spec, play_seed(self._seed + self._matches)), "1-0-check", 1, 0)
            self._games = iter(range(spec.games))
            game = next(self._games)
        hosted = self._hosted
        table = hosted.play.start(game)
        seating = hosted.play.spec.seating(game)
        seat = Seat(hosted, table, seating.index(0), 0)
        seat.handle = self._next_handle
        self._next_handle += 1
        self._seats[seat.handle] = seat
        self._told[seat.handle] = {}
        return self._go_on(seat)

    # -- questions

    def question(self, handle: int, *, anew: bool = False) -> bytes:
        """Encode the open question of a round again; `anew`: with everything that happened in it so far."""
        seat = self._seats[handle]
        if anew:
            seat.seen = 0
        return wire.turn(seat)

    def reopen(self, resume: dict[str, int]) -> list[Step]:
        """Ask every open question on a new stream: from where the bot says it stopped, else from the beginning."""
        steps = []
        for seat in self._seats.values():
            seat.seen = min(resume.get(seat.round_id, 0), len(seat.table.round.events) // 4)
            seat.introduced = False
            steps.append(Step((wire.turn(seat),), seat.handle))
        return steps

    def _go_on(self, seat: Seat) -> Step:
        """Have the house play until the bot is asked; rounds that end make way for new ones."""
        parts: list[bytes] = []
        table = seat.table
        while True:
            current = table.round
            if current.result is not None:
                parts.append(self._end(seat))
                if table.game.over:
                    del self._seats[seat.handle], self._told[seat.handle]
                    new = self.deal()
                    return Step((*parts, *new.parts), new.asks)
            elif seat.number not in current.asked:
                self._house_plays(seat, table)
            elif (pick := self._ordered(table, seat.number, self.orders)) is not None:
                table.answer(seat.number, pick, call=False, color=0)
            else:
                seat.act = current.asked_at
                return Step((*parts, wire.turn(seat)), seat.handle)

    @staticmethod
    def _ordered(table: Table, number: int, orders: tuple[int, int, int]) -> int | None:
        kind = table.round.asked[number]
        return ordered_pick(table.round, number, kind, orders) if kind in ORDERED else None

    def _house_plays(self, seat: Seat, table: Table) -> None:
        current = table.round
        number = next(iter(current.asked))
        play = seat.hosted.play
        rival = self._rivals[play.spec.seating(table.index)[number]]
        if (pick := self._ordered(table, number, rival.orders)) is not None:
            table.answer(number, pick, call=False, color=0)
            return
        told = self._told[seat.handle]
        if number not in told:
            told[number] = History(seat.round_id, number, None, self.entrants, table.game.scores)
        picks, call, color = rival.answer(ask(current, number, told[number], play.spec.format.clock))
        table.answer(number, picks[0] if len(picks) == 1 else picks, call=call, color=color)

    def _end(self, seat: Seat) -> bytes:
        self.finished += 1
        finished = seat.table.round
        start = wire.introduction(seat)
        seat.hosted.play.end_round(seat.table)
        result = seat.table.game.result
        part = wire.round_end(seat, finished, start, result.places if result else ())
        self._told[seat.handle].clear()
        seat.new_round()
        if not seat.table.game.over:
            seat.wind()
        return part

    # -- answers

    def take(self, answer: Answered) -> Step:
        """Apply an answer; returns what follows.

        Raises:
            WrongError: it is none of those that were asked for.
        """
        seat = self._seats.get(answer.round)
        if seat is None:
            raise WrongError(f"it answers round {answer.round}, which is none of those it plays")
        if answer.act != seat.act:
            raise WrongError(f"it answers decision {answer.act} of round {answer.round}; open is {seat.act}")
        if not 0 <= answer.color <= MOST_COLOR:
            raise WrongError(f"it names colour {answer.color}; colours are 1-{MOST_COLOR}")
        picks = answer.picks[0] if len(answer.picks) == 1 else answer.picks
        kind = seat.table.round.asked[seat.number].name
        try:
            seat.table.answer(seat.number, picks, call=answer.call, color=answer.color)
        except IllegalAnswerError as error:
            raise WrongError(f"its answer {list(answer.picks)} to {kind} is not legal: {error}") from None
        seat.act = NOT_ASKED
        return self._go_on(seat)
