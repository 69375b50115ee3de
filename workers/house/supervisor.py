"""Runs the processes of the house on one machine: starts, watches, restarts and stops them, and leaves none behind."""

from __future__ import annotations

import asyncio
import itertools
import signal
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from lastcard.errors import ExitCode, LastcardError
from lastcard.waiting import happens
from workers.house.child import Child, NotReadyError
from workers.house.logs import USUAL, Bounds
from workers.house.part import LAPSED, Part
from workers.house.restarts import MOST, Restarts

Say = Callable[[str], None]
Reaped = Callable[[Part, Mapping[str, str]], Awaitable[None]]
"""Told of a process that had been ready and has ended, with what its READY line said."""

FULL: Final = "the disk is full"
HINTS: Mapping[str, str] = {
    "No space left on device": FULL,
    "Short write while writing to the AOF": FULL,
    "Address already in use": "its port is taken",
    "Can't open the append-only": "its folder cannot be written",
}
"""What a last line means, in words for a person."""
LAST_WORDS: Final = 2
"""Lines: those of a process that has ended."""


HOPELESS: Final = f", {MOST} times with too little work in between: everything is stopped"
"""What follows for a process that is not started once more."""


class PartFailedError(LastcardError):
    """A process ended and is not started again; the text says which, why, and what it wrote last."""

    def __init__(self, message: str) -> None:
        super().__init__("PART_FAILED", message)


async def nothing(_part: Part, _addresses: Mapping[str, str]) -> None:
    """Do nothing about a process that has ended."""


def account(child: Child, what: str, lines: int = 12) -> str:
    """Return the story of a failed process for a person: how it ended, what that means, what it wrote last."""
    tail = child.tail(lines)
    meaning = hint_of(tail)
    words = "".join(f"\n    {line.rstrip()}" for line in tail) or " nothing"
    return f"{child.part.name} {what}{f': {meaning}' if meaning else ''}. It wrote last ({child.log}):{words}"


def hint_of(lines: Sequence[str]) -> str:
    """Return what these last lines mean; empty: nothing that is known."""
    return next((hint for mark, hint in HINTS.items() if any(mark in line for line in lines)), "")


def not_started(part: Part, error: OSError) -> str:
    """Return why a process could not even be started: its log cannot be opened, the machine is full."""
    where = f" ({error.filename})" if error.filename else ""
    return f"{part.name} could not be started: {error.strerror or error}{where}"


def ended_with(code: int) -> str:
    """Return how a process ended, in words."""
    if code < 0:
        names = {number.value: number.name for number in signal.Signals}
        return f"was ended by {names.get(-code, f'signal {-code}')}"
    return f"ended with exit code {code}"


