"""A quick player of DOS: what all seats of an imagined round do. It reads the codes of the engine."""

from collections.abc import Iterable, Sequence
from typing import Final

from referee.rules.dos.codes import DRAW, PLACED, card_of, match_of
from referee.rules.dos.matching import COLORS
from referee.rules.facts import Facts
from referee.rules.options import Rules
from referee.rules.round import Answer, Round

CARD: Final = 20.0  # points of a hand that a card more or less is worth


class Matcher:
    """Plays every seat of a round of DOS; made for a ruleset."""

    __slots__ = ("_points",)

    def __init__(self, rules: Rules, facts: Facts) -> None:  # noqa: ARG002 (as all players are made)
        self._points = facts.points

    def __call__(self, round_: Round, seat: int, codes: Sequence[int]) -> Answer:
        """Return what the seat answers to its open decision, whose options these are."""
        first = codes[0]
        if first < FIRST_MATCH:
            return 1, True, 0  # the window of a call: PASS stands first
        if first < DRAW:
            return self._matches(round_, seat, codes), True, 0
        if first < PLACED:
            return 0, True, 0
        points = self._points
        order = sorted(range(len(codes)), key=lambda index: -points[card_of(codes[index])])
        return tuple(order[: round_.bonus or 1]), True, 0

    def worth(self, row: Sequence[int], code: int) -> float:
        """What a match is worth: cards that leave the hand now or by its bonus, and their points."""
        place, first, second = match_of(code)
        points = self._points
        common = COLORS[row[place]] & COLORS[first]
        if not second:
            return CARD + points[first] + (CARD if common else 0.0)
        both = 2 * CARD + points[first] + points[second]
        return both + 2 * CARD if common & COLORS[second] else both

    def _matches(self, round_: Round, seat: int, codes: Sequence[int]) -> tuple[int, ...]:
        """Matches on different cards of the row, the best first."""
        row = round_.row
        order = sorted(
            ((self.worth(row, code), -index) for index, code in enumerate(codes) if code < DRAW), reverse=True
        )
        return together([(-index, codes[-index]) for _, index in order], round_.hands[seat], len(row))


def together(order: Iterable[tuple[int, int]], hand: Sequence[int], most: int) -> tuple[int, ...]:
    """The first matches of an order, given as index and code, that can be made in one turn."""
    left = bytearray(hand)
    used: set[int] = set()
    picks = []
    for index, code in order:
        place, first, second = match_of(code)
        if place in used or first not in left or (second and second not in left):
            continue
        if second:
            if first == second and left.count(first) < 2:
                continue
            left.remove(second)
        left.remove(first)
        used.add(place)
        picks.append(index)
        if len(picks) == most:
            break
    return tuple(picks)


FIRST_MATCH: Final = 1 << 10  # options of the window are bytes, those of a turn are greater
