"""What each event of a round tells a seat that remembers: one function a kind (EventKind in cards.proto)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from referee.rules.cards import BIT
from referee.rules.events import DOUBLE
from referee.rules.uno.codes import COLOR_MASK, EVERYTHING, WILDS
from referee.rules.vocabulary import Color, DrawReason, EventKind, Segment

if TYPE_CHECKING:
    from referee.bots.search.memory import Memory

UNKNOWN: Final = (1 << 128) - 1  # a card that may be anything
NAMED: Final = 7  # bits of PLAYED's arg that are a colour
PLACE: Final = 127  # bits of MATCHED's arg that are a place
IN_COLOR: Final = 128
WHOLE: Final = slice(None)
NEWEST: Final = slice(-1, None)
STOPPED_BY_COLOR: Final = 1  # the arg of KEPT on the wheel
STOPPED_BY_WILD: Final = 2
# By SPUN's arg: the faces that end a draw of the wheel.
STOPS: Final = {1 + Segment.DRAW_BLUE: COLOR_MASK[Color.BLUE], 1 + Segment.DRAW_RED: COLOR_MASK[Color.RED]}


class Seen(NamedTuple):
    """An event as a seat sees it."""

    kind: int
    seat: int
    card: int  # 0 where it is hidden
    arg: int


Teller: TypeAlias = Callable[["Memory", Seen], None]


def _round_start(memory: Memory, event: Seen) -> None:
    memory.dealer = event.seat


def _dealt(memory: Memory, event: Seen) -> None:
    memory.hands[event.seat] = [UNKNOWN] * event.arg
    memory.size -= event.arg


def _turned_up(memory: Memory, event: Seen) -> None:
    if memory.packet:  # the discards of a draft go under the draw pile as one packet
        memory.packet = False
        memory.bottom = memory.discard[::-1]
        memory.size += len(memory.discard)
        memory.discard = []
    memory.take_off()
    if memory.matches:
        memory.row.append(event.card)
    else:
        memory.lay(event.card)


def _refilled(memory: Memory, event: Seen) -> None:
    memory.take_off()
    memory.row.append(event.card)


def _color_named(memory: Memory, event: Seen) -> None:
    memory.lay(memory.discard.pop(), event.arg)


def _drafted(memory: Memory, event: Seen) -> None:
    memory.packet = True
    memory.hands[event.seat].append(UNKNOWN)
    memory.discard.append(event.card)
    memory.size -= 2


def _turn(memory: Memory, event: Seen) -> None:  # noqa: ARG001  (whose it is the view says)
    memory.turns += 1
    memory.singles = 0


def _played(memory: Memory, event: Seen) -> None:
    memory.before = (memory.color, memory.ok, event.seat)
    for _ in range(2 if event.arg & DOUBLE else 1):
        memory.lose(event.seat, event.card)
        memory.lay(event.card, event.arg & NAMED)


def _put_down(memory: Memory, event: Seen) -> None:
    memory.lose(event.seat, event.card)
    if memory.under:
        memory.discard.insert(0, event.card)
    else:
        memory.lay(event.card)


def _matched(memory: Memory, event: Seen) -> None:
    memory.lose(event.seat, event.card)
    stack = memory.on_row.setdefault(event.arg & PLACE, [])
    stack.append(event.card)
    if event.arg & IN_COLOR:  # the second card makes a double match of it
        memory.singles += 1 if len(stack) == 1 else -1


def _drew(memory: Memory, event: Seen) -> None:
    if event.arg == DrawReason.TURN:
        memory.rule_out_fitting(event.seat, WHOLE)
    memory.shown = memory.shown + 1 if event.arg == DrawReason.WHEEL else 0
    known = memory.take_off() or event.card
    memory.hands[event.seat].append(BIT[known] if known else UNKNOWN)


def _kept(memory: Memory, event: Seen) -> None:
    if memory.stop:
        _stopped(memory, event)
    else:
        memory.rule_out_fitting(event.seat, NEWEST)


def _stopped(memory: Memory, event: Seen) -> None:
    """A draw of the wheel is over: only its last card has the colour, or is the wild, that ended it."""
    hand, stop, drawn = memory.hands[event.seat], memory.stop, memory.shown
    memory.stop = memory.shown = 0
    ended = event.arg in (STOPPED_BY_COLOR, STOPPED_BY_WILD)
    for place in range(len(hand) - drawn, len(hand) - ended):
        hand[place] &= ~stop
    if ended and drawn:
        hand[-1] &= stop if event.arg == STOPPED_BY_COLOR else WILDS


def _passed(memory: Memory, event: Seen) -> None:  # noqa: ARG001  (whoever it was)
    memory.passes = memory.passes + 1 if memory.passed == memory.turns - 1 else 1
    memory.passed = memory.turns


def _placed(memory: Memory, event: Seen) -> None:
    memory.lose(event.seat, event.card)
    memory.row.append(event.card)


def _reshuffled(memory: Memory, event: Seen) -> None:
    """The discards are in the draw pile now, but for the top where one lies; before the first turn all go back."""
    started = memory.turns > 0
    memory.bottom = memory.discard[-2::-1] if memory.flips and started and not memory.loose else []
    memory.discard = memory.discard[-1:] if started and not memory.matches else []
    memory.loose = []
    memory.size = event.arg
    memory.packet = False
    if not started:
        memory.color, memory.ok = 0, EVERYTHING


def _hand_shown(memory: Memory, event: Seen) -> None:
    if event.card:
        memory.shown = memory.shown + 1 if memory.last == EventKind.HAND_SHOWN else 1
        memory.hands[event.seat][memory.shown - 1] = BIT[event.card]


def _war_shown(memory: Memory, event: Seen) -> None:
    memory.learn(event.seat, event.card)


def _spun(memory: Memory, event: Seen) -> None:
    memory.stop = STOPS.get(event.arg, 0)
    memory.shown = 0


def _traded(memory: Memory, event: Seen) -> None:  # noqa: ARG001  (always to the left)
    memory.trade()


def _forfeited(memory: Memory, event: Seen) -> None:
    memory.out.append(event.seat)
    if memory.discard or memory.matches:
        memory.loose += memory.hands[event.seat]
    else:  # with nothing led the hand goes under the draw pile
        memory.size += len(memory.hands[event.seat])
        memory.bottom = []
    memory.hands[event.seat] = []


# A match is not over while these follow each other.
AMID_MATCHES: Final = frozenset((EventKind.MATCHED, EventKind.DREW, EventKind.RESHUFFLED))

SEE: Final[dict[int, Teller]] = {
    EventKind.ROUND_START: _round_start,
    EventKind.DEALT: _dealt,
    EventKind.TURNED_UP: _turned_up,
    EventKind.COLOR_NAMED: _color_named,
    EventKind.DRAFTED: _drafted,
    EventKind.TURN: _turn,
    EventKind.PLAYED: _played,
    EventKind.MATCHED: _matched,
    EventKind.DUMPED: _put_down,
    EventKind.DREW: _drew,
    EventKind.KEPT: _kept,
    EventKind.PASSED: _passed,
    EventKind.PLACED: _placed,
    EventKind.REFILLED: _refilled,
    EventKind.RESHUFFLED: _reshuffled,
    EventKind.HAND_SHOWN: _hand_shown,
    EventKind.SPUN: _spun,
    EventKind.DISCARDED: _put_down,
    EventKind.TRADED: _traded,
    EventKind.WAR_SHOWN: _war_shown,
    EventKind.FORFEITED: _forfeited,
}
