"""A client of HTTP/2 that grants its server no room: what the server says stays on its way until `widen`."""

from typing import Final, Self

from tests.hostile.frames import (
    END_HEADERS,
    END_STREAM,
    HEADERS,
    INITIAL_WINDOW,
    WINDOW_UPDATE,
    Connection,
    call,
    setting,
)

STREAM: Final = 1
WIDE: Final = 65_535


class NarrowStream:
    """One stream on a connection of its own.

    Attributes:
        last: content of the frame that was returned last.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.last = b""

    @classmethod
    async def open(cls, server: str, token: str) -> Self:
        """Dial a referee and begin a stream with a token."""
        connection = await Connection.dial(server, setting(INITIAL_WINDOW, 0))
        connection.say(HEADERS, END_HEADERS, STREAM, call(server, token))
        return cls(connection)

    def send_last(self, message: bytes) -> None:
        """Send a message and half-close."""
        self._connection.send(STREAM, message, END_STREAM)

    def widen(self) -> None:
        """Grant room for 64 KiB."""
        self._connection.say(WINDOW_UPDATE, 0, STREAM, WIDE.to_bytes(4, "big"))

    async def until(self, *kinds: int) -> tuple[int, int]:
        """Return kind and flags of the stream's next frame of one of these kinds."""
        kind, flags, _, self.last = await self._connection.until(STREAM, *kinds)
        return kind, flags

    async def close(self) -> None:
        """Hang up."""
        await self._connection.close()
