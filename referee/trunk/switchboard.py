"""All trunks of a referee: who is there, who dials whom, who may speak."""

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from math import inf
from typing import Final, Protocol, TypeVar

from ladder.store.logs import logger
from lastcard.address import Address
from lastcard.errors import InputError
from referee.hosting.host import Host
from referee.metrics import Metrics
from referee.trunk.handshake import Handshake
from referee.trunk.line import Line, LineLostError
from referee.trunk.link import Link
from referee.trunk.lodging import Lodging

FLUSH_S: Final = 0.5
LOOK_S: Final = 2.0
T = TypeVar("T")

log = logger("referee.trunk")


class Carrier(Protocol):
    """The network that trunks run over."""

    async def listen(self, accept: Callable[[Line], Awaitable[None]]) -> Address:
        """Take the port of the trunk; what dials in goes to `accept`, which may raise LineLostError to refuse it.

        Returns what others dial.
        """

    def dial(self, address: str) -> AbstractAsyncContextManager[Line]:
        """Open a stream to another referee. Raises LineLostError."""

    async def close(self) -> None:
        """Let nobody in any more."""


class Switchboard:
    """The trunks of this referee.

    Args:
        handshake: who this referee is, and how it proves it.

    Attributes:
        links: by incarnation.
        group: what the trunks that are dialled run in; None: nobody is dialled.
    """

    def __init__(self, carrier: Carrier, host: Host, lodging: Lodging, metrics: Metrics, handshake: Handshake) -> None:
        self._carrier = carrier
        self._host = host
        self._lodging = lodging
        self._metrics = metrics
        self._handshake = handshake
        self._alive: frozenset[str] = frozenset()
        self.group: asyncio.TaskGroup | None = None
        self._dialling: dict[str, asyncio.Task[None]] = {}
        self._refused: set[str] = set()
        self._looked = asyncio.Event()
        self.links: dict[str, Link] = {}
        self.closing = False

    def home(self, name: str) -> Link | None:
        """Return the trunk to a referee that answers."""
        link = self.links.get(name)
        return None if link is None or link.silent else link

    @property
    def whole(self) -> bool:
        """Whether every other referee that lives can be reached."""
        return all(name == self._handshake.me or self.home(name) is not None for name in self._alive)

    @property
    def told_until(self) -> float:
        """Loop time up to which all is here that those had to say who can be reached."""
        return min((link.told_until for link in self.links.values() if not link.silent), default=inf)

    def prove(self) -> None:
        """Ask them for a sign."""
        for link in self.links.values():
            if not link.silent:
                link.prove()

    async def listen(self) -> Address:
        """Take the port; returns what others dial.

        Raises:
            InputError: it is taken.
        """
        return await self._carrier.listen(self._accept)

    def meet(self, beats: Mapping[str, Mapping[str, object]]) -> None:
        """Dial who is new and is ours to dial, and drop who does not beat any more."""
        self._alive = frozenset(beats)
        self._refused &= self._alive
        self._looked.set()
        for name in [name for name in self.links if name not in beats]:
            log.info("trunk_dropped", peer=name, why="it does not beat any more")
            self.links[name].cut()
        self._dialling = {name: task for name, task in self._dialling.items() if not task.done()}
        if self.closing or self.group is None:
            return
        for name, said in beats.items():
            address = said.get("trunk")
            ours = isinstance(address, str) and self._handshake.me < name
            if ours and name not in self.links and name not in self._dialling and not said.get("draining"):
                self._dialling[name] = self.group.create_task(self._dial(name, str(address)), name=f"trunk to {name}")

    async def close(self) -> None:
        """Say what is still to be said, then end every trunk."""
        self.closing = True
        deadline = self._host.clock() + FLUSH_S
        while any(not link.idle for link in self.links.values()) and self._host.clock() < deadline:  # noqa: ASYNC110  (a deadline, too)
            await asyncio.sleep(0.01)
        for link in list(self.links.values()):
            link.cut()
        for task in self._dialling.values():
            task.cancel()
        await asyncio.gather(*self._dialling.values(), return_exceptions=True)
        await self._carrier.close()

    # -- both ends

    async def _dial(self, name: str, address: str) -> None:
        try:
            async with self._carrier.dial(address) as line:
                await self._handshake.dial(line, name)
                await self._carry(name, line)
        except (LineLostError, InputError) as lost:
            if name not in self._refused:
                self._refused.add(name)
                log.warning("trunk_unreachable", peer=name, address=address, error=str(lost))
        except Exception as bug:  # of ours, in one trunk: it must not take the others along
            log.critical("trunk_crashed", peer=name, exc_info=bug)
        else:
            self._refused.discard(name)

    async def _accept(self, line: Line) -> None:
        """Serve a stream that another referee has dialled. Raises LineLostError where it is nobody who may."""
        try:
            name = await self._handshake.accept(line, self._living)
            await self._carry(name, line)
        except LineLostError as lost:
            log.warning("trunk_refused", error=str(lost))
            raise

    async def _living(self, name: str) -> None:
        """Make sure that somebody beats; who has just started is seen at the next look. Raises LineLostError."""
        if name not in self._alive:
            self._looked.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_S):
                    await self._looked.wait()
        if self.closing or name not in self._alive:
            raise LineLostError(f"{name} does not beat")

    async def _carry(self, name: str, line: Line) -> None:
        old = self.links.get(name)
        if old is not None:
            old.cut()
        link = self.links[name] = Link(name, line, self._host, self._lodging, self._metrics)
        self._metrics.trunk_links = len(self.links)
        log.info("trunk_open", peer=name)
        try:
            await link.run()
        finally:
            if self.links.get(name) is link:
                del self.links[name]
            self._metrics.trunk_links = len(self.links)
            log.info("trunk_closed", peer=name)
