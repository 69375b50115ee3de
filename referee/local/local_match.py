"""A match in this process: the match, table and engine code of a referee, without its clock and log.

An illegal answer is treated as there: the default is played, and the fault may cost the meeting or the match.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from lastcard import history, result
from lastcard.faces import cards
from lastcard.words import ENDINGS
from referee.local.local_bot import LocalBot, ask
from referee.logbook import CALLED, Author, Fault, LeaveReason
from referee.match import MatchPlay
from referee.match_result import as_json
from referee.orders import ORDERED, ordered_pick
from referee.rules import view
from referee.rules.errors import IllegalAnswerError
from referee.rules.game import GameEnd
from referee.rules.games import points_of
from referee.rules.round import Round
from referee.rules.vocabulary import DecisionKind
from referee.table import Table


class LocalSeat:
    """A seat in a round: who sits there, and what it has seen."""

    __slots__ = ("bot", "entrant", "faults", "number", "seen")

    def __init__(self, number: int, entrant: int, bot: LocalBot, seen: history.History) -> None:
        self.number = number
        self.entrant = entrant
        self.bot = bot
        self.seen = seen
        self.faults = 0


@dataclass(frozen=True, slots=True)
class Whole:
    """What a match had come to when its latest meeting was over.

    Attributes:
        games: games of the meetings that were over.
        decisions: questions that a bot was asked in them.
        fault_kinds: by entrant, how many faults of each kind.
        gone: why entrants left.
    """

    games: int = 0
    decisions: int = 0
    fault_kinds: Sequence[Mapping[Fault, int]] = ()
    gone: Mapping[int, LeaveReason] = field(default_factory=dict)


class LocalMatch:
    """Plays the games of a match one after the other.

    Attributes:
        play: the match.
        decisions: questions that a bot was asked.
        whole: what it had come to when its latest meeting was over.
    """

    __slots__ = ("_bots", "_clock", "_match", "decisions", "play", "whole")

    def __init__(self, play: MatchPlay, bots: Sequence[LocalBot]) -> None:
        spec = play.spec
        self.play = play
        self.decisions = 0
        self.whole = Whole()
        self._bots = bots
        self._clock = spec.format.clock
        self._match = history.Match(
            id=spec.id,
            format=spec.format.name,
            entrants=spec.entrants,
            meetings=spec.meetings,
            commitment=spec.commitment(play.seed),
            ruleset=spec.format.rules.hash,
            points=points_of(spec.format.rules),
        )

    def run(self, game_over: Callable[[Table], None]) -> None:
        """Play all games; `game_over` is told each table whose game is over."""
        for game in range(self.play.spec.games):
            table = self.play_one(game)
            self._meeting_over()
            game_over(table)
        ended = result.MatchResult(self._match, "", self.play.seed.reveal(), (), proven=True)
        for bot in self._bots:
            bot.tell("on_match_end", lambda: ended)

    def _meeting_over(self) -> None:
        """Keep what the match has come to, if no meeting of it is under way."""
        play = self.play
        if play.games_done % len(play.spec.entrants) == 0:
            faults = [dict(kinds) for kinds in play.fault_kinds]
            self.whole = Whole(play.games_done, self.decisions, faults, dict(play.gone))

    def so_far(self) -> dict[str, Any]:
        """Return the result of the meetings that are over, at least one: nothing of one that is under way."""
        whole = self.whole
        games = [game for game in self.play.results[: whole.games] if game is not None]
        return as_json(games, whole.fault_kinds, whole.gone, None, walkover=False)

    def play_one(self, game: int) -> Table:
        """Play one game; return its table, at which it is over."""
        table = self.play.start(game)
        while not table.game.over:
            seats = self._sit_down(table)
            while not table.round_over:
                self._ask(table, seats)
            self._end_round(table, seats)
        return table

    def _sit_down(self, table: Table) -> list[LocalSeat]:
        """The seats of a round that begins."""
        spec = self.play.spec
        meeting, game = divmod(table.index, len(spec.entrants))
        round_id = f"{spec.id}/{spec.first_meeting + meeting}/{game}/{table.game.round_index}"
        seating = spec.seating(table.index)
        names = [spec.entrants[entrant] for entrant in seating]
        seen = [history.History(round_id, seat, self._match, names, table.game.scores) for seat in range(len(names))]
        return [LocalSeat(seat, entrant, self._bots[entrant], seen[seat]) for seat, entrant in enumerate(seating)]

    # -- questions and answers

    def _ask(self, table: Table, seats: Sequence[LocalSeat]) -> None:
        """Have every seat that is asked now answer once."""
        current = table.round
        act = current.asked_at
        for number, kind in list(current.asked.items()):
            if current.asked_at == act and number in current.asked:
                self._answer(table, seats[number], kind)

    def _answer(self, table: Table, seat: LocalSeat, kind: DecisionKind) -> None:
        play, number = self.play, seat.number
        if play.lost and play.has_lost(table.index, seat.entrant):
            self._default(table, number, Author.FORFEIT, Fault.NONE)
            return
        if kind in ORDERED:
            pick = ordered_pick(table.round, number, kind, seat.bot.orders)
            if pick is not None:
                play.act(table, number, pick, 0, Author.ORDER, Fault.NONE, 0)
                return
        self.decisions += 1
        picks, call, color = seat.bot.answer(ask(table.round, number, seat.seen, self._clock))
        flags = color | CALLED if call else color
        try:
            play.act(table, number, picks[0] if len(picks) == 1 else picks, flags, Author.BOT, Fault.NONE, 0)
        except IllegalAnswerError:
            self._fault(table, seat)

    def _default(self, table: Table, number: int, author: Author, fault: Fault) -> None:
        picks, call, color = table.round.default(number)
        self.play.act(table, number, picks, color | CALLED if call else color, author, fault, 0)

    def _fault(self, table: Table, seat: LocalSeat) -> None:
        """Play the default for an illegal answer; whoever forfeits too many meetings leaves the match."""
        seat.faults += 1
        self._default(table, seat.number, Author.CLOCK, Fault.ILLEGAL)
        if self.play.must_leave(seat.entrant):
            self.play.leave(seat.entrant, LeaveReason.FAULTS)

    # -- the end of a round

    def _end_round(self, table: Table, seats: Sequence[LocalSeat]) -> None:
        ended = table.round
        self.play.end_round(table)
        for seat in seats:
            if seat.bot.hears:
                known = len(seat.seen.kinds)
                seat.seen.add(known, *view.events(ended, seat.number, known))
                seat.bot.tell("on_round_end", partial(_round_result, ended, seat))
                if table.game.result is not None:
                    seat.bot.tell("on_game_end", partial(_game_result, table.game.result, seat.seen))


def _round_result(ended: Round, seat: LocalSeat) -> result.RoundResult:
    outcome = ended.result
    assert outcome is not None
    return result.RoundResult(
        history=seat.seen,
        ending=ENDINGS[outcome.ending],
        places=outcome.places,
        points=outcome.points,
        hands=tuple(map(cards, ended.hands)),
        left=outcome.left,
        faults=seat.faults,
    )


def _game_result(outcome: GameEnd, seen: history.History) -> result.GameResult:
    return result.GameResult(
        game_id=seen.round_id.rpartition("/")[0],
        match=seen.match,
        seat=seen.seat,
        entrants=seen.entrants,
        places=outcome.places,
        points=outcome.scores,
    )
