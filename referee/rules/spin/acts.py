"""Discards of the wheel in notation: `DISCARD{color or number, cards}` and `WAR{cards}`."""

from collections.abc import Mapping, Sequence
from typing import Final

from referee.rules.cards import COLOR_OF, COLORS, RANK_OF, SKIP, color_letter, format_cards, parse_cards
from referee.rules.columns import Columns
from referee.rules.errors import IllegalAnswerError, NotationError
from referee.rules.notation import FIELDS, act_of, call_of, check_fields, read_color
from referee.rules.round import Answer
from referee.rules.spin.discards import BY_COLOR, BY_NUMBER, WAR
from referee.rules.vocabulary import Act, DecisionKind

WHEEL_FIELDS: Final = FIELDS | {"cards", "number"}


def read_list(kind: DecisionKind, columns: Columns, names: Mapping[str, int], act: Mapping[str, object]) -> Answer:
    """The answer to a list decision of the wheel that an act means; colour or number must be that of its cards.

    Raises:
        IllegalAnswerError: a card is not among the options, or not of the colour or number.
        NotationError: it cannot be read.
    """
    check_fields(act, WHEEL_FIELDS)
    word = Act.WAR if kind is WAR else Act.DISCARD
    if act_of(act) is not word:
        raise IllegalAnswerError("NO_SUCH_OPTION", f"{act_of(act).name} is no answer to {kind.name}; use {word.name}")
    cards = parse_cards(act.get("cards"), names)
    if kind is BY_COLOR:
        _check_group(cards.translate(COLOR_OF), read_color(act) or None, "colour")
    elif kind is BY_NUMBER:
        _check_group(cards.translate(RANK_OF), _number(act), "number")
    color = _color(act)
    return _find(columns, cards, color), call_of(act), color


def _number(act: Mapping[str, object]) -> int | None:
    number = act.get("number")
    if number is None:
        return None
    if type(number) is not int or not 0 <= number < SKIP:
        raise NotationError("ACT", f"number is {number!r}; use 0 to 9")
    return number


def _color(act: Mapping[str, object]) -> int:
    """The colour of an act, 0 if it names none; where none is needed it may be anything (D 26)."""
    color = act.get("color")
    return 1 + COLORS.index(color) if isinstance(color, str) and color in tuple(COLORS) else 0


def _check_group(entries: Sequence[int], named: int | None, what: str) -> None:
    if any(entry != named for entry in entries):
        raise IllegalAnswerError("BAD_PICKS", f"the cards are not all of the {what} that the act names")


def _find(columns: Columns, cards: Sequence[int], color: int) -> tuple[int, ...]:
    """The indices of options with these cards, one option a copy, in their order."""
    colors = columns.color or bytes(len(columns.card))
    picked: list[int] = []
    for card in cards:
        for index, (listed, named) in enumerate(zip(columns.card, colors, strict=True)):
            if listed == card and (not named or named == color) and index not in picked:
                picked.append(index)
                break
        else:
            raise IllegalAnswerError("NO_SUCH_OPTION", f"{format_cards([card])[0]} is not among the options")
    return tuple(picked)


def write_list(kind: DecisionKind, columns: Columns, seat: int, answer: Answer) -> dict[str, object]:
    """The act of an answer to a list decision of the wheel.

    Nothing discarded names red, or 0: an act of these kinds names a colour or a number.
    """
    picks, call, color = answer
    indices = (picks,) if isinstance(picks, int) else picks
    cards = bytes(columns.card[index] for index in indices)
    act: dict[str, object] = {"seat": seat, "act": (Act.WAR if kind is WAR else Act.DISCARD).name}
    if kind is BY_COLOR:
        act["color"] = color_letter(COLOR_OF[cards[0]] if cards else color or 1)
    elif kind is BY_NUMBER:
        act["number"] = RANK_OF[cards[0]] if cards else 0
    else:
        named = columns.color[indices[0]] if columns.color and indices else color
        if named and any(not COLOR_OF[card] for card in cards):
            act["color"] = color_letter(named)
    act["cards"] = format_cards(cards)
    if call:
        act["call"] = True
    return act
