"""The words every byte column is written in; the numbers are those of the protocol's enums."""

from enum import IntEnum


class Color(IntEnum):
    """A colour. 0 means that none is named or in force."""

    NONE = 0
    RED = 1
    YELLOW = 2
    GREEN = 3
    BLUE = 4


class Act(IntEnum):
    """What an option does."""

    PLAY = 1
    PLAY_DOUBLE = 2
    DRAW = 3
    PASS = 4
    KEEP = 5
    STACK = 6
    ACCEPT = 7
    CHALLENGE = 8
    CALL = 9
    CATCH = 10
    COLOR = 11
    REJECT = 12
    DUMP = 13
    DISCARD = 14
    SHOUT = 15
    WAR = 16
    MATCH = 17
    PLACE = 18


class DecisionKind(IntEnum):
    """What a seat is asked."""

    TURN = 1
    PLAY_DRAWN = 2
    RESPOND_STACK = 3
    RESPOND_WILD_DRAW_FOUR = 4
    CHALLENGE_WINDOW = 5
    CALL_WINDOW = 6
    FIRST_COLOR = 7
    DRAFT_PICK = 8
    SPIN_SHOUT = 9
    SPIN_DISCARD_COLOR = 10
    SPIN_DISCARD_NUMBER = 11
    SPIN_ALMOST_UNO = 12
    SPIN_WAR = 13
    DOS_TURN = 14
    DOS_AFTER_DRAW = 15
    DOS_PLACE_BONUS = 16


class EventKind(IntEnum):
    """What happened; an event is four bytes: kind, seat, card, arg."""

    ROUND_START = 1
    DEALT = 2
    TURNED_UP = 3
    COLOR_NAMED = 4
    DRAFTED = 5
    TURN = 6
    PLAYED = 7
    MATCHED = 8
    DUMPED = 9
    DREW = 10
    KEPT = 11
    PASSED = 12
    PLACED = 13
    REFILLED = 14
    RESHUFFLED = 15
    EXPOSED = 16
    CALLED = 17
    CAUGHT = 18
    CHALLENGED = 19
    HAND_SHOWN = 20
    STACKED = 21
    SPUN = 22
    DISCARDED = 23
    TRADED = 24
    WAR_SHOWN = 25
    PENALTY = 26
    FORFEITED = 27
    ROUND_END = 28
    MATCH_END = 29


class DrawReason(IntEnum):
    """Why a card was drawn."""

    TURN = 1
    PENALTY = 2
    CALL = 3
    CHALLENGE = 4
    WHEEL = 5
    BONUS = 6


class RoundEnding(IntEnum):
    """How a round ended."""

    OUT = 1
    BLOCKED = 2
    TURN_LIMIT = 3
    FORFEIT = 4


class MatchEnding(IntEnum):
    """How a game of one or more rounds ended."""

    TARGET = 1
    ROUNDS = 2
    MAX_ROUNDS = 3
    FORFEIT = 4


class Segment(IntEnum):
    """The segments of Spin's wheel, clockwise (seed 004 L33-49)."""

    UNO_SPIN = 0
    DISCARD_COLOR = 1
    DRAW_BLUE = 2
    DRAW_RED = 3
    WAR = 4
    DISCARD_NUMBER = 5
    SHOW_HAND = 6
    TRADE_HANDS = 7
    ALMOST_UNO = 8
