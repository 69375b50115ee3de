"""Which options may be picked together: what the rules say of a list, told before it is sent."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Final

from lastcard.faces import Color
from lastcard.option import Option
from lastcard.turn import Turn
from lastcard.words import Act, Kind

__all__ = ["DUMPING", "codes", "color_in", "dump_of", "why_not"]

DUMPING: Final = frozenset({Act.DUMP, Act.DISCARD})


def why_not(turn: Turn, picks: Sequence[int]) -> str:
    """Return why these options, within the number that is wanted, do not go together; empty where they do.

    Of a kind of decision that is newer than this library only what holds for every list is known.
    """
    picked = [turn.options[pick] for pick in picks]
    if turn.kind is not Kind.OTHER and codes(picked) - Counter(turn.view.hand):
        return "choose picked more cards of one face than the hand holds"
    if len(set(picks)) < len(picks):
        return "choose picked an option twice; copies of a card are options of their own"
    rule = RULES.get(turn.kind)
    return rule(turn, picked) if rule and picked else ""


def codes(picked: Iterable[Option]) -> Counter[int]:
    """Return how often each card is among the picked options, by byte."""
    return Counter(card.code for option in picked for card in (option.card, option.second) if card)


def alone(_turn: Turn, picked: Sequence[Option]) -> str:
    """One pick, or several matches, each on a card of the row of its own."""
    if len(picked) > 1 and any(option.act is not Act.MATCH for option in picked):
        return "only matches are picked together; draw or place a card alone"
    slots = {option.slot for option in picked}
    return "" if len(slots) == len(picked) else "a card of the row is matched once; pick matches on different slots"


def one_color(_turn: Turn, picked: Sequence[Option]) -> str:
    """Cards of one colour."""
    same = len({option.card.color for option in picked if option.card}) == 1
    return "" if same else "the cards differ in colour; discard cards of one colour"


def one_number(_turn: Turn, picked: Sequence[Option]) -> str:
    """Cards of one number."""
    same = len({option.card.rank for option in picked if option.card}) == 1
    return "" if same else "the cards differ in number; discard cards of one number"


def falling(turn: Turn, picked: Sequence[Option]) -> str:
    """The points may not rise; a match that was not announced has not told what a card is worth."""
    rises = turn.match.points and any(after.points > option.points for option, after in pairwise(picked))
    return "the points rise; put the cards in order, the highest first" if rises else ""


def dump(turn: Turn, picked: Sequence[Option]) -> str:
    """A dump is its option and all other cards of its colour; none of these is picked without it."""
    head, *others = picked
    if head.act is not Act.DUMP:
        legal = not others and head.act is not Act.DISCARD
        return "" if legal else "cards are put down together by a dump; pick DUMP, and it first"
    cards = dump_of(turn, head)
    if all(option.act is Act.DISCARD for option in others) and codes(others) == codes(cards):
        return ""
    return f"a dump puts down all other cards of its colour: pick all {len(cards)} of them"


def dump_of(turn: Turn, head: Option) -> list[Option]:
    """Return the cards that must follow this opening of a dump, in canonical order."""
    color = head.color or color_in(head)
    cards = [option for option in turn.options if option.act is Act.DISCARD and color_in(option) == color]
    if head.card and sum(option.card == head.card for option in cards) == turn.hand.count(head.card):
        cards.remove(next(option for option in cards if option.card == head.card))  # it is the one that is played
    return cards


def color_in(option: Option) -> Color | None:
    """Return the colour of the card that an option is about."""
    return option.card.color if option.card else None


RULES: Final[Mapping[Kind, Callable[[Turn, Sequence[Option]], str]]] = {
    Kind.TURN: dump,
    Kind.PLAY_DRAWN: dump,
    Kind.DOS_TURN: alone,
    Kind.DOS_AFTER_DRAW: alone,
    Kind.SPIN_DISCARD_COLOR: one_color,
    Kind.SPIN_DISCARD_NUMBER: one_number,
    Kind.SPIN_WAR: falling,
}
