"""Everything the rules refuse, by cause.

RulesError                     reason: a stable word, message: a sentence that says what to change
|-- UnknownPresetError         no preset of that name
|-- InvalidOptionError         an option does not take that value
|   `-- UnknownOptionError     the game has no option of that name
|-- IllegalAnswerError         not a legal answer now; nothing has changed
|-- ChanceError                scripted chance ended, or does not fit what it is used for
|-- NotationError              a card, an act, a scenario or a record that cannot be read
|-- DivergedError              a record that does not follow (referee.rules.replay)
`-- NoSuchMomentError          a record has no such round or act (referee.rules.branch)
"""

from collections.abc import Iterable


class RulesError(ValueError):
    """A caller's mistake: `reason` is stable, the message says what to change."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class UnknownPresetError(RulesError):
    """No preset has this name; `allowed` holds those that exist."""

    def __init__(self, name: object, allowed: Iterable[str]) -> None:
        self.name = name
        self.allowed = tuple(allowed)
        super().__init__("UNKNOWN_PRESET", f"unknown preset {name!r}; use one of {', '.join(self.allowed)}")


class InvalidOptionError(RulesError):
    """A value that an option does not take; `allowed` says which it does."""

    def __init__(self, name: object, value: object, allowed: Iterable[str] | str) -> None:
        self.name = name
        self.value = value
        self.allowed = allowed if isinstance(allowed, str) else ", ".join(allowed)
        super().__init__("INVALID_OPTION", f"option {name!r} does not take {value!r}; allowed: {self.allowed}")


class UnknownOptionError(InvalidOptionError):
    """The preset has no option of this name."""

    def __init__(self, name: object, value: object, allowed: Iterable[str]) -> None:
        super().__init__(name, value, allowed)
        self.args = (f"unknown option {name!r}; this game has {self.allowed}",)
        self.reason = "UNKNOWN_OPTION"


class IllegalAnswerError(RulesError):
    """The answer is not legal now. The round is as it was before.

    Reasons: NOT_ASKED, NOT_IN_GAME, ROUND_OVER, NO_SUCH_OPTION, BAD_PICKS, BAD_COLOR.
    """


class ChanceError(RulesError):
    """Scripted chance does not fit. Reasons: CHANCE_ENDS, NOT_A_PERMUTATION, WRONG_CHANCE, NOT_USED."""


class NotationError(RulesError):
    """Text that cannot be read. Reasons name the part: CARD, ACT, SCENARIO, RECORD."""
