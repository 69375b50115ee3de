"""How good the end of a round is for a seat: what its format rates, as a number from 0 to 1."""

import math
from collections.abc import Sequence
from typing import Final

from referee.bots.search.outlook import LOOKS, Outlook
from referee.formats.format import GAME_ORDER, Format
from referee.rules.games import GAMES
from referee.rules.round import Round
from referee.rules.scoring import RoundEnd

LEAD: Final = 0.3  # a lead by this part of the target wins 73 games of 100
USUAL: Final = 200  # what is reckoned with where a game of several rounds has no target
NEVER: Final = 1 << 30


class Goal:
    """The rated outcome: the share of opponents that are behind. In a game to a target, how likely that is now.

    Attributes:
        turns: after so many turns a round need not be played on: `forecast` tells how it will end.
    """

    __slots__ = ("_low", "_mine", "_opponents", "_outlook", "_scale", "_scores", "_target", "turns")

    def __init__(self, played: Format, seat: int, scores: Sequence[int]) -> None:
        """`scores` are those before the round; `seat` is whose good is meant."""
        rules = played.rules
        team_of = rules.team_of
        self._mine = seat
        self._opponents = [other for other, team in enumerate(team_of) if team != team_of[seat]]
        longer = played.outcome == GAME_ORDER
        self._target = (rules.number("target_score") or USUAL) if longer else 0
        self._low = GAMES[rules.game].facts_of(rules).low
        self._scale = LEAD * self._target  # of the logistic curve from a lead to a chance
        self._scores = scores
        known = not longer and rules.preset in LOOKS
        self._outlook = Outlook(rules.preset, seat, team_of) if known else None
        self.turns = self._outlook.turns if self._outlook else NEVER

    def forecast(self, round_: Round) -> float:
        """Return what the round will probably be worth, after so many `turns`."""
        assert self._outlook is not None, "the round is to be played out"
        return self._outlook.value(round_)

    def value(self, result: RoundEnd) -> float:
        """Return what the result is worth."""
        if self._target:
            return self._chances(result)
        places = result.places
        mine = places[self._mine]
        behind = sum((places[other] > mine) + 0.5 * (places[other] == mine) for other in self._opponents)
        return behind / len(self._opponents)

    def _chances(self, result: RoundEnd) -> float:
        """The mean chance to end before each opponent, by the scores after the round."""
        totals = [before + points for before, points in zip(self._scores, result.points, strict=True)]
        over = max(totals) >= self._target
        sign = -1 if self._low else 1
        mine = totals[self._mine]
        leads = [sign * (mine - totals[other]) for other in self._opponents]
        if over:
            return sum((lead > 0) + 0.5 * (lead == 0) for lead in leads) / len(leads)
        return sum(1 / (1 + math.exp(-lead / self._scale)) for lead in leads) / len(leads)
