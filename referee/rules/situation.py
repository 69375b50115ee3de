"""A round as it may stand where a seat is asked: what that seat knows, and cards put where it cannot look."""

from dataclasses import dataclass

from referee.rules.setup import Setup
from referee.rules.vocabulary import DecisionKind


@dataclass(frozen=True, slots=True)
class Situation:
    """An open decision of one seat, and the table around it; `Round.resume` plays on from there.

    Attributes:
        setup: hands and piles, complete.
        seat: the seat that is asked.
        kind: what it is asked. Not CALL_WINDOW or CHALLENGE_WINDOW: what comes after those is decided already.
        turn: the seat whose turn it is.
        turns: turns begun in the round, this one counted.
        dealer: who dealt.
        out: seats that left the match, in order; their hands are empty.
        pending: cards owed.
        drawn: the card under PLAY_DRAWN; under DRAFT_PICK the top of the draw pile is shown.
        bonus: DOS: bonus cards to place.
        accused: under RESPOND_WILD_DRAW_FOUR, the seat that played it.
        bluff: whether it was one.
        passes: turns in a row, up to this one, in which nothing was drawn or played.
        called: DOS: an act of this turn came with the call.
        singles: DOS: single matches of colour in this turn.
        owes: DOS: by seat, cards for a call missed off its turn; () = nobody owes any.
    """

    setup: Setup
    seat: int
    kind: DecisionKind
    turn: int
    turns: int
    dealer: int
    out: tuple[int, ...] = ()
    pending: int = 0
    drawn: int = 0
    bonus: int = 0
    accused: int = -1
    bluff: bool = False
    passes: int = 0
    called: bool = False
    singles: int = 0
    owes: tuple[int, ...] = ()
