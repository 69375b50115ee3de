"""A connection of HTTP/2 that says whatever frames it is told to (RFC 9113), also those that no client ever sends."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Final, Self

from tests.hostile.raw import METHOD
from tests.patience import PATIENCE_S

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 2, 3, 4, 6, 7, 8, 9
END_STREAM: Final = 1
END_HEADERS: Final = 4
ACK: Final = 1
HEADER_TABLE_SIZE, INITIAL_WINDOW = 1, 4
PREFACE: Final = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
Frame = tuple[int, int, int, bytes]
"""Kind, flags, stream and content."""
BATCH: Final = 64
"""Frames that leave with one write of a flood."""


class Connection:
    """One connection. It acknowledges settings and pings as it meets them; what is not asked for is not read.

    Attributes:
        goodbyes: errors with which the other end has said that it goes away (RFC 9113, 7).
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.goodbyes: list[int] = []

    @classmethod
    async def dial(cls, server: str, settings: bytes = b"") -> Self:
        """Connect to a server, with these settings."""
        host, _, port = server.rpartition(":")
        connection = cls(*await asyncio.open_connection(host, int(port)))
        connection._writer.write(PREFACE + frame(SETTINGS, 0, 0, settings))
        return connection

    def say(self, kind: int, flags: int, stream: int, content: bytes = b"") -> None:
        """Send a frame."""
        self._writer.write(frame(kind, flags, stream, content))

    def send(self, stream: int, message: bytes, flags: int = 0) -> None:
        """Send a message of gRPC."""
        self.say(DATA, flags, stream, b"\0" + len(message).to_bytes(4, "big") + message)

    async def flood(self, frames: Sequence[bytes], seconds: float) -> int:
        """Send frames as fast as they are taken, for so long at most; returns how many the other end let us send."""
        sent, until = 0, time.monotonic() + seconds
        try:
            while sent < len(frames) and time.monotonic() < until:
                self._writer.write(b"".join(frames[sent : sent + BATCH]))
                async with asyncio.timeout(max(0.01, until - time.monotonic())):
                    await self._writer.drain()
                sent += BATCH
        except (OSError, TimeoutError):  # it hung up, or takes nothing more
            pass
        return min(sent, len(frames))

    async def hear(self) -> Frame:
        """Return the next frame.

        Raises:
            EOFError, OSError: there is none any more.
        """
        async with asyncio.timeout(PATIENCE_S):
            head = await self._reader.readexactly(9)
            content = await self._reader.readexactly(int.from_bytes(head[:3], "big"))
        kind, flags, stream = head[3], head[4], int.from_bytes(head[5:], "big")
        if kind == GOAWAY:
            self.goodbyes.append(int.from_bytes(content[4:8], "big"))
        if kind in {SETTINGS, PING} and not flags & ACK:
            self.say(kind, ACK, 0, content if kind == PING else b"")
        return kind, flags, stream, content

    async def until(self, stream: int, *kinds: int) -> Frame:
        """Return the next frame of a stream (0: of the connection) that is of one of these kinds."""
        while True:
            told = await self.hear()
            if told[2] == stream and told[0] in kinds:
                return told

    async def each(self, streams: Iterable[int], *kinds: int) -> dict[int, bytes]:
        """Return by stream the content of the first frame of one of these kinds, in whatever order they come."""
        told: dict[int, bytes] = {}
        wanted = set(streams)
        while wanted - told.keys():
            kind, _, stream, content = await self.hear()
            if stream in wanted and kind in kinds:
                told.setdefault(stream, content)
        return told

    async def over(self) -> None:
        """Read to the end of the connection."""
        with contextlib.suppress(EOFError, OSError):
            while True:
                await self.hear()

    async def close(self) -> None:
        """Hang up."""
        self._writer.transport.abort()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()


@contextlib.asynccontextmanager
async def connection(server: str, settings: bytes = b"") -> AsyncIterator[Connection]:
    """Connect, and hang up at the end of the block."""
    made = await Connection.dial(server, settings)
    try:
        yield made
    finally:
        await made.close()


def frame(kind: int, flags: int, stream: int, content: bytes = b"") -> bytes:
    """Return an encoded frame."""
    return len(content).to_bytes(3, "big") + bytes((kind, flags)) + stream.to_bytes(4, "big") + content


def setting(name: int, value: int) -> bytes:
    """Return one setting."""
    return name.to_bytes(2, "big") + value.to_bytes(4, "big")


def call(server: str, token: str, *more: tuple[str, str], path: str = METHOD) -> bytes:
    """Return the headers of a call, each spelled out."""
    said = (
        (":method", "POST"), (":scheme", "http"), (":path", path), (":authority", server), ("te", "trailers"),
        ("content-type", "application/grpc"), ("authorization", f"Bearer {token}"), *more,
    )  # fmt: skip
    return b"".join(spelled(name, value) for name, value in said)


def spelled(name: str, value: str, *, kept: bool = False) -> bytes:
    """Return a header field with a name of its own (RFC 7541, 6.2); `kept`: it goes into the table."""
    return bytes((0x40 if kept else 0,)) + _string(name) + _string(value)


def _string(text: str) -> bytes:
    return integer(len(text), 7) + text.encode()


def integer(value: int, bits: int, mark: int = 0) -> bytes:
    """Return a number with a prefix of so many bits, behind a mark (RFC 7541, 5.1)."""
    most = (1 << bits) - 1
    if value < most:
        return bytes((mark | value,))
    out, value = bytearray((mark | most,)), value - most
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes((*out, value))
