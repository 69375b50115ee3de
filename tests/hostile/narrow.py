"""A client of HTTP/2 that grants its server no room: what the server says stays on its way until `widen`."""

import asyncio
from collections.abc import Sequence
from typing import Final, Self

from tests.hostile.raw import METHOD
from tests.patience import PATIENCE_S

DATA, HEADERS, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE = 0, 1, 3, 4, 6, 8
END_STREAM: Final = 1
END_HEADERS: Final = 4
ACK: Final = 1
INITIAL_WINDOW: Final = 4
STREAM: Final = 1


class NarrowStream:
    """One stream on a connection of its own.

    Attributes:
        last: content of the frame that was returned last.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.last = b""

    @classmethod
    async def open(cls, server: str, token: str) -> Self:
        """Dial a referee and begin a stream with a token."""
        host, _, port = server.rpartition(":")
        stream = cls(*await asyncio.open_connection(host, int(port)))
        stream._writer.write(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
        stream._say(SETTINGS, 0, 0, INITIAL_WINDOW.to_bytes(2, "big") + bytes(4))
        stream._say(HEADERS, END_HEADERS, STREAM, _headers(server, token))
        return stream

    def send_last(self, message: bytes) -> None:
        """Send a message and half-close."""
        self._say(DATA, END_STREAM, STREAM, b"\0" + len(message).to_bytes(4, "big") + message)

    def widen(self) -> None:
        """Grant room for 64 KiB."""
        self._say(WINDOW_UPDATE, 0, STREAM, (65_535).to_bytes(4, "big"))

    async def until(self, *kinds: int) -> tuple[int, int]:
        """Return kind and flags of the stream's next frame of one of these kinds."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                head = await self._reader.readexactly(9)
                content = await self._reader.readexactly(int.from_bytes(head[:3], "big"))
                kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
                if kind in {SETTINGS, PING} and not flags & ACK:
                    self._say(kind, ACK, 0, content if kind == PING else b"")
                if stream == STREAM and kind in kinds:
                    self.last = content
                    return kind, flags

    async def close(self) -> None:
        """Hang up."""
        self._writer.close()
        await self._writer.wait_closed()

    def _say(self, kind: int, flags: int, stream: int, content: bytes) -> None:
        head = len(content).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big")
        self._writer.write(head + content)


def _headers(server: str, token: str) -> bytes:
    """Return the headers of a call, each spelled out (RFC 7541, 6.2.2)."""
    said: Sequence[tuple[str, str]] = (
        (":method", "POST"), (":scheme", "http"), (":path", METHOD), (":authority", server), ("te", "trailers"),
        ("content-type", "application/grpc"), ("authorization", f"Bearer {token}"),
    )  # fmt: skip
    return b"".join(b"\0" + bytes((len(name),)) + name.encode() + bytes((len(value),)) + value.encode()
                    for name, value in said)  # fmt: skip
