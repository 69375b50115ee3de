"""Play UNO, Spin, DOS and Duo on a lastcard referee: `from lastcard import Bot, run`.

A name is loaded when it is asked for: `lastcard.cli`, which is in here, too, begins before any of them is there.
"""

TYPE_CHECKING = False  # as in `typing`, which takes longer to load than all of this
if TYPE_CHECKING:
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
_NAMES = {
    "answer": ("Answer",),
    "bot": ("Bot", "run"),
    "errors": ("LastcardError",),
    "faces": ("Card", "Color", "card"),
    "history": ("Event", "History", "Match"),
    "option": ("Option",),
    "result": ("GameResult", "MatchResult", "RoundResult"),
    "turn": ("Turn",),
    "words": ("Act", "DrawReason", "Ending", "EventKind", "Kind", "Order"),
}
"""Modules that are there with the package (`lastcard.errors.ExitCode`), and which of their names are its own."""
_MODULES = {name: module for module, names in _NAMES.items() for name in names}


if not TYPE_CHECKING:  # where a module may have any name, a slip of the finger is no error

    def __getattr__(name: str) -> object:
        """Return a public name, or one of those modules, and have it at hand from then on."""
        if name not in _MODULES and name not in _NAMES:
            raise AttributeError(f"module 'lastcard' has no attribute {name!r}", name=name)
        from importlib import import_module

        found = import_module(f"lastcard.{_MODULES.get(name, name)}")
        globals()[name] = getattr(found, name) if name in _MODULES else found
        return globals()[name]


def __dir__() -> list[str]:
    """Return what the module has, loaded or not."""
    return sorted({*globals(), *_MODULES, *_NAMES})
