"""How long a decision is thought about: a number of rounds played out, or a time."""

import re
from dataclasses import dataclass
from time import monotonic
from typing import Final, Protocol

from lastcard.errors import InputError

ROUNDS: Final = 500
MOST_ROUNDS: Final = 100_000
MOST_MS: Final = 60_000
_TEXT: Final = re.compile(r"(?P<number>[0-9]{1,6})(?P<ms>ms)?")


class Clock(Protocol):
    """Says what has been used up."""

    def used(self, rounds: int) -> float:
        """Return the part of the budget that is gone once so many rounds were played out; 1 = all."""


@dataclass(frozen=True, slots=True)
class Budget:
    """What a decision may cost.

    Attributes:
        rounds: rounds played out; 0 = as many as the time allows.
        ms: milliseconds, where `rounds` is 0. What is decided depends on the machine, then.
    """

    rounds: int = ROUNDS
    ms: int = 0

    @classmethod
    def read(cls, text: str) -> "Budget":
        """Return what `200` (rounds) or `50ms` means.

        Raises:
            InputError: it means neither, or too much.
        """
        found = _TEXT.fullmatch(text)
        number = int(found["number"]) if found else 0
        most = MOST_MS if found and found["ms"] else MOST_ROUNDS
        if not 1 <= number <= most:
            allowed = (f"1 to {MOST_ROUNDS} rounds", f"1ms to {MOST_MS}ms")
            message = f"{text!r} is no budget; write rounds as search:200, or a time as search:50ms"
            raise InputError("BAD_BUDGET", message, field="bot", value=text, allowed=allowed)
        return cls(0, number) if found and found["ms"] else cls(number)

    def start(self) -> Clock:
        """Return a clock that runs from now."""
        return _Counted(self.rounds) if self.rounds else _Timed(self.ms)


@dataclass(frozen=True, slots=True)
class _Counted:
    rounds: int

    def used(self, rounds: int) -> float:
        return rounds / self.rounds


class _Timed:
    __slots__ = ("_began", "_seconds")

    def __init__(self, ms: int) -> None:
        self._began = monotonic()
        self._seconds = ms / 1000

    def used(self, rounds: int) -> float:  # noqa: ARG002  (time is what counts)
        return (monotonic() - self._began) / self._seconds
