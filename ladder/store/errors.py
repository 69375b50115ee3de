"""What can be wrong with a call to the store.

StoreError
├── StoreUnavailableError (also ConnectionError)   STORE_UNAVAILABLE
│   └── StoreLoadingError                          STORE_UNAVAILABLE
├── UnfitStoreError                                STORE_UNFIT
├── NoServerError                                  NO_SERVER
├── BadInputError                                  BAD_NAME, BAD_OWNER, BAD_RESULT, … (the caller's value is at fault)
├── NameTakenError                                 NAME_TAKEN
├── UnknownError                                   UNKNOWN_BOT, UNKNOWN_MATCH, UNKNOWN_TOURNAMENT, UNKNOWN_FORMAT
├── BadTokenError                                  BAD_TOKEN
├── RetiredError                                   RETIRED
├── LimitError                                     TOO_MANY_BOTS, TOO_MANY_VERSIONS, TOO_MANY_TOURNAMENTS
├── ConflictError                                  CONFLICT (the ledger has another truth under this id: an alarm)
├── NotEnteredError                                NOT_ENTERED
├── FencedError                                    FENCED (the match has another host or another log by now)
├── WrongStateError                                WRONG_STATE
├── LapsedError                                    LAPSED (this referee's beat ran out: drop everything and exit)
├── ArchiveError                                   BAD_ARCHIVE, ARCHIVE_UNAVAILABLE, ARCHIVE_DAMAGED
└── PepperError                                    PEPPER_EXPOSED, PEPPER_MALFORMED, PEPPER_MISMATCH, PEPPER_MISSING,
                                                   PEPPER_UNREADABLE

DamagedError (a ValueError)                        DAMAGED_MATCH, DAMAGED_TOURNAMENT, DAMAGED_BOT, … (one entry cannot
                                                   be read: nothing is wrong with the store, or with the call)
"""

from typing import Final

LONGEST: Final = 400
"""Of what a damaged entry says of itself."""


class StoreError(Exception):
    """Base: a stable reason, a sentence that says what to change, and what was given."""

    reason = "STORE"

    def __init__(
        self,
        message: str,
        *,
        reason: str | None = None,
        field: str | None = None,
        value: str | None = None,
        allowed: str | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.reason = reason or type(self).reason
        self.field = field
        self.value = value
        self.allowed = allowed


class StoreUnavailableError(StoreError, ConnectionError):
    """The store cannot be reached or did not answer in time; whether the call was done is not known."""

    reason = "STORE_UNAVAILABLE"
    exit_code = 3
    """What a command ends with."""


class StoreLoadingError(StoreUnavailableError):
    """The server still loads its files, and answers nothing else until it has."""


class UnfitStoreError(StoreError):
    """The server is too old, or set up so that it would lose or evict what it acknowledged."""

    reason = "STORE_UNFIT"


class NoServerError(StoreError):
    """No server was given and none that can be started was found."""

    reason = "NO_SERVER"


class BadInputError(StoreError):
    """A value of the caller is not allowed."""

    reason = "BAD_INPUT"


class NameTakenError(StoreError):
    """The name, or one that looks like it, belongs to somebody else."""

    reason = "NAME_TAKEN"


class UnknownError(StoreError):
    """No bot, match, tournament or format has this name."""

    reason = "UNKNOWN"


class BadTokenError(StoreError):
    """The token is malformed, unknown, expired or revoked; which of these is not said."""

    reason = "BAD_TOKEN"


class RetiredError(StoreError):
    """The bot was taken out of play."""

    reason = "RETIRED"


class LimitError(StoreError):
    """The owner or the bot has as many as it may have."""

    reason = "TOO_MANY"


class ConflictError(StoreError):
    """Other content stands under this id already; nothing was overwritten."""

    reason = "CONFLICT"


class NotEnteredError(StoreError):
    """A bot of the match was not entered in the ladder."""

    reason = "NOT_ENTERED"


class FencedError(StoreError):
    """The head of the match is not what this referee believes: somebody else hosts it. Drop the table."""

    reason = "FENCED"


class WrongStateError(StoreError):
    """The match or tournament is in a state in which this cannot be done."""

    reason = "WRONG_STATE"


class LapsedError(StoreError):
    """The beat of this referee ran out: others may own its matches now."""

    reason = "LAPSED"


class ArchiveError(StoreError):
    """The archive cannot be used, does not answer, or holds something else than was written."""

    reason = "ARCHIVE_UNAVAILABLE"


class PepperError(StoreError):
    """The secret that guards the tokens is missing, exposed, or not the one this store was used with."""

    reason = "PEPPER_MISSING"


class DamagedError(ValueError):
    """What stands in the store under one name cannot be read; it is read again as soon as it is mended.

    Attributes:
        sentence: What everybody may know of it; what stands there is for logs alone.
    """

    def __init__(
        self, kind: str, name: str, cause: BaseException, advice: str = "mend what stands in the ledger"
    ) -> None:
        self.sentence = f"{kind} {name} cannot be read: {advice}"
        super().__init__(f"{self.sentence} ({type(cause).__name__}: {cause})"[:LONGEST])
        self.reason = f"DAMAGED_{kind.upper()}"
        self.field = kind
        self.value = name
