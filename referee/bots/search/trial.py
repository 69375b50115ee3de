"""Trying answers out: the same imagined rounds for each of them, played to their ends; the worse half is dropped."""

import math
from collections.abc import Callable, Sequence
from typing import Final

from referee.bots.search.budget import Clock
from referee.bots.search.choices import Picks
from referee.bots.search.goal import Goal
from referee.rules.round import Answer, Round

Player = Callable[[Round, int, Sequence[int]], Answer]
LEAST: Final = 2  # deals before anything is dropped


class Trial:
    """Answers of one seat to one decision, and how they do.

    Attributes:
        rounds: rounds played out so far.
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
        """Play one deal out with each of the answers."""
        dealt = self._deal()
        for picks in answers:
            round_ = dealt.copy()
            round_.apply(self._seat, picks[0] if len(picks) == 1 else picks, True, self._color)  # noqa: FBT003
            totals[picks] += self._play_out(round_)
        self.rounds += len(answers)

    def _play_out(self, round_: Round) -> float:
        player = self._player
        while round_.result is None:
            seat = round_.seat
            if seat < 0:
                seat = next(iter(round_.asked))
            codes = round_.options(seat)
            picks, call, color = player(round_, seat, codes)
            round_.apply(seat, picks, call, color)
        return self._goal.value(round_.result)
