"""What can go wrong for a bot's author or at the command line, by cause.

    LastcardError
    ├── InputError             something that was typed or configured is not what it may be       exit 2
    │   └── MissingExtraError  the command needs a part that is not installed                    exit 2
    ├── RefusedError           the referee does not want this bot: its own sentence follows       exit 2
    │   ├── BadTokenError      no token, or one that is not good (any more)                      exit 2
    │   └── UpgradeError       this library is too old, or too new, for the referee              exit 2
    ├── UnreachableError       a server or the store does not answer                             exit 3
    ├── IllegalChoiceError     `choose` returned what the options do not allow                   exit 1
    └── ProtocolError          the other side sent what the protocol does not allow              exit 1

Each carries a stable `reason` for programs, a sentence for people that says what to change, and, where one value is
to blame, its field, the value and what is allowed.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import ClassVar


class ExitCode(IntEnum):
    """How a process of ours ends."""

    DONE = 0
    NEGATIVE = 1  # a check found something, or a part crashed
    BAD_INPUT = 2
    UNREACHABLE = 3
    LAPSED = 75  # a referee that lost its lease; its supervisor starts it again
    INTERRUPTED = 130
    UNREAD = 141  # nobody read on what a check was saying, before it came to its end
    TERMINATED = 143


class LastcardError(Exception):
    """The root of the tree above."""

    exit_code: ClassVar[int] = ExitCode.NEGATIVE

    def __init__(
        self, reason: str, message: str, *, field: str = "", value: object = None, allowed: Iterable[object] = ()
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.field = field
        self.value = value
        self.allowed = tuple(allowed)


class InputError(LastcardError):
    """Something that was typed or configured is not what it may be."""

    exit_code = ExitCode.BAD_INPUT


class MissingExtraError(InputError):
    """The command needs a part that is not installed."""


class RefusedError(LastcardError):
    """The referee does not want this bot; trying again would not help."""

    exit_code = ExitCode.BAD_INPUT


class BadTokenError(RefusedError):
    """No token, or one that is not good (any more)."""


class UpgradeError(RefusedError):
    """This library is too old, or too new, for the referee."""


class UnreachableError(LastcardError):
    """A server or the store does not answer."""

    exit_code = ExitCode.UNREACHABLE


class IllegalChoiceError(LastcardError):
    """`choose` returned what the options do not allow."""


class ProtocolError(LastcardError):
    """The other side sent what the protocol does not allow."""
