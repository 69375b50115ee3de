"""A quick player of DOS: what all seats of an imagined round do. It reads the codes of the engine."""

from collections.abc import Iterable, Sequence
from typing import Final

from referee.bots.shedding import PLACED, match_worth
from referee.rules.dos import codes as dos
from referee.rules.round import Answer, Round

FIRST_MATCH: Final = 1 << 10  # options of the window are bytes, those of a turn are greater


class Matcher:
    """Plays every seat of a round of DOS, whatever its options."""

    __slots__ = ()

    def __call__(self, round_: Round, seat: int, codes: Sequence[int]) -> Answer:
        """Return what the seat answers to its open decision, whose options these are."""
        first = codes[0]
        if first < FIRST_MATCH:
            return 1, True, 0  # the window of a call: PASS stands first
        if first < dos.DRAW:
            return self._matches(round_, seat, codes), True, 0
        if first < dos.PLACED:
            return 0, True, 0
        order = sorted(range(len(codes)), key=lambda index: -PLACED[dos.card_of(codes[index])])
        return tuple(order[: round_.bonus or 1]), True, 0

    @staticmethod
    def _matches(round_: Round, seat: int, codes: Sequence[int]) -> tuple[int, ...]:
        """Matches on different cards of the row, the best first."""
        row = round_.row
        worth = []
        for index, code in enumerate(codes):
            if code >= dos.DRAW:
                break
            place, first, second = dos.match_of(code)
            worth.append((-match_worth(row[place], first, second), index))
        worth.sort()
        return together([(index, codes[index]) for _, index in worth], round_.hands[seat], len(row))


def together(order: Iterable[tuple[int, int]], hand: Sequence[int], most: int) -> tuple[int, ...]:
    """The first matches of an order, given as index and code, that can be made in one turn."""
    left = bytearray(hand)
    used: set[int] = set()
    picks: list[int] = []
    for index, code in order:
        place, first, second = dos.match_of(code)
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
