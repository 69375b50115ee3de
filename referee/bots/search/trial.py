"""Trying answers out: the same imagined rounds for each of them, played on; the worse half is dropped."""

import math
from collections.abc import Callable, Sequence
from typing import Final

from referee.bots.search.budget import Clock
from referee.bots.search.choices import Picks
from referee.bots.search.goal import Goal
from referee.bots.search.player import Player
from referee.rules.calls import FIRST_ACT
from referee.rules.round import Round

LEAST: Final = 2  # deals before anything is dropped


class Trial:
    """Answers of one seat to one decision, and how they do.

    Attributes:
        rounds: imagined rounds so far.
    """

    __slots__ = ("_color", "_deal", "_goal", "_player", "_seat", "rounds")

    def __init__(self, deal: Callable[[], Round], seat: int, color: int, player: Player, goal: Goal) -> None:
        """Try in rounds that `deal` makes, where `player` plays every seat; `color` goes with a list that needs one."""
        self._deal = deal
        self._seat = seat
        self._color = color
        self._player = player
        self._goal = goal
        self.rounds = 0

    def best(self, answers: Sequence[Picks], clock: Clock) -> Picks:
        """Return the best answer; the one that stands first where they are equal.

        The budget is shared out evenly over as many stages as it takes to halve the answers down to one.
        """
        alive = list(answers)
        totals = dict.fromkeys(alive, 0.0)
        stages = max(1, math.ceil(math.log2(len(alive))))
        for stage in range(stages):
            deals = 0
            while deals < LEAST or clock.used(self.rounds) < (stage + 1) / stages:
                self._try(alive, totals)
                deals += 1
            alive.sort(key=lambda picks: -totals[picks])
            if stage < stages - 1:
                del alive[(len(alive) + 1) // 2 :]
        return alive[0]

    def _try(self, answers: Sequence[Picks], totals: dict[Picks, float]) -> None:
        """Play one deal on with each of the answers."""
        dealt = self._deal()
        for picks in answers:
            round_ = dealt.copy()
            round_.apply(self._seat, picks[0] if len(picks) == 1 else picks, True, self._color)  # noqa: FBT003
            totals[picks] += self._play_on(round_)
        self.rounds += len(answers)

    def _play_on(self, round_: Round) -> float:
        """Play until the goal can tell what the round is worth."""
        player, goal = self._player, self._goal
        until = round_.turns + goal.turns
        while round_.result is None:
            seat = round_.seat
            if seat < 0:
                seat = next(iter(round_.asked))
            elif round_.turns >= until and round_.kind is round_.TURN_KIND:
                return goal.forecast(round_)
            codes = round_.options(seat)
            if len(codes) == 1 and codes[0] >= FIRST_ACT:
                round_.apply(seat, 0, True)  # noqa: FBT003
            else:
                round_.apply(seat, *player(round_, seat, codes))
        return goal.value(round_.result)
