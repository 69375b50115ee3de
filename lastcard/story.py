"""What happened, in sentences: one for each thing that one seat did, however many events it took.

A sentence is a row of parts. Cards and colours in it are `Card` and `Color`, for whoever shows them in their colour.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, TypeAlias

from lastcard.faces import Color
from lastcard.history import Event
from lastcard.words import DrawReason, Ending, EventKind

Names: TypeAlias = Sequence[str]
Sentence: TypeAlias = tuple[str, ...]
Teller: TypeAlias = Callable[[list[Event], Names], Sentence]

SEGMENTS: Final = (
    "UNO spin: the first who shouts discards a card", "discard a colour", "draw until blue", "draw until red", "war",
    "discard a number", "show your hand", "trade hands", "almost UNO: discard all cards but two",
)  # fmt: skip
REASONS: Final[dict[DrawReason | None, str]] = {
    DrawReason.PENALTY: " owed",
    DrawReason.CALL: " for a missed call",
    DrawReason.CHALLENGE: " for a challenge",
    DrawReason.WHEEL: " by the wheel",
    DrawReason.BONUS: " for a double match of colour",
}
SEAT: Final = 15  # bits of CHALLENGED's arg
BLUFF: Final = 16
PLACE: Final = 127  # bits of MATCHED's arg
IN_COLOR: Final = 128
KEPT: Final = 1  # DRAFTED's arg


def story(events: Iterable[Event], names: Names) -> Iterator[Sentence]:
    """Yield a sentence for each thing that happened; `names` is by seat."""
    for _, found in groupby(events, key=_same):
        together = list(found)
        teller = TELLERS.get(together[0].kind)
        if teller is not None:
            yield teller(together, names)


def _same(event: Event) -> tuple[object, ...]:
    """What events have in common that are told in one sentence."""
    if event.kind in MERGED:
        return (event.kind, event.seat, event.arg)
    return (event.number,)


def _who(event: Event, names: Names) -> str:
    return "nobody" if event.seat is None else names[event.seat]


def plain(sentence: Sentence) -> str:
    """Return a sentence as text."""
    return "".join(part.name.lower() if isinstance(part, Color) else part for part in sentence)


def _cards(events: list[Event]) -> Sentence:
    """The cards of these events, or how many they are where they are hidden."""
    faces = [event.card for event in events if event.card is not None]
    if len(faces) == len(events):
        return tuple(part for face in faces for part in (" ", face))[1:]
    return ("a card" if len(events) == 1 else f"{len(events)} cards",)


def _did(what: str) -> Teller:
    """A teller of what a seat did with cards."""
    return lambda events, names: (f"{_who(events[0], names)} {what} ", *_cards(events))


def _alone(what: str) -> Teller:
    """A teller of what a seat did without a card."""
    return lambda events, names: (f"{_who(events[0], names)} {what}",)


def _played(events: list[Event], names: Names) -> Sentence:
    event = events[0]
    parts = [f"{_who(event, names)} played ", *_cards(events)]
    if event.double:
        parts.append(" twice")
    if event.color:
        parts += [" and named ", event.color]
    if event.called:
        parts.append(" and called UNO!")
    return tuple(parts)


def _drew(events: list[Event], names: Names) -> Sentence:
    return (f"{_who(events[0], names)} drew ", *_cards(events), REASONS.get(events[0].reason, ""))


def _matched(events: list[Event], names: Names) -> Sentence:
    where = events[0].arg
    in_color = ", in colour" if where & IN_COLOR else ""
    return (f"{_who(events[0], names)} put ", *_cards(events), f" on card {(where & PLACE) + 1} of the row{in_color}")


def _named(events: list[Event], names: Names) -> Sentence:
    named = events[0].color
    return (f"{_who(events[0], names)} named ", named or "a colour")


def _drafted(events: list[Event], names: Names) -> Sentence:
    kept = "kept the card shown" if events[0].arg == KEPT else "took the next card unseen"
    return (f"{_who(events[0], names)} {kept}; face up lies ", *_cards(events))


def _challenged(events: list[Event], names: Names) -> Sentence:
    event = events[0]
    verdict = "it was a bluff" if event.arg & BLUFF else "it was no bluff"
    return (f"{_who(event, names)} challenged {names[event.arg & SEAT]}: {verdict}",)


def _caught(events: list[Event], names: Names) -> Sentence:
    return (f"{_who(events[0], names)} caught {names[events[0].arg]}",)


def _spun(events: list[Event], names: Names) -> Sentence:
    return (f"{_who(events[0], names)} spun the wheel: {SEGMENTS[events[0].arg - 1]}",)


def _reshuffled(events: list[Event], names: Names) -> Sentence:  # noqa: ARG001 (as all tellers)
    return (f"the discards became a new draw pile of {events[0].arg} cards",)


def _stacked(events: list[Event], names: Names) -> Sentence:  # noqa: ARG001
    return (f"{events[0].arg} cards are owed now",)


TELLERS: Final[dict[EventKind, Teller]] = {
    EventKind.ROUND_START: _alone("dealt a new round"),
    EventKind.TURNED_UP: lambda events, names: ("turned up: ", *_cards(events)),  # noqa: ARG005
    EventKind.COLOR_NAMED: _named,
    EventKind.DRAFTED: _drafted,
    EventKind.PLAYED: _played,
    EventKind.MATCHED: _matched,
    EventKind.DUMPED: _did("dumped"),
    EventKind.DREW: _drew,
    EventKind.KEPT: _alone("kept what was drawn"),
    EventKind.PASSED: _alone("passed"),
    EventKind.PLACED: _did("placed in the row"),
    EventKind.REFILLED: lambda events, names: ("turned up into the row: ", *_cards(events)),  # noqa: ARG005
    EventKind.RESHUFFLED: _reshuffled,
    EventKind.EXPOSED: _alone("missed the call"),
    EventKind.CALLED: _alone("called"),
    EventKind.CAUGHT: _caught,
    EventKind.CHALLENGED: _challenged,
    EventKind.HAND_SHOWN: _did("showed"),
    EventKind.STACKED: _stacked,
    EventKind.SPUN: _spun,
    EventKind.DISCARDED: _did("discarded"),
    EventKind.TRADED: lambda events, names: ("all hands went one seat to the left",),  # noqa: ARG005
    EventKind.WAR_SHOWN: _did("showed in the war"),
    EventKind.PENALTY: _alone("must draw for a missed call"),
    EventKind.FORFEITED: _alone("left the match"),
}
WHY: Final[dict[Ending, str]] = {
    Ending.OUT: "a hand is empty",
    Ending.BLOCKED: "nobody can move",
    Ending.TURN_LIMIT: "the limit of turns is reached",
    Ending.FORFEIT: "all others left",
    Ending.OTHER: "the referee says so",
}
"""How a round ended."""
MERGED: Final = frozenset(
    {EventKind.DREW, EventKind.DUMPED, EventKind.HAND_SHOWN, EventKind.DISCARDED, EventKind.MATCHED,
     EventKind.WAR_SHOWN, EventKind.PLACED, EventKind.REFILLED, EventKind.TURNED_UP}
)  # fmt: skip
