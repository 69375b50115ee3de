"""A piece of network that can be cut, held up, slowed down, and made to lose replies."""

import asyncio
from contextlib import suppress
from typing import Final

PIECE: Final = 1 << 16
SCRIPT_CALL: Final = b"EVAL"
WAIT_S: Final = 0.02


class Proxy:
    """Passes TCP connections on to a target.

    Attributes:
        target: host and port; None: nobody is there, and connections are refused at once.
        source: address of this machine from which it dials the target; empty: any.
        port: where it listens, on 127.0.0.1.
        to_lose: so many further replies to script calls are swallowed, and their connections broken.
        lost: replies that were.
    """

    def __init__(self, target: tuple[str, int] | None = None, source: str = "") -> None:
        self.target = target
        self.source = source
        self.port = 0
        self.to_lose = 0
        self.lost = 0
        self._server: asyncio.Server | None = None
        self._refuses = False
        self._flows = asyncio.Event()
        self._flows.set()
        self._links: dict[asyncio.Task[None], None] = {}

    @property
    def address(self) -> str:
        """`host:port`."""
        return f"127.0.0.1:{self.port}"

    async def start(self) -> None:
        """Listen."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Break everything and listen no more."""
        if self._server is not None:
            self._server.close()
        self.cut()
        await asyncio.gather(*self._links, return_exceptions=True)

    # -- what is done to it

    def cut(self) -> None:
        """Break every connection: both ends are told."""
        for link in self._links:
            link.cancel()

    def refuse(self) -> None:
        """Break every connection, and every new one, until `heal`."""
        self._refuses = True
        self.cut()

    def hold(self) -> None:
        """Let nothing through either way, and tell nobody, until `heal`."""
        self._flows.clear()

    def heal(self) -> None:
        """Work again; what was held up arrives."""
        self._refuses = False
        self._flows.set()

    # -- connections

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._links[task] = None
        try:
            await self._link(reader, writer)
        except (OSError, asyncio.CancelledError):
            pass  # broken on purpose, or by one of the ends
        finally:
            del self._links[task]
            _abort(writer)

    async def _link(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.target is None or self._refuses:
            return
        far_reader, far_writer = await asyncio.open_connection(
            *self.target, local_addr=(self.source, 0) if self.source else None
        )
        called = asyncio.Event()
        try:
            async with asyncio.TaskGroup() as group:
                ways = (self._requests(reader, far_writer, called), self._replies(far_reader, writer, called))
                tasks = [group.create_task(way) for way in ways]
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
                for task in tasks:
                    task.cancel()
        except* OSError:
            pass  # one of the ends broke it
        finally:
            _abort(far_writer)

    async def _requests(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, called: asyncio.Event
    ) -> None:
        while data := await reader.read(PIECE):
            await self._flows.wait()
            if SCRIPT_CALL in data:
                called.set()
            writer.write(data)
            await writer.drain()

    async def _replies(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, called: asyncio.Event) -> None:
        while data := await reader.read(PIECE):
            await self._flows.wait()
            if self.to_lose and called.is_set():
                self.to_lose -= 1
                self.lost += 1
                return
            called.clear()
            writer.write(data)
            await writer.drain()


def _abort(writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        writer.transport.abort()
