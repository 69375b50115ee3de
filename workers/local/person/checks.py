"""Whether picked options go together, so that a slip is told to a person instead of counting as a fault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from lastcard.option import Option
from lastcard.turn import Turn
from lastcard.words import Act, Kind
from referee.bots.lists import all_held

Rule: TypeAlias = Callable[[Turn, list[Option]], str | None]


def problem(turn: Turn, picks: Sequence[int]) -> str | None:
    """Return what is wrong with a list of picks, in a sentence; None if it is an answer."""
    options = turn.options
    wrong = [pick + 1 for pick in picks if not 0 <= pick < len(options)]
    if wrong:
        return f"there is no option {wrong[0]}; the numbers are 1 to {len(options)}"
    if len(set(picks)) < len(picks):
        return "a number stands there twice; copies of a card have numbers of their own"
    if not turn.min_picks <= len(picks) <= turn.max_picks and not (turn.may_be_empty and not picks):
        return f"that is {len(picks)}; give {wanted(turn)}"
    if not all_held(turn, picks):
        return "your hand does not hold all these cards together"
    rule = _RULES.get(turn.kind)
    return rule(turn, [options[pick] for pick in picks]) if rule and picks else None


def wanted(turn: Turn) -> str:
    """Return how many numbers make an answer."""
    least, most = turn.min_picks, turn.max_picks
    several = f"{least} numbers" if least == most else f"{least} to {most} numbers"
    number = "one number" if least == most == 1 else several
    return f"{number}, or nothing" if turn.may_be_empty else number


def _same(what: str, of: Callable[[Option], object]) -> Rule:
    def rule(turn: Turn, chosen: list[Option]) -> str | None:  # noqa: ARG001 (as all rules)
        return None if len({of(option) for option in chosen}) == 1 else f"all cards must have one {what}"

    return rule


def _falling(turn: Turn, chosen: list[Option]) -> str | None:
    points = [turn.points_of(option.card) for option in chosen if option.card]
    return None if points == sorted(points, reverse=True) else "no higher card may stand behind a lower one"


def _matches(turn: Turn, chosen: list[Option]) -> str | None:  # noqa: ARG001
    if len(chosen) == 1:
        return None
    if any(option.act is not Act.MATCH for option in chosen):
        return "only matches go together; draw or place alone"
    if len({option.slot for option in chosen}) < len(chosen):
        return "a card of the row is matched once a turn"
    return None


def _dump(turn: Turn, chosen: list[Option]) -> str | None:
    """One option that is no part of a dump, or a whole dump. One number of a dump alone is completed by the caller."""
    first, *others = chosen
    if first.act is not Act.DUMP:
        return "begin with the option that opens the dump" if others else None
    color = first.color or (first.card.color if first.card else None)
    whole = Counter(face for face in turn.hand if face.color is color)
    if first.card:
        whole[first.card] -= 1
    down = Counter(option.card for option in others if option.card)
    return None if not others or down == +whole else "a dump puts down all cards of its colour, and no others"


_RULES: Final[dict[Kind, Rule]] = {
    Kind.SPIN_DISCARD_COLOR: _same("colour", lambda option: option.card.color if option.card else None),
    Kind.SPIN_DISCARD_NUMBER: _same("number", lambda option: option.card.number if option.card else None),
    Kind.SPIN_WAR: _falling,
    Kind.DOS_TURN: _matches,
    Kind.DOS_AFTER_DRAW: _matches,
    Kind.TURN: _dump,
    Kind.PLAY_DRAWN: _dump,
}
