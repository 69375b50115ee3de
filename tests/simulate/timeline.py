"""Virtual time: everything that will happen, in one order, whoever it happens to."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import Final, Protocol, TypeAlias

STEP_S: Final = 20e-6
"""Processor time that one step of a process takes."""


@dataclass(frozen=True, slots=True, order=True)
class Callback:
    """A step of a real event loop, and the processor time that it took here, in ms."""

    cpu_ms: float = 0.0
    name: str = ""

    def __str__(self) -> str:
        return f"{self.cpu_ms:.1f} ms in {self.name}" if self.name else "none"


class Owner(Protocol):
    """Whose step it is: a process, which may be dead, frozen or busy."""

    dead: bool
    frozen: bool
    busy_until: float

    def backlog(self, step: "Step") -> None:
        """Keep a step until the thaw."""

    def enter(self) -> None:
        """Be the process whose steps are done, until `leave`."""

    def leave(self) -> None:
        """Be it no more."""

    def perform(self, step: "Step") -> None:
        """Do a step."""


class Event:
    """Something that happens to nobody's event loop: a delivery, a fault, a move of a bot."""

    __slots__ = ("_cancelled", "_run")

    def __init__(self, action: Callable[[], object]) -> None:
        self._run = action
        self._cancelled = False

    def cancel(self) -> None:
        """Have it not happen."""
        self._cancelled = True


Step: TypeAlias = Event | asyncio.Handle


def _when(entry: tuple[float, int, Step, Owner | None]) -> tuple[float, int]:
    return entry[:2]


class Timeline:
    """The only clock. `now` moves from step to step; nothing takes real time.

    Attributes:
        inside: whose steps are done, until one of another owner is.
        slowest: what kept a loop of a process longest; None: nobody looks. What a process does beside its loop, which
            runs in threads and is events here, is not in it.
    """

    timed = False
    """Whether timelines that are made look."""

    def __init__(self) -> None:
        self.inside: Owner | None = None
        self.slowest = Callback() if self.timed else None
        self.now = 0.0
        self._heap: list[tuple[float, int, Step, Owner | None]] = []
        self._number = 0

    def put(self, when: float, step: Step, owner: Owner | None = None) -> None:
        """Have a step done at a time; steps of one moment in the order in which they were put."""
        self._number += 1
        heappush(self._heap, (when, self._number, step, owner))

    def after(self, delay: float, action: Callable[[], object], owner: Owner | None = None) -> Event:
        """Have something happen after so many seconds."""
        event = Event(action)
        self._number += 1
        heappush(self._heap, (self.now + delay, self._number, event, owner))
        return event

    def waiting(self, owner: Owner) -> list[Step]:
        """Return what an owner will still do, in order."""
        return [step for _, _, step, whose in sorted(self._heap, key=_when) if whose is owner]

    def run(self, until: Callable[[], object], limit: float) -> bool:
        """Let time pass until the condition holds; returns False when the limit came first."""
        try:
            return self._run(until, limit)
        finally:
            self.step_out()

    def step_out(self) -> None:
        """Be inside no process."""
        inside, self.inside = self.inside, None
        if inside is not None:
            inside.leave()

    def _run(self, until: Callable[[], object], limit: float) -> bool:
        heap = self._heap
        while heap and not until():
            when, number, step, owner = entry = heappop(heap)
            if when > limit:
                heappush(heap, entry)
                return False
            if step._cancelled or (owner is not None and owner.dead):
                continue
            self.now = max(self.now, when)
            if owner is None:
                step._run()
            elif owner.frozen:
                owner.backlog(step)
            elif owner.busy_until > self.now:
                heappush(heap, (owner.busy_until, number, step, owner))
            else:
                owner.busy_until = self.now + STEP_S
                if owner is not self.inside:
                    self.step_out()
                    owner.enter()
                    self.inside = owner
                if self.slowest is None or isinstance(step, Event):
                    owner.perform(step)
                else:
                    began = time.thread_time()
                    owner.perform(step)
                    took = Callback((time.thread_time() - began) * 1000, named(step))
                    self.slowest = max(self.slowest, took)
        return bool(until())


def named(step: asyncio.Handle) -> str:
    """Return the name of what a loop calls: the coroutine of a task, or a function."""
    called = step._callback  # type: ignore[attr-defined]
    task = getattr(called, "__self__", None)
    what = task.get_coro() if isinstance(task, asyncio.Task) else called
    return str(getattr(what, "__qualname__", what))
