"""The port of a trunk: a stream between two referees."""

from typing import Protocol


class Line(Protocol):
    """A stream between two referees."""

    async def write(self, message: bytes) -> None:
        """Hand a message to the transport. Raises LineLostError."""

    async def read(self) -> bytes:
        """Wait for a message. Raises LineLostError at the end."""


class LineLostError(Exception):
    """The stream is over."""
