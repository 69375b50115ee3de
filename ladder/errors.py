"""What a caller did that we cannot do, by cause.

    RequestError
    ├── InvalidFieldError      a field of the request is not what it may be
    ├── UnknownNameError       it names something that is not there
    ├── NameTakenError         it creates something that is there, with other content
    ├── UnauthenticatedError   it has no token, or one that is not good
    ├── NotAllowedError        its token lacks the scope
    ├── TooManyError           it came too often
    ├── WrongStateError        what it names is not in a state for it
    └── NotReachableError      a part that it needs does not answer

Each carries a stable `reason` for programs, a sentence for people that says what to change, and, where one field is
to blame, its name, its value and what is allowed. gRPC and pages translate `kind`, commands `exit_code`.
`ladder.door.refusals` makes one of what the store and the pure modules raise.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import ClassVar, Final

from lastcard.errors import ExitCode, LastcardError

LONGEST_VALUE: Final = 64
LONGEST_SENTENCE: Final = 400
"""A sentence may repeat a caller's value, and has to fit into the metadata of an answer."""
MOST_ALLOWED: Final = 20


class Kind(Enum):
    """Whose turn it is to change something, and what."""

    INVALID = "invalid"
    UNKNOWN = "unknown"
    TAKEN = "taken"
    UNAUTHENTICATED = "unauthenticated"
    FORBIDDEN = "forbidden"
    TOO_MANY = "too_many"
    STATE = "state"
    UNREACHABLE = "unreachable"


class RequestError(LastcardError):
    """A request that is refused, and what would make it acceptable."""

    kind: ClassVar[Kind] = Kind.INVALID
    exit_code: ClassVar[int] = ExitCode.BAD_INPUT

    def __init__(
        self, reason: str, message: str, *, field: str = "", value: object = "", allowed: Iterable[object] = ()
    ) -> None:
        shown = tuple(shortened(str(item)) for item in allowed)[:MOST_ALLOWED]
        blamed = shortened(str(value)) if field else None
        super().__init__(reason, shortened(message, LONGEST_SENTENCE), field=field, value=blamed, allowed=shown)


class InvalidFieldError(RequestError):
    """A field of the request is not what it may be."""


class UnknownNameError(RequestError):
    """The request names something that is not there."""

    kind = Kind.UNKNOWN


class NameTakenError(RequestError):
    """The request creates something that is there already, with other content."""

    kind = Kind.TAKEN


class UnauthenticatedError(RequestError):
    """The request has no token, or one that is not good."""

    kind = Kind.UNAUTHENTICATED


class NotAllowedError(RequestError):
    """The token of the request lacks the scope that it needs."""

    kind = Kind.FORBIDDEN


class TooManyError(RequestError):
    """The request came too often."""

    kind = Kind.TOO_MANY


class WrongStateError(RequestError):
    """What the request names is not in a state for it."""

    kind = Kind.STATE


class NotReachableError(RequestError):
    """A part that the request needs does not answer."""

    kind = Kind.UNREACHABLE
    exit_code = ExitCode.UNREACHABLE


def shortened(text: str, longest: int = LONGEST_VALUE) -> str:
    """Return text without control characters, cut to what an error may repeat of a caller's input."""
    cut = text if len(text) <= longest else text[: longest - 1] + "…"
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in cut)
