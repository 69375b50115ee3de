"""Turns made of text, to try a bot out: `turn("PLAY R9", "PLAY W G", "DRAW", hand="R9 W B2", top="R5")`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from lastcard.errors import InputError
from lastcard.faces import COLOR_CODES, DOS_CODES, UNO_CODES, points_of_format
from lastcard.history import History, Match
from lastcard.turn import Turn
from lastcard.view import Decision
from lastcard.words import Act, Kind

ACT_CODES: Final[dict[str, int]] = {act: code for code, act in enumerate(Act, 1)}
KIND_CODES: Final[dict[str, int]] = {kind: code for code, kind in enumerate(Kind, 1)}
MOST_SLOTS: Final = 256  # a slot is a byte
Row = tuple[int, int, int, int, int]  # act, card, second, colour, slot


def turn(
    *options: str,
    hand: str = "",
    top: str = "",
    color: str = "",
    kind: str = Kind.TURN,
    counts: Sequence[int] = (),
    picks: tuple[int, int] = (1, 1),
    game_format: str = "uno-classic-2",
) -> Turn:
    """Return a turn of seat 0 with `options` as they are printed, in that order.

    `hand` and `top` are faces, `picks` the fewest and the most options that an answer takes (from 0: none is legal,
    too). The rules are not asked whether such a turn can be.

    Raises:
        InputError: there is no option, or a text names no act, face, colour or slot.

    """
    if not options:
        message = 'a turn has an option at least; write them as they are printed, such as turn("DRAW")'
        raise InputError("NO_OPTIONS", message, field="options")
    faces = DOS_CODES if game_format.startswith("dos") else UNO_CODES
    acts, cards, seconds, colors, slots = zip(*[row(option, faces) for option in options], strict=True)
    held = bytes(code_of(text, faces) for text in hand.split())
    view = Decision(
        kind=named(kind, KIND_CODES, "kind"),
        hand=held,
        option_act=bytes(acts),
        option_card=bytes(cards),
        option_color=bytes(colors),
        option_second=bytes(seconds) if any(seconds) else b"",
        option_slot=bytes(slots) if any(slots) or any(seconds) else b"",
        top=code_of(top, faces) if top else 0,
        color=named(color, COLOR_CODES, "colour") if color else 0,
        counts=bytes(counts or (len(held), 7)),
        min_picks=picks[0],
        max_picks=picks[1],
        may_be_empty=picks[0] == 0,
    )
    match = Match("practice", game_format, points=points_of_format(game_format))
    return Turn(view, History("practice/0/0/0", 0, match, ("you@1", "them@1")))


def row(option: str, faces: dict[str, int]) -> Row:
    """Return the bytes of an option as it is printed, such as `PLAY W4 G` or `MATCH R1+R3 ON 0`."""
    words = option.split()
    slot = 0
    if "ON" in words:
        slot = slot_of(words[-1])
        words = words[:-2]
    act, *rest = words or [""]
    color = rest.pop() if rest and rest[-1] in COLOR_CODES else ""
    first, _, second = (rest[0] if rest else "").partition("+")
    return (
        named(act, ACT_CODES, "act"),
        code_of(first, faces) if first else 0,
        code_of(second, faces) if second else 0,
        COLOR_CODES[color] if color else 0,
        slot,
    )


def code_of(text: str, faces: dict[str, int]) -> int:
    """Return the byte of a face."""
    return named(text, faces, "face")


def slot_of(text: str) -> int:
    """Return the place in the row that a text names.

    Raises:
        InputError: it names none.

    """
    if not (text.isascii() and text.isdigit() and int(text) < MOST_SLOTS):
        message = f"there is no slot {text!r}; a slot is a place in the row, 0 to {MOST_SLOTS - 1}"
        raise InputError("BAD_TEXT", message, field="slot", value=text, allowed=[f"0 to {MOST_SLOTS - 1}"])
    return int(text)


def named(text: str, table: dict[str, int], what: str) -> int:
    """Return what `text` stands for in `table`.

    Raises:
        InputError: it is not there.

    """
    try:
        return table[text]
    except KeyError:
        allowed = [str(word) for word in table]
        message = f"there is no {what} {text!r}; there are {', '.join(allowed)}"
        raise InputError("BAD_TEXT", message, field=what, value=text, allowed=allowed) from None
