"""Acts of DOS in notation: MATCH with its list of matches by slot, PLACE with its cards, and bonus cards named ahead.

    {"seat": 0, "act": "MATCH", "matches": [{"slot": 3, "cards": ["R1", "W2"]}], "bonus": ["G9"], "call": true}
    {"seat": 0, "act": "PLACE", "cards": ["G9"]}

Text has slots, numbers that cards of the row keep; answers have places in the row as it lies there now.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from referee.rules.cards import DOS_NAMES, FACE, format_cards, parse_cards
from referee.rules.dos.codes import DRAW, PLACED, card_of, match_code, match_of, place_code
from referee.rules.errors import IllegalAnswerError, NotationError
from referee.rules.notation import check_fields
from referee.rules.vocabulary import Act

COMMON: Final = frozenset(("seat", "act", "call", "check", "color"))  # `color` is ignored (D 26)
MATCH_FIELDS: Final = COMMON | {"matches", "bonus"}
PLACE_FIELDS: Final = COMMON | {"cards"}


class Stack(NamedTuple):
    """One match as text has it: a slot, and the cards on it in the order in which they are to lie."""

    slot: int
    cards: bytes

    @property
    def flipped(self) -> bool:
        """Whether the cards lie the other way round than in an option."""
        return len(self.cards) == 2 and self.cards[0] > self.cards[1]


def read_matches(act: Mapping[str, object]) -> list[Stack]:
    """The matches of an act.

    Raises:
        NotationError: they cannot be read.
        IllegalAnswerError: one of them has no card, or more than two.
    """
    check_fields(act, MATCH_FIELDS)
    listed = act.get("matches")
    if not isinstance(listed, list):
        raise NotationError("ACT", f"matches is {listed!r}; give a list of slots with their cards")
    return [_read_stack(entry) for entry in listed]


def _read_stack(entry: object) -> Stack:
    if not isinstance(entry, dict) or sorted(entry) != ["cards", "slot"] or type(entry["slot"]) is not int:
        raise NotationError("ACT", f"{entry!r} is no match; write a slot and its cards")
    cards = bytes(parse_cards(entry["cards"], DOS_NAMES))
    if len(cards) not in (1, 2):
        raise IllegalAnswerError("NO_SUCH_OPTION", f"{len(cards)} cards on slot {entry['slot']}; put one there, or two")
    return Stack(entry["slot"], cards)


def pick_matches(options: Sequence[int], slots: Sequence[int], stacks: Sequence[Stack]) -> tuple[int, ...]:
    """The picks that put these cards on the row, whose cards have these slots.

    Raises:
        IllegalAnswerError: there is no such option.
    """
    picks = []
    for stack in stacks:
        place = slots.index(stack.slot) if stack.slot in slots else -1
        code = match_code(place, *stack.cards)
        if place < 0 or code not in options:
            cards = "+".join(format_cards(stack.cards))
            raise IllegalAnswerError("NO_SUCH_OPTION", f"{cards} on slot {stack.slot} is not among the options")
        picks.append(options.index(code))
    return tuple(picks)


def read_placed(act: Mapping[str, object]) -> bytes:
    """The cards that an act places.

    Raises:
        NotationError: they cannot be read.
    """
    check_fields(act, PLACE_FIELDS)
    return bytes(parse_cards(act.get("cards"), DOS_NAMES))


def read_ahead(act: Mapping[str, object]) -> bytes | None:
    """The bonus cards that a MATCH names ahead; None if it names none.

    Raises:
        NotationError: they cannot be read.
    """
    return bytes(parse_cards(act["bonus"], DOS_NAMES)) if act.get("bonus") is not None else None


def pick_placed(options: Sequence[int], cards: Sequence[int]) -> tuple[int, ...]:
    """The picks that place these cards in this order, each option once.

    Raises:
        IllegalAnswerError: there are not so many such options.
    """
    picks: list[int] = []
    for card in cards:
        code = place_code(card)
        free = [index for index, option in enumerate(options) if option == code and index not in picks]
        if not free:
            raise IllegalAnswerError("NO_SUCH_OPTION", f"{FACE[card]} cannot be placed (so often)")
        picks.append(free[0])
    return tuple(picks)


def write_act(codes: Sequence[int], slots: Sequence[int]) -> dict[str, Any]:
    """The act, without seat and call, of picked options."""
    if codes and codes[0] < DRAW:
        return {"act": Act.MATCH.name, "matches": [_write_match(code, slots) for code in codes]}
    if codes and codes[0] < PLACED:
        return {"act": Act.DRAW.name}
    return {"act": Act.PLACE.name, "cards": format_cards(card_of(code) for code in codes)}


def _write_match(code: int, slots: Sequence[int]) -> dict[str, Any]:
    place, first, second = match_of(code)
    return {"slot": slots[place], "cards": format_cards((first, second) if second else (first,))}
