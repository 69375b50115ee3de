"""What is seen of a round, by everybody or by one seat, for tests of any game."""

from referee.rules import view
from referee.rules.cards import FACE
from referee.rules.events import SIZE
from referee.rules.round import Round
from referee.rules.view import EventColumns
from referee.rules.vocabulary import EventKind


def public(round_: Round, first: int = 0) -> EventColumns:
    """Return the events from number `first` on as everybody may see them."""
    events = bytes(round_.events[SIZE * first :])
    return EventColumns(*(events[column::SIZE] for column in range(SIZE)))


def told(round_: Round, seat: int | None = None, first: int = 0) -> list[str]:
    """Return events as words - kind, seat, card as seen, arg - for a seat, or for everybody."""
    columns = public(round_, first) if seat is None else view.events(round_, seat, first)
    return [
        " ".join((EventKind(kind).name, str(who) if who < 255 else "-", FACE.get(card, "-"), str(arg)))
        for kind, who, card, arg in zip(*columns, strict=True)
    ]
