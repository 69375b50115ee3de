"""From what `choose` returned to an answer that the referee accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from operator import index
from typing import Any, NamedTuple, TypeAlias

from lastcard.errors import IllegalChoiceError
from lastcard.faces import COLOR_CODES, Color
from lastcard.option import Option
from lastcard.together import DUMPING, codes, color_in, dump_of, why_not
from lastcard.turn import Turn
from lastcard.words import Act, Kind

Pick: TypeAlias = Option | int


class Answer(NamedTuple):
    """An answer with everything said: what `choose` may return where a bare option or list is not enough."""

    picks: Pick | Sequence[Pick]
    call: bool = True
    color: Color | None = None  # where the list ends in a wild


class Picked(NamedTuple):
    """An answer in the protocol's own terms."""

    picks: tuple[int, ...]
    call: bool
    color: int  # 1-4, or 0 for none


Choice: TypeAlias = Pick | Sequence[Pick] | Answer


def compose(turn: Turn, chosen: Choice) -> Picked:
    """Return the answer that `chosen` stands for.

    A bare option or index where several are needed is the first of them; the rest is added.

    Raises:
        IllegalChoiceError: the options of `turn` do not allow it.

    """
    call, color = turn.call, turn.last_color
    if isinstance(chosen, Answer):
        call, color, chosen = call and chosen.call, chosen.color or color, chosen.picks
    if isinstance(chosen, list | tuple):
        picks = tuple([place(turn, pick) for pick in chosen])
        check_number(turn, len(picks))
    else:
        picks = (place(turn, chosen),)  # type: ignore[arg-type]
        if turn.view.min_picks > 1:
            picks = completed(turn, picks)
        elif turn.max_picks > 1 and turn.options[picks[0]].act in DUMPING:
            picks = dumped(turn, picks[0])
    turn.history.told = turn.until
    if turn.max_picks > 1 and (wrong := why_not(turn, picks)):
        raise illegal(turn, wrong, list(picks))
    return Picked(picks, call, color_of(turn, picks, color))


def fallback(turn: Turn) -> Picked:
    """Return the answer given in place of one that is missing or illegal: the first option, or the shortest list."""
    turn.history.told = turn.until
    picks: tuple[int, ...] = (0,)
    if turn.max_picks > 1:
        picks = () if turn.may_be_empty else completed(turn, ())
        if len(picks) == 1 and turn.options[picks[0]].act in DUMPING:
            picks = dumped(turn, picks[0])
    return Picked(picks, turn.call, color_of(turn, picks, turn.last_color))


def decide(choose: Callable[[Turn], Any], turn: Turn) -> tuple[Picked, Exception | None]:
    """Return the answer of a bot that is not async, and what it did wrong if the answer is the fallback."""
    try:
        return compose(turn, choose(turn)), None
    except Exception as error:  # noqa: BLE001 (whatever a bot raises is its own fault, and counted)
        return fallback(turn), error


def place(turn: Turn, pick: Pick) -> int:
    """Return the index of one pick.

    Raises:
        IllegalChoiceError: it is not among the options.

    """
    options = turn.options
    if isinstance(pick, Option):
        if pick.index < len(options) and (options[pick.index] is pick or options[pick.index] == pick):
            return pick.index
        raise illegal(turn, f"{pick} is not among the options of this turn", pick)
    try:
        number = -1 if isinstance(pick, bool) else index(pick)
    except TypeError:
        raise illegal(turn, f"choose returned {pick!r}; return an option, its index or a list of them", pick) from None
    if not 0 <= number < len(options):
        raise illegal(turn, f"there is no option {pick!r}; the indices are 0 to {len(options) - 1}", pick)
    return number


def check_number(turn: Turn, number: int) -> None:
    """Check that a list has as many picks as the decision wants.

    Raises:
        IllegalChoiceError: it has fewer or more.

    """
    if turn.min_picks <= number <= turn.max_picks or (number == 0 and turn.may_be_empty):
        return
    empty = " (or none)" if turn.may_be_empty else ""
    wanted = f"{turn.min_picks} to {turn.max_picks}{empty}"
    raise illegal(turn, f"{turn.kind} wants {wanted} options, choose returned {number}", number)


def completed(turn: Turn, picks: tuple[int, ...]) -> tuple[int, ...]:
    """Return `picks` followed by as many others as are missing; in a war the dearest go first.

    No option is picked twice: where several are picked, copies of a card are options of their own.
    """
    pool = [number for number in range(len(turn.view.option_act)) if number not in picks]
    whole = [*picks, *pool][: turn.min_picks]
    if turn.kind is Kind.SPIN_WAR:
        whole.sort(key=lambda number: -turn.options[number].points)
    return tuple(whole)


def dumped(turn: Turn, pick: int) -> tuple[int, ...]:
    """Return the whole dump that one pick of it stands for: all other cards of its colour, a picked card last.

    A pick that belongs to no dump stays alone: a wheel's discards are any number of cards.
    """
    chosen = turn.options[pick]
    color = chosen.card.color if chosen.card else chosen.color
    heads = [option for option in turn.options if option.act is Act.DUMP and color in {option.color, color_in(option)}]
    if not heads:
        return (pick,)
    head = chosen if chosen.act is Act.DUMP else heads[0]
    cards = sorted(dump_of(turn, head), key=lambda option: option.index == pick)
    return (head.index, *(option.index for option in cards))


def color_of(turn: Turn, picks: tuple[int, ...], color: Color | None) -> int:
    """Return 0 if no picked wild lacks a colour, else the byte of `color` or of what the hand keeps most.

    Raises:
        IllegalChoiceError: `color` is none.

    """
    options = turn.options
    for pick in picks:
        if options[pick].open_color:
            break
    else:
        return 0
    if color in COLOR_CODES:
        return COLOR_CODES[color]
    if color is not None:
        raise illegal(turn, f"{color!r} is not a colour; it may be R, Y, G or B", color)
    kept = Counter(turn.view.hand) - codes(options[pick] for pick in picks)
    colors = Counter(card.color for card in turn.hand for _ in range(kept.pop(card.code, 0)) if card.color)
    return max(COLOR_CODES.values(), key=lambda code: (colors[list(Color)[code - 1]], -code))


def illegal(turn: Turn, message: str, value: object) -> IllegalChoiceError:
    """Return the error for a choice that `turn` does not allow."""
    return IllegalChoiceError("ILLEGAL_CHOICE", message, field="choose", value=value, allowed=turn.options)
