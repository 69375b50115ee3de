"""What a bot needs of the world that it lives in, simulated or real: time, streams, and somebody to complain to."""

from collections.abc import Callable
from typing import Protocol

from tests.simulate.invariant import Invariant
from tests.simulate.stream import Caller
from tests.simulate.trace import Trace


class Clock(Protocol):
    """Time as a bot knows it: simulated, or that of this machine."""

    @property
    def now(self) -> float:
        """Seconds since some moment."""

    def after(self, delay: float, action: Callable[[], object]) -> object:
        """Have something happen after so many seconds."""


class Wire(Protocol):
    """A bot's end of a stream."""

    def send(self, message: bytes) -> None:
        """Send a message to the referee."""

    def half_close(self) -> None:
        """Say that nothing more will come."""

    def cut(self, *, silent: bool = False) -> None:
        """Break it."""


class Network(Protocol):
    """What a bot process needs of the world."""

    format_name: str

    @property
    def timeline(self) -> Clock:
        """What time it is."""

    @property
    def trace(self) -> Trace:
        """Where it is noted what happens."""

    def dial(self, slot: int, caller: Caller, token: str, peer: str) -> Wire | None:
        """Open a stream to a referee; None: nobody listens there."""

    def complain(self, invariant: Invariant, text: str) -> None:
        """Note that something is not as it should be."""
