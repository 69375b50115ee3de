"""Cards as bytes: their faces as text, the decks, what they count, and their canonical order.

A card is one byte, the number of the protocol's enum Card; 0 is a card that may not be seen. Cards of one face are
interchangeable. The canonical order of this module's decks and of `canonical()` is the one of the deal stream and of
option lists: R<Y<G<B, then 0-9 S V D with a swirled card right behind the plain one, then W WC WX W4; in DOS by face,
within a face R<Y<G<B, with the Wild DOS before the Wild #.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from referee.rules.errors import NotationError

HIDDEN: Final = 0
WILD: Final = 53
WILD_CUSTOMIZABLE: Final = 54
WILD_SHUFFLE_HANDS: Final = 55
WILD_DRAW_FOUR: Final = 56
WILD_DOS: Final = 117

RANKS: Final = "0123456789SVD"
COLORS: Final = "RYGB"
DOS_FACES: Final = ("1", "3", "4", "5", "6", "7", "8", "9", "10")

SKIP: Final = 10
REVERSE: Final = 11
DRAW_TWO: Final = 12


def uno(color: int, rank: int) -> int:
    """The coloured card of the UNO family; color 1-4, rank 0-9 or SKIP, REVERSE, DRAW_TWO."""
    return 1 + 13 * (color - 1) + rank


def swirled(color: int, rank: int) -> int:
    """Spin's swirled card; color 1-4, rank 1-5."""
    return 57 + 5 * (color - 1) + rank - 1


def dos(color: int, face: int) -> int:
    """The DOS card; color 1-4, face 0-8 = `DOS_FACES`, 9 = the Wild # of that colour."""
    return 118 + color - 1 if face == 9 else 81 + 4 * face + color - 1


def _faces() -> dict[int, str]:
    """Text by card, in canonical order."""
    faces = {}
    for k, letter in enumerate(COLORS, 1):
        for rank, sign in enumerate(RANKS):
            faces[uno(k, rank)] = letter + sign
            if 1 <= rank <= 5:
                faces[swirled(k, rank)] = f"{letter}{sign}*"
    faces |= {WILD: "W", WILD_CUSTOMIZABLE: "WC", WILD_SHUFFLE_HANDS: "WX", WILD_DRAW_FOUR: "W4"}
    for face, sign in enumerate(DOS_FACES):
        faces |= {dos(k, face): letter + sign for k, letter in enumerate(COLORS, 1)}
    faces[WILD_DOS] = "W2"
    faces |= {dos(k, 9): letter + "#" for k, letter in enumerate(COLORS, 1)}
    return faces


FACE: Final[dict[int, str]] = _faces()
# Card by face. UNO and DOS write some faces alike (R5), so a game says which names it uses.
UNO_NAMES: Final[dict[str, int]] = {face: card for card, face in FACE.items() if card < 81}
DOS_NAMES: Final[dict[str, int]] = {face: card for card, face in FACE.items() if card >= 81}
CANONICAL: Final[bytes] = bytes(FACE)

# Place in the canonical order by card, as a translation: `canonical()` sorts by it.
_PLACE: Final = bytes(CANONICAL.index(card) if card in FACE else 255 for card in range(256))
_BACK: Final = bytes(CANONICAL[place] if place < len(CANONICAL) else 0 for place in range(256))

# Colour 1-4 of a card, 0 of a wild without one. A Wild # has its colour.
COLOR_OF: Final = bytes(
    1 + COLORS.index(FACE[card][0]) if FACE.get(card, "W")[0] in COLORS else 0 for card in range(256)
)
# Rank 0-12 of a coloured card of the UNO family (a swirled card has that of the plain one), else 255.
RANK_OF: Final = bytes(
    RANKS.index(FACE[card][1]) if card in FACE and card < 81 and FACE[card][0] in COLORS else 255 for card in range(256)
)
BIT: Final[tuple[int, ...]] = tuple(1 << card for card in range(128))


def canonical(cards: Iterable[int]) -> bytes:
    """These cards in canonical order."""
    return bytes(sorted(bytes(cards).translate(_PLACE))).translate(_BACK)


def place(card: int) -> int:
    """The card's place in the canonical order: a sort key."""
    return _PLACE[card]