class Supervisor:
    """The processes of one house. Use it as an async context manager: leaving it stops all of them, in order.

    When a process fails for good, the body is cancelled and leaving raises `PartFailedError`. Cancelling while it stops
    kills what is left at once.
    """

    def __init__(self, logs: Path, say: Say, reaped: Reaped = nothing, bounds: Bounds = USUAL) -> None:
        self._logs, self._say, self._reaped, self._bounds = logs, say, reaped, bounds
        self._children: dict[str, Child] = {}
        self._keepers = asyncio.TaskGroup()
        self._stopping = asyncio.Event()
        self._unread: set[int] = set()
        self._failure: str | None = None
        self._body: asyncio.Task[object] | None = None

    async def __aenter__(self) -> Self:
        self._body = asyncio.current_task()
        await self._keepers.__aenter__()
        self._keepers.create_task(self._trim(), name="logs")
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()
        try:
            await self._stop()
        finally:
            for child in self._children.values():
                child.kill()
            await asyncio.gather(*(child.ended() for child in self._children.values()))
            await self._keepers.__aexit__(None, None, None)
        if self._failure is not None and self._body is not None:
            self._body.uncancel()
            raise PartFailedError(self._failure) from None

    @property
    def children(self) -> Mapping[str, Child]:
        """The processes that run now, by name."""
        return self._children

    async def start(self, part: Part) -> Mapping[str, str]:
        """Start a process and keep it running; returns its addresses when it is ready for the first time.

        Raises:
            PartFailedError: it did not become ready.

        """
        assert part.name not in self._children, f"{part.name} runs already"
        try:
            child = await self._launch(part)
        except OSError as error:
            raise PartFailedError(not_started(part, error)) from error
        try:
            addresses = await child.ready()
        except NotReadyError as error:
            how = str(error) if child.exit_code is None else f"{ended_with(child.exit_code)} before it was ready"
            await child.stop()
            raise PartFailedError(account(child, how)) from None
        self._keepers.create_task(self._keep(child), name=part.name)
        return addresses

    async def start_all(self, *parts: Part) -> list[Mapping[str, str]]:
        """Start processes together; returns their addresses in the same order.

        Raises:
            PartFailedError: one of them did not become ready.

        """
        try:
            async with asyncio.TaskGroup() as starting:
                tasks = [starting.create_task(self.start(part)) for part in parts]
            return [task.result() for task in tasks]
        except* PartFailedError as failed:
            first = failed.exceptions[0]  # Python 3.11.2 makes a group of what is raised in here
        raise first from None

    async def _launch(self, part: Part) -> Child:
        child = self._children[part.name] = await Child.start(part, self._logs, self._bounds)
        return child

    async def _trim(self) -> None:
        """Keep the logs within bounds; a disk that does not take what is to be kept is said once, and tried again."""
        refused = ""
        while not await happens(self._stopping, self._bounds.look_s):
            for child in tuple(self._children.values()):
                self._miss(child)
                try:
                    await asyncio.to_thread(child.trim, self._bounds)
                except OSError as error:
                    if refused != (refused := error.strerror or str(error)):
                        self._say(f"the log {child.log} grows on, it cannot be set aside: {refused}.")

    def _miss(self, child: Child) -> None:
        """Say once of a process whose log was removed that it is not read any more; its next start makes a new one."""
        if child.pid not in self._unread and child.exit_code is None and not child.log_is_there:
            self._unread.add(child.pid)
            name = child.part.name
            self._say(f"the log {child.log} was removed: {name} gets a new one when it is started again.")

    async def _keep(self, child: Child) -> None:
        """Watch a ready process; start it again whenever it ends, until the house stops or it is hopeless."""
        part, restarts, since = child.part, Restarts(), time.monotonic()
        while True:
            code = await child.ended()
            await self._reap(child)
            if self._stopping.is_set():
                return
            if code in part.done:
                self._children.pop(part.name)
                self._say(
                    f"{account(child, ended_with(code), LAST_WORDS)}\n  It is not started again; all else goes on."
                )
                return
            lapsed = code == LAPSED and child.addresses is not None
            if code == ExitCode.UNREACHABLE:
                restarts = restarts.without_store(ready=child.addresses is not None)
            elif not lapsed:
                restarts = restarts.after(None if child.addresses is None else time.monotonic() - since)
            waits = hint_of(child.tail(LAST_WORDS)) == FULL  # it works as soon as somebody has made room
            if (restarts.hopeless and not waits) or not part.restarts:
                self._fail(account(child, f"{ended_with(code)}{HOPELESS if part.restarts else ''}"))
                return
            if await self._pause(child, code, 0.0 if lapsed else restarts.delay_s):
                return
            again, restarts = await self._again(part, restarts)
            if again is None:
                return
            child, since = again, time.monotonic()

    async def _reap(self, child: Child) -> None:
        if child.addresses is not None:
            await self._reaped(child.part, child.addresses)

    async def _pause(self, child: Child, code: int, delay_s: float) -> bool:
        """Say what happened and wait for the next start; returns whether the house stops meanwhile."""
        self._say(
            f"{account(child, ended_with(code), LAST_WORDS)}\n  {child.part.name} is started again in {delay_s:g} s."
        )
        return await happens(self._stopping, delay_s)

    async def _again(self, part: Part, restarts: Restarts) -> tuple[Child | None, Restarts]:
        """Start a process again; each time that it cannot be counts as a crash. None: there is no next time."""
        while True:
            try:
                return await self._relaunched(part), restarts
            except OSError as error:
                restarts, story = restarts.after(None), not_started(part, error)
            if restarts.hopeless:
                self._fail(f"{story}{HOPELESS}")
                return None, restarts
            self._say(f"{story}; that is tried again in {restarts.delay_s:g} s.")
            if await happens(self._stopping, restarts.delay_s):
                return None, restarts

    async def _relaunched(self, part: Part) -> Child:
        """Start a process again; one that does not become ready is ended, and counts as a crash."""
        child = await self._launch(part)
        if self._stopping.is_set():
            child.kill()
        try:
            await child.ready()
            self._say(f"{part.name} runs again.")
        except NotReadyError:
            await child.stop()
        return child

    def _fail(self, story: str) -> None:
        if self._failure is None:
            self._failure = story
            if self._body is not None:
                self._body.cancel()

    async def _stop(self) -> None:
        """Stop all processes in the order of their stages; nothing stops before those who write to it."""
        ordered = sorted(self._children.values(), key=lambda child: child.part.stage)
        for _, together in itertools.groupby(ordered, key=lambda child: child.part.stage // 10):
            await asyncio.gather(*(child.stop() for child in together))
