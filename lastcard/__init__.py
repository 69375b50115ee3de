"""Play UNO, Spin, DOS and Duo on a lastcard referee: `from lastcard import Bot, run`."""

from lastcard.answer import Answer
from lastcard.bot import Bot, run
from lastcard.errors import LastcardError
from lastcard.faces import Card, Color, card
from lastcard.history import Event, History, Match
from lastcard.option import Option
from lastcard.result import GameResult, MatchResult, RoundResult
from lastcard.turn import Turn
from lastcard.words import Act, DrawReason, Ending, EventKind, Kind, Order

__all__ = [
    "Act",
    "Answer",
    "Bot",
    "Card",
    "Color",
    "DrawReason",
    "Ending",
    "Event",
    "EventKind",
    "GameResult",
    "History",
    "Kind",
    "LastcardError",
    "Match",
    "MatchResult",
    "Option",
    "Order",
    "RoundResult",
    "Turn",
    "card",
    "run",
]
