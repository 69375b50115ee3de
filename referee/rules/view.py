"""What a seat, or somebody who watches, may see of a round. Nothing else of a round ever leaves it but its result.

A watcher has no seat, and sees the events as everybody does (`shown`), and of the table what is in every seat's view
of a decision (`table`). Where a turn has just begun that is all public; while one goes on, what is drawn and not yet
kept or played would tell that somebody was asked, and so what is in that hand: `begins_turn` says when to look.

Events are numbered in the order in which they happened, the same for everybody; `first` is the number of the first one
that is wanted. A seat sees its own cards, everybody the public ones; the numbers of hidden cards are zero.
"""

from typing import Final, NamedTuple, TypeAlias

from referee.rules.columns import Columns
from referee.rules.events import SIZE
from referee.rules.round import Round
from referee.rules.vocabulary import DecisionKind, EventKind


class EventColumns(NamedTuple):
    """Events as parallel bytes."""

    kind: bytes
    seat: bytes
    card: bytes
    arg: bytes


class DecisionView(NamedTuple):
    """An open decision with everything that the seat which is asked may know; as the protocol's Decision."""

    kind: DecisionKind
    hand: bytes
    top: int  # 0 if nothing lies there
    color: int  # 0 if none is in force
    direction: int  # 1 clockwise, 2 counter-clockwise
    counts: bytes
    draw_pile: int
    discard_pile: int
    pending: int
    drawn: int
    row: bytes
    bonus: int
    turn_seat: int
    options: Columns
    picks: tuple[int, int]


class TableView(NamedTuple):
    """A table as everybody sees it: the fields of a DecisionView that are the same for every seat."""

    top: int
    color: int
    direction: int
    counts: bytes
    draw_pile: int
    discard_pile: int
    pending: int
    row: bytes
    turn_seat: int


Sight: TypeAlias = tuple[
    DecisionKind, bytes, int, int, int, bytes, int, int, int, int, bytes, int, int, Columns, tuple[int, int]
]
"""The fields of a DecisionView in their order: cheaper to make, for those who take it apart at once."""

PLAY_DRAWN: Final = DecisionKind.PLAY_DRAWN
DRAFT_PICK: Final = DecisionKind.DRAFT_PICK
PAIR: Final = 2
TURN: Final = int(EventKind.TURN)


def count(round_: Round) -> int:
    """The number of events so far."""
    return len(round_.events) // SIZE


def events(round_: Round, seat: int, first: int = 0) -> EventColumns:
    """The events from number `first` on as this seat may see them."""
    return EventColumns._make(map(bytes, seen(round_, seat, first)))


def seen(round_: Round, seat: int, first: int) -> tuple[bytearray, bytearray, bytearray, bytearray]:
    """The same columns as `events`, for those who write them down at once."""
    public = round_.events[SIZE * first :]
    card = public[2::4]
    private = round_.private[seat]
    start = first << 7
    if private and private[-1] >= start:
        for known in reversed(private):
            if known < start:
                break
            card[(known - start) >> 7] = known & 127
    return public[0::4], public[1::4], card, public[3::4]


def shown(round_: Round, first: int = 0) -> bytes:
    """The events from number `first` on as everybody may see them, four bytes each: kind, seat, card, arg."""
    return bytes(round_.events[SIZE * first :])


def begins_turn(round_: Round) -> bool:
    """Whether nothing has happened since the turn of a seat began."""
    return len(round_.events) >= SIZE and round_.events[-SIZE] == TURN


def table(round_: Round) -> TableView:
    """The table as everybody sees it; see above for when."""
    discard = round_.discard
    return TableView(
        discard[-1] if discard else 0,
        round_.color,
        1 if round_.dir > 0 else 2,
        bytes(map(len, round_.hands)),
        len(round_.draw),
        len(discard),
        round_.pending,
        bytes(round_.row),
        round_.turn,
    )


def decision(round_: Round, seat: int) -> DecisionView:
    """The open decision of an asked seat.

    Raises:
        IllegalAnswerError: nothing is asked of this seat.
    """
    return DecisionView._make(sight(round_, seat))


def sight(round_: Round, seat: int) -> Sight:
    """The same as `decision`, as a plain tuple."""
    options = round_.columns(seat)
    kind = round_.kind if seat == round_.seat else round_.asked[seat]
    discard = round_.discard
    hands = round_.hands
    return (
        kind,
        bytes(hands[seat]),
        discard[-1] if discard else 0,
        round_.color,
        1 if round_.dir > 0 else 2,
        bytes((len(hands[0]), len(hands[1]))) if len(hands) == PAIR else bytes(map(len, hands)),  # half the time
        len(round_.draw),
        len(discard),
        round_.pending,
        round_.drawn if kind is PLAY_DRAWN or kind is DRAFT_PICK else 0,
        bytes(round_.row) if round_.row else b"",
        round_.bonus,
        round_.turn,
        options,
        round_.picks(seat),
    )
