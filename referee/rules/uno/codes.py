"""Option codes of the UNO family, one byte each, and what they mean, as translation tables.

    c            play, stack, shout or discard the coloured card c (1-52, swirled 57-76); in lists also a wild (53-56)
    128 + 4w + k play the wild 53 + w naming colour k + 1
    160 + c      play two cards c at once
    240 and up   acts without a card (referee.rules.calls)

The canonical order of options is the numerical one, with a swirled card right behind the plain one.
"""

from typing import Final

from referee.rules.calls import ACT_OF_CODE, COLOR, FIRST_ACT
from referee.rules.cards import COLOR_OF, DRAW_TWO, RANK_OF, REVERSE, SKIP, WILD, WILD_DRAW_FOUR
from referee.rules.events import CALLED, DOUBLE, MOST_SEATS, event
from referee.rules.vocabulary import Act, DecisionKind, EventKind

NAMED: Final = 128  # the first wild that names a colour
DOUBLED: Final = 160

W4_BIT: Final = 1 << WILD_DRAW_FOUR
WILDS: Final = 0b1111 << WILD
COLOR_MASK: Final = tuple(sum(1 << card for card in range(1, 77) if COLOR_OF[card] == k) if k else 0 for k in range(5))
RANK_MASK: Final = tuple(sum(1 << card for card in range(1, 77) if RANK_OF[card] == rank) for rank in range(13))
EVERYTHING: Final = (1 << 77) - 2


def named(wild: int, color: int) -> int:
    """The code of a wild that names colour 1-4."""
    return NAMED + 4 * (wild - WILD) + color - 1


def _card_of(code: int) -> int:
    if NAMED <= code < NAMED + 16:
        return WILD + (code - NAMED) // 4
    if DOUBLED < code < DOUBLED + 77:
        return code - DOUBLED
    return code if code < 77 else 0


def _color_of(code: int) -> int:
    """The colour that a code names: of a wild, or by COLOR."""
    if NAMED <= code < NAMED + 16:
        return 1 + (code - NAMED) % 4
    return 1 + code - COLOR if COLOR <= code < COLOR + 4 else 0


CARD_OF_CODE: Final = bytes(_card_of(code) for code in range(256))
COLOR_NAMED: Final = bytes(_color_of(code) for code in range(256))
# The colour in force after the play.
COLOR_AFTER: Final = bytes(COLOR_NAMED[code] or COLOR_OF[CARD_OF_CODE[code]] for code in range(256))


def matching(color: int, top: int) -> int:
    """The faces that may be played on this top card (0 = none) with this colour in force, wilds included."""
    if not top:
        return EVERYTHING
    rank = RANK_OF[top]
    return COLOR_MASK[color] | (RANK_MASK[rank] if rank < 13 else 0) | WILDS


MATCH_AFTER: Final = tuple(
    matching(COLOR_AFTER[code], CARD_OF_CODE[code]) if CARD_OF_CODE[code] else 0 for code in range(256)
)

# Numbers and wilds: what they do is done when they lie there. Not Spin's swirled cards.
PLAIN: Final = bytes(
    code < NAMED + 12 and ((0 < code <= 52 and RANK_OF[code] < SKIP) or code >= NAMED) for code in range(256)
)
# One card that is no Wild Draw Four.
SINGLE: Final = bytes((0 < code < 77 and bool(CARD_OF_CODE[code])) or NAMED <= code < NAMED + 12 for code in range(256))


def _group(first: int, size: int) -> tuple[bytes, ...]:
    """By mask of `size` bits: the codes of the cards from `first` on whose bit is set."""
    codes = [b""]
    for bit in range(size):
        card = bytes((first + bit,))
        codes += [low + card for low in codes]
    return tuple(codes)


# Codes by the 13 bits of each colour, and by the 4 bits of the wilds.
RED, YELLOW, GREEN, BLUE = (_group(1 + 13 * k, 13) for k in range(4))
WILD_CODES: Final = tuple(
    b"".join(bytes(range(NAMED + 4 * w, NAMED + 4 * w + 4)) for w in range(4) if mask >> w & 1) for mask in range(16)
)


def plays(mask: int) -> bytes:
    """The codes that play each of these faces, in canonical order."""
    return (
        RED[mask >> 1 & 8191]
        + YELLOW[mask >> 14 & 8191]
        + GREEN[mask >> 27 & 8191]
        + BLUE[mask >> 40 & 8191]
        + WILD_CODES[mask >> 53 & 15]
    )


COLOR_CODES: Final = bytes(range(COLOR, COLOR + 4))

_PLAYS: Final = {
    DecisionKind.RESPOND_STACK: Act.STACK,
    DecisionKind.RESPOND_WILD_DRAW_FOUR: Act.STACK,
    DecisionKind.SPIN_SHOUT: Act.SHOUT,
    DecisionKind.SPIN_DISCARD_COLOR: Act.DISCARD,
    DecisionKind.SPIN_DISCARD_NUMBER: Act.DISCARD,
    DecisionKind.SPIN_ALMOST_UNO: Act.DISCARD,
    DecisionKind.SPIN_WAR: Act.WAR,
}


def _acts(kind: DecisionKind) -> bytes:
    acts = bytearray(256)
    for code in range(256):
        if code in ACT_OF_CODE:
            acts[code] = ACT_OF_CODE[code]
        elif CARD_OF_CODE[code]:
            acts[code] = Act.PLAY_DOUBLE if code > DOUBLED else _PLAYS.get(kind, Act.PLAY)
    return bytes(acts)


# By decision kind: the act of a code, as a translation.
ACTS: Final = (bytes(256), *(_acts(kind) for kind in DecisionKind))


def _played(seat: int, code: int, called: int) -> bytes:
    double = DOUBLE if code > DOUBLED else 0
    return event(EventKind.PLAYED, seat, CARD_OF_CODE[code], COLOR_NAMED[code] | called | double)


# By call, seat and code: the event of a play.
PLAYED: Final = tuple(
    tuple(tuple(_played(seat, code, called) for code in range(FIRST_ACT)) for seat in range(MOST_SEATS))
    for called in (0, CALLED)
)

DRAW_TWOS: Final = RANK_MASK[DRAW_TWO]
REVERSES: Final = RANK_MASK[REVERSE]
OWED: Final = bytes(
    4 if card == WILD_DRAW_FOUR else 2 if card < 77 and RANK_OF[card] == DRAW_TWO else 0 for card in range(256)
)
