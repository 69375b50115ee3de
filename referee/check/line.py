"""The line between the bot and the door: everything passes; what goes to the bot may come byte by byte."""

import asyncio
from collections.abc import Awaitable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from lastcard.address import Address

PART: Final = 65_536
BYTE_S: Final = 0.002
"""Between two bytes that dribble."""
INSIDE: Final = "127.0.0.1"


class Line:
    """Listens where the bot dials, and passes everything on to a port of this machine.

    Attributes:
        address: where it listens.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self._inside = 0
        self._dribbles = False
        self._server: asyncio.Server
        self._calls: dict[asyncio.Task[None], tuple[asyncio.StreamWriter, ...]] = {}

    async def open(self, inside: int) -> None:
        """Listen, and lead to this port.

        Raises:
            OSError: the address cannot be had.
        """
        self._inside = inside
        where = Address.parse(self.address, "listen")
        self._server = await asyncio.start_server(self._call, where.host, where.port)
        port = self._server.sockets[0].getsockname()[1]
        self.address = str(Address(where.host, port))

    async def close(self) -> None:
        """Cut what is still open."""
        self._server.close()
        for ends in self._calls.values():
            _close(ends)
        await asyncio.gather(*self._calls)

    @contextmanager
    def dribbling(self) -> Iterator[None]:
        """Meanwhile, give the bot one byte after the other."""
        self._dribbles = True
        try:
            yield
        finally:
            self._dribbles = False

    async def _call(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        ends: tuple[asyncio.StreamWriter, ...] = (writer,)
        self._calls[task] = ends
        try:
            from_door, to_door = await asyncio.open_connection(INSIDE, self._inside)
            self._calls[task] = ends = (writer, to_door)
            async with asyncio.TaskGroup() as ways:
                ways.create_task(_until_its_end(self._in(reader, to_door), ends))
                ways.create_task(_until_its_end(self._out(from_door, writer), ends))
        except OSError:  # the door is closed
            pass
        finally:
            _close(ends)
            del self._calls[task]

    async def _in(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while part := await reader.read(PART):
                writer.write(part)
                await writer.drain()

    async def _out(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while part := await reader.read(PART):
                await self._give(part, writer)

    async def _give(self, part: bytes, writer: asyncio.StreamWriter) -> None:
        for start in range(len(part)):
            if not self._dribbles:
                writer.write(part[start:])
                break
            writer.write(part[start : start + 1])
            await asyncio.sleep(BYTE_S)
        await writer.drain()


async def _until_its_end(way: Awaitable[None], ends: Iterable[asyncio.StreamWriter]) -> None:
    """Go one way; at its end the other one ends, too."""
    try:
        await way
    finally:
        _close(ends)


def _close(ends: Iterable[asyncio.StreamWriter]) -> None:
    for end in ends:
        end.close()
