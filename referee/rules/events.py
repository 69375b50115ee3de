"""Events as four bytes - kind, seat, card, arg - built once: playing a round only appends them."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from referee.rules.vocabulary import DecisionKind, DrawReason, EventKind

NOBODY: Final = 255
SIZE: Final = 4  # bytes of an event
MOST_SEATS: Final = 10
"""At a table of any game; events, and what logs have of rounds, know no more."""
CALLED: Final = 8  # bits of PLAYED's arg
DOUBLE: Final = 16
BLUFF: Final = 16  # bit of CHALLENGED's arg

Ring: TypeAlias = tuple[int, ...]


def event(kind: EventKind, seat: int = NOBODY, card: int = 0, arg: int = 0) -> bytes:
    """One event."""
    return bytes((kind, seat, card, arg))


# By direction (1, and -1 as the last element) and seat; element 0 stands for no direction.
TURN: Final = tuple(tuple(event(EventKind.TURN, seat, 0, arg) for seat in range(MOST_SEATS)) for arg in (0, 1, 2))
# By reason and seat.
DREW: Final = tuple(
    tuple(event(EventKind.DREW, seat, 0, reason) for seat in range(MOST_SEATS)) for reason in range(len(DrawReason) + 1)
)
KEPT: Final = tuple(event(EventKind.KEPT, seat) for seat in range(MOST_SEATS))
PASSED: Final = tuple(event(EventKind.PASSED, seat) for seat in range(MOST_SEATS))

# The open decision as a mapping, by kind and seat, for the usual case that one seat is asked. Never to be changed.
ASKED: Final[tuple[tuple[dict[int, DecisionKind], ...], ...]] = (
    (),
    *(tuple({seat: kind} for seat in range(MOST_SEATS)) for kind in DecisionKind),
)


@lru_cache(maxsize=1024)
def opening(seats: int, dealer: int, hand_size: int, out: tuple[int, ...]) -> bytes:
    """The events of a deal: the start of the round, then every seat's cards, from the dealer's left."""
    dealt = [seat % seats for seat in range(dealer + 1, dealer + 1 + seats) if seat % seats not in out]
    return event(EventKind.ROUND_START, dealer, 0, seats) + b"".join(
        event(EventKind.DEALT, seat, 0, min(hand_size, 255)) for seat in dealt
    )


@lru_cache(maxsize=1024)
def _ring(seats: int, out: frozenset[int], step: int) -> Ring:
    ring = []
    for seat in range(seats):
        at = (seat + step) % seats
        while at in out and at != seat:
            at = (at + step) % seats
        ring.append(at)
    return tuple(ring)


def rings(seats: int, out: Sequence[int]) -> tuple[Ring, Ring]:
    """The next seat still in the game from every seat, also one that left: clockwise and counter-clockwise."""
    if not out:
        return _WHOLE[seats]
    gone = frozenset(out)
    return _ring(seats, gone, 1), _ring(seats, gone, -1)


_WHOLE: Final = tuple((_ring(seats, frozenset(), 1), _ring(seats, frozenset(), -1)) for seats in range(MOST_SEATS + 1))
