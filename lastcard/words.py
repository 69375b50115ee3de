"""The closed vocabularies of the protocol: what can be done, asked, seen, and how it ends.

Each is an enum of its own names, in the order of the protocol's numbers from 1, with a table from byte to member. A
byte that is newer than this library reads as OTHER, and a bot that picks among options plays on.
"""

from __future__ import annotations

from enum import StrEnum, auto
from typing import Final, TypeVar


class Word(StrEnum):
    """A member equals its own name."""

    @staticmethod
    def _generate_next_value_(name: str, start: int, count: int, last_values: list[str]) -> str:  # noqa: ARG004
        """Return the name, where `auto()` would take its lower case."""
        return name


class Act(Word):
    """What an option does."""

    PLAY = auto()
    PLAY_DOUBLE = auto()
    DRAW = auto()
    PASS = auto()
    KEEP = auto()
    STACK = auto()
    ACCEPT = auto()
    CHALLENGE = auto()
    CALL = auto()
    CATCH = auto()
    COLOR = auto()
    REJECT = auto()
    DUMP = auto()
    DISCARD = auto()
    SHOUT = auto()
    WAR = auto()
    MATCH = auto()
    PLACE = auto()
    OTHER = auto()


class Kind(Word):
    """What a seat is asked."""

    TURN = auto()
    PLAY_DRAWN = auto()
    RESPOND_STACK = auto()
    RESPOND_WILD_DRAW_FOUR = auto()
    CHALLENGE_WINDOW = auto()
    CALL_WINDOW = auto()
    FIRST_COLOR = auto()
    DRAFT_PICK = auto()
    SPIN_SHOUT = auto()
    SPIN_DISCARD_COLOR = auto()
    SPIN_DISCARD_NUMBER = auto()
    SPIN_ALMOST_UNO = auto()
    SPIN_WAR = auto()
    DOS_TURN = auto()
    DOS_AFTER_DRAW = auto()
    DOS_PLACE_BONUS = auto()
    OTHER = auto()


class EventKind(Word):
    """What happened; the columns of each are explained at `EventKind` in cards.proto."""

    ROUND_START = auto()
    DEALT = auto()
    TURNED_UP = auto()
    COLOR_NAMED = auto()
    DRAFTED = auto()
    TURN = auto()
    PLAYED = auto()
    MATCHED = auto()
    DUMPED = auto()
    DREW = auto()
    KEPT = auto()
    PASSED = auto()
    PLACED = auto()
    REFILLED = auto()
    RESHUFFLED = auto()
    EXPOSED = auto()
    CALLED = auto()
    CAUGHT = auto()
    CHALLENGED = auto()
    HAND_SHOWN = auto()
    STACKED = auto()
    SPUN = auto()
    DISCARDED = auto()
    TRADED = auto()
    WAR_SHOWN = auto()
    PENALTY = auto()
    FORFEITED = auto()
    ROUND_END = auto()
    MATCH_END = auto()
    OTHER = auto()


class DrawReason(Word):
    """Why a card was drawn."""

    TURN = auto()
    PENALTY = auto()
    CALL = auto()
    CHALLENGE = auto()
    WHEEL = auto()
    BONUS = auto()
    OTHER = auto()


class Ending(Word):
    """How a round ended."""

    OUT = auto()
    BLOCKED = auto()
    TURN_LIMIT = auto()
    FORFEIT = auto()
    OTHER = auto()


class Order(Word):
    """A standing order: what the referee shall answer for a bot, so that it need not be asked."""

    ASK = auto()
    ALWAYS = auto()
    NEVER = auto()


W = TypeVar("W", bound=Word)


def by_byte(words: type[W]) -> tuple[W, ...]:
    """Return the members by protocol number, and OTHER for every byte without one."""
    *known, other = words
    return (other, *known, *[other] * (255 - len(known)))


ACTS: Final = by_byte(Act)
KINDS: Final = by_byte(Kind)
EVENT_KINDS: Final = by_byte(EventKind)
DRAW_REASONS: Final = by_byte(DrawReason)
ENDINGS: Final = by_byte(Ending)
