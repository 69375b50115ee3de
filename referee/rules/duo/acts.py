"""Dumps in notation: `PLAY{card, dump}` with a Reverse, `DUMP{cards}` by right."""

from collections.abc import Mapping, Sequence
from typing import Final

from referee.rules.calls import FIRST_ACT
from referee.rules.cards import COLOR_OF, RANK_OF, REVERSE, format_cards, parse_card, parse_cards
from referee.rules.duo.codes import BY_RIGHT, DUMP_COLOR, DUMPED, REVERSE_OF, WITH_REVERSE
from referee.rules.errors import IllegalAnswerError
from referee.rules.notation import FIELDS, act_of, call_of, check_fields
from referee.rules.round import Answer
from referee.rules.uno.codes import CARD_OF_CODE
from referee.rules.vocabulary import Act

REVERSE_FIELDS: Final = FIELDS | {"dump"}
RIGHT_FIELDS: Final = FIELDS | {"cards"}


def is_dump(act: Mapping[str, object]) -> bool:
    """True if the act says that cards are dumped."""
    return "dump" in act or act_of(act) is Act.DUMP


def read_dump(codes: Sequence[int], right: int, names: Mapping[str, int], act: Mapping[str, object]) -> Answer:
    """The answer that a dump in notation means.

    Args:
        codes: the options.
        right: the colour that may be dumped without a Reverse, 0 if none.
        names: how cards are written.
        act: the act.

    Raises:
        IllegalAnswerError: no such dump is among the options.
        NotationError: it cannot be read.
    """
    if act_of(act) is Act.DUMP:
        check_fields(act, RIGHT_FIELDS)
        first, cards = BY_RIGHT + right, parse_cards(act.get("cards"), names)
    else:
        check_fields(act, REVERSE_FIELDS)
        card = parse_card(act.get("card"), names)
        if act_of(act) is not Act.PLAY or RANK_OF[card] != REVERSE:
            raise IllegalAnswerError("NO_SUCH_OPTION", "cards are dumped by playing a Reverse; leave `dump` out")
        first, cards = WITH_REVERSE + COLOR_OF[card], parse_cards(act["dump"], names)
    picked: list[int] = []
    for code in (first, *(DUMPED + card for card in cards)):
        found = [index for index, listed in enumerate(codes) if listed == code and index not in picked]
        if not found or (code == first and not DUMP_COLOR[code]):
            raise IllegalAnswerError("NO_SUCH_OPTION", "this dump is not among the options")
        picked.append(found[0])
    return tuple(picked), call_of(act), 0


def write_dump(codes: Sequence[int], seat: int, answer: Answer) -> dict[str, object]:
    """The act of an answer that dumps."""
    picks, call, _ = answer
    first, *rest = [codes[index] for index in ((picks,) if isinstance(picks, int) else picks)]
    cards = format_cards(CARD_OF_CODE[code] for code in rest if DUMPED < code < FIRST_ACT)
    act: dict[str, object] = {"seat": seat, "act": Act.DUMP.name, "cards": cards}
    if first < BY_RIGHT:
        reverse = format_cards([REVERSE_OF[DUMP_COLOR[first]]])[0]
        act = {"seat": seat, "act": Act.PLAY.name, "card": reverse, "dump": cards}
    return act | {"call": True} if call else act
