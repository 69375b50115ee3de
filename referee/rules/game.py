"""A game: rounds until the target, their scores, and who is ahead (D 8-19)."""

from dataclasses import dataclass
from typing import Self

from mypy_extensions import mypyc_attr

from referee.rules.chance import ChanceSource
from referee.rules.events import NOBODY, event
from referee.rules.games import GAMES
from referee.rules.options import Rules
from referee.rules.round import Round
from referee.rules.scoring import RoundEnd, lost_at, rank
from referee.rules.vocabulary import EventKind, MatchEnding


@dataclass(frozen=True, slots=True)
class GameEnd:
    """How a game ended. `winners` are the seats with place 1; `places` count from 1 and ties share."""

    ending: MatchEnding
    winners: tuple[int, ...]
    places: tuple[int, ...]
    scores: tuple[int, ...]
    rounds: int

    def as_json(self) -> dict[str, object]:
        """As scenarios and records write it."""
        return {
            "end": self.ending.name,
            "winners": list(self.winners),
            "places": list(self.places),
            "scores": list(self.scores),
        }


@mypyc_attr(allow_interpreted_subclasses=True)
class Game:
    """Rounds at one table until the target is reached."""

    __slots__ = (
        "_low",
        "chance",
        "kind",
        "last",
        "out",
        "result",
        "round",
        "round_index",
        "rounds_won",
        "rules",
        "scores",
    )

    round: Round
    last: RoundEnd | None  # of the last round that is over and counted
    result: GameEnd | None

    def __init__(self, rules: Rules, chance: ChanceSource, first_dealer: int | None = None) -> None:
        self.prepare(rules, chance)
        self.begin(chance.dealer(rules.seats) if first_dealer is None else first_dealer)

    @classmethod
    def unbegun(cls, rules: Rules, chance: ChanceSource) -> Self:
        """Return a game without a round yet: `begin` deals one, or one that is set up is taken in, or counted."""
        game = cls.__new__(cls)
        game.prepare(rules, chance)
        return game

    def begin(self, dealer: int) -> None:
        """Deals the first round, or the one whose turn it is after others were counted."""
        self._deal(dealer)

    def prepare(self, rules: Rules, chance: ChanceSource) -> None:
        """Takes what the game has before its first round."""
        self.rules = rules
        self.chance = chance
        self.round_index = 0
        self.scores = [0] * rules.seats
        self.rounds_won = [0] * rules.seats
        self.out: list[int] = []
        self.last = None
        self.result = None
        self.kind = GAMES[rules.game]
        self._low = self.kind.facts_of(rules).low

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.result is not None

    def advance(self) -> None:
        """Counts the round that is over, then starts the next one, unless the game is over."""
        self.settle()
        if not self.over:
            self.deal()

    def settle(self) -> None:
        """Counts the round that is over."""
        ended = self.round.result
        assert ended is not None, "the round is not over"
        self.count(ended)
        if self.result is not None:
            winners = self.result.winners
            self.round.events += event(EventKind.MATCH_END, winners[0] if len(winners) == 1 else NOBODY)

    def count(self, ended: RoundEnd) -> None:
        """Counts a round that ended so, wherever it was played."""
        assert self.result is None, "the game is over"
        self.last = ended
        self.out = list(ended.out)
        self.scores = [total + points for total, points in zip(self.scores, ended.points, strict=True)]
        if ended.winner is not None:
            team_of = self.rules.team_of
            won = team_of[ended.winner]
            self.rounds_won = [n + (team_of[seat] == won) for seat, n in enumerate(self.rounds_won)]
        ending = self._ending()
        if ending is not None:
            places = self._places(ended)
            winners = tuple(seat for seat, place in enumerate(places) if place == 1)
            self.result = GameEnd(ending, winners, places, tuple(self.scores), self.round_index + 1)

    def deal(self) -> None:
        """Starts the next round; `settle` has counted the last one."""
        dealer = self.round.next_dealer()
        self.round_index += 1
        self._deal(dealer)

    def observe(self) -> dict[str, object]:
        """What the game has beside its round, in the words of `expect` in scenarios."""
        return {
            "round": None if self.last is None else self.last.as_json(),
            "match": None if self.result is None else self.result.as_json(),
            "scores": list(self.scores),
            "round_no": self.round_index + 1,
            "dealer": self.round.dealer if self.round.result is None else self.round.next_dealer(),
        }

    def _deal(self, dealer: int) -> None:
        self.round = self.kind(self.rules, self.chance.round(self.round_index), dealer, self.out)

    def _ending(self) -> MatchEnding | None:
        """How the game ends now, or None if it goes on."""
        team_of = self.rules.team_of
        totals = {team_of[seat]: total for seat, total in enumerate(self.scores) if seat not in self.out}
        if len(totals) == 1:
            return MatchEnding.FORFEIT
        target = self.rules.number("target_score")
        played = self.round_index + 1
        if not target:
            return MatchEnding.ROUNDS if played >= self.rules.number("rounds") else None
        if max(totals.values()) >= target:
            lowest = list(totals.values()).count(min(totals.values()))
            if not self._low or lowest == 1:  # a tie for the lowest total: another round (D 10)
                return MatchEnding.TARGET
        return MatchEnding.MAX_ROUNDS if played >= self.rules.number("max_rounds") else None

    def _places(self, ended: RoundEnd) -> tuple[int, ...]:
        """By total, then rounds won, then below the first place by the last round; who left is last (D 8, D 15)."""
        if tuple(self.scores) == ended.points and not self.round_index:
            return ended.places
        team_of = self.rules.team_of
        lost = lost_at(self.out, team_of)
        keys = [
            (1, -lost[team], 0) if team in lost else (0, total if self._low else -total, -won)
            for team, total, won in zip(team_of, self.scores, self.rounds_won, strict=True)
        ]
        best = min(keys)
        return rank((*key, 0 if key == best else place) for key, place in zip(keys, ended.places, strict=True))