def mask_of(hand: Iterable[int]) -> int:
    """The faces held, as a bit mask."""
    mask = 0
    for card in hand:
        mask |= 1 << card
    return mask


def parse_card(text: object, names: Mapping[str, int]) -> int:
    """The card of this face, by the names of a game.

    Raises:
        NotationError: there is no such face.
    """
    card = names.get(text) if isinstance(text, str) else None
    if card is None:
        example = "R5, YS, BV, GD, W, W4, R3*" if names is UNO_NAMES else "R5, Y10, W2, G#"
        raise NotationError("CARD", f"{text!r} is no card of this game; write {example}")
    return card


def parse_cards(texts: object, names: Mapping[str, int]) -> bytearray:
    """The cards of a list of faces, in that order.

    Raises:
        NotationError: not a list, or one of them is no card.
    """
    if not isinstance(texts, list):
        raise NotationError("CARD", f"{texts!r} is no list of cards")
    return bytearray(parse_card(text, names) for text in texts)


def format_cards(cards: Iterable[int]) -> list[str]:
    """The faces of these cards, in that order."""
    return [FACE[card] for card in cards]


def color_letter(color: int) -> str | None:
    """R, Y, G, B, or None for 0."""
    return COLORS[color - 1] if color else None


def parse_color(text: object) -> int:
    """1-4 for R, Y, G, B; 0 for None.

    Raises:
        NotationError: neither.
    """
    if text is None:
        return 0
    if not isinstance(text, str) or len(text) != 1 or text not in COLORS:
        raise NotationError("COLOR", f"{text!r} is no colour; use R, Y, G or B")
    return 1 + COLORS.index(text)


# Copies of each face: one 0 and two of everything else per colour, four of each wild (rules page A1: 002, the sheet).
def uno_deck() -> bytes:
    """108 cards in canonical order, 1,240 points."""
    return canonical(
        [uno(k, rank) for k in range(1, 5) for rank in range(13) for _ in range(2 if rank else 1)]
        + [WILD] * 4
        + [WILD_DRAW_FOUR] * 4
    )


def spin_deck(*, extra: bool) -> bytes:
    """108 cards: of each 1-5 one copy is swirled (the sheet); with `extra` 128: beside the plain ones (004 read so)."""
    swirls = [swirled(k, rank) for k in range(1, 5) for rank in range(1, 6)]
    plain = bytearray(uno_deck())
    if not extra:
        for k in range(1, 5):
            for rank in range(1, 6):
                plain.remove(uno(k, rank))
    return canonical([*plain, *swirls])


def duo_deck(*, extra: bool) -> bytes:
    """112 cards with the extra wilds (seed 001's count: three WC and one WX), else 108."""
    return canonical([*uno_deck(), *([WILD_CUSTOMIZABLE] * 3 + [WILD_SHUFFLE_HANDS] if extra else [])])


# Three copies of 1 3 4 5, two of 6-10 and of # per colour, twelve Wild DOS (seed 000).
def dos_deck() -> bytes:
    """108 cards, 1,036 points."""
    copies = (3, 3, 3, 3, 2, 2, 2, 2, 2, 2)
    return canonical(
        [dos(k, face) for face in range(10) for k in range(1, 5) for _ in range(copies[face])] + [WILD_DOS] * 12
    )


def uno_points(action: int, wild: int, draw_four: int) -> tuple[int, ...]:
    """Points by card, UNO family: numbers their face, S V D `action`, W (also WC, WX) `wild`, W4 `draw_four`."""
    wilds = {WILD: wild, WILD_CUSTOMIZABLE: wild, WILD_SHUFFLE_HANDS: wild, WILD_DRAW_FOUR: draw_four}
    return tuple(
        wilds.get(card, 0 if RANK_OF[card] == 255 else RANK_OF[card] if RANK_OF[card] < 10 else action)
        for card in range(128)
    )


def dos_points(wild_dos: int, wild_any: int) -> tuple[int, ...]:
    """Points by card, DOS: numbers their face, W2 and # as given."""
    points = [0] * 128
    for face, sign in enumerate(DOS_FACES):
        for k in range(1, 5):
            points[dos(k, face)] = int(sign)
    for k in range(1, 5):
        points[dos(k, 9)] = wild_any
    points[WILD_DOS] = wild_dos
    return tuple(points)
