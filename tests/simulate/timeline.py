"""Virtual time: everything that will happen, in one order, whoever it happens to."""

import asyncio
import heapq
from collections.abc import Callable
from typing import Final, Protocol, TypeAlias

STEP_S: Final = 20e-6
"""Processor time that one step of a process takes."""


class Owner(Protocol):
    """Whose step it is: a process, which may be dead, frozen or busy."""

    dead: bool
    frozen: bool
    busy_until: float

    def backlog(self, step: "Step") -> None:
        """Keep a step until the thaw."""

    def perform(self, step: "Step") -> None:
        """Do a step."""


class Event:
    """Something that happens to nobody's event loop: a delivery, a fault, a move of a bot."""

    __slots__ = ("_action", "_off")

    def __init__(self, action: Callable[[], object]) -> None:
        self._action = action
        self._off = False

    def cancel(self) -> None:
        """Have it not happen."""
        self._off = True

    def cancelled(self) -> bool:
        """Return whether it will not happen."""
        return self._off

    def _run(self) -> None:
        self._action()


Step: TypeAlias = Event | asyncio.Handle


def _when(entry: tuple[float, int, Step, Owner | None]) -> tuple[float, int]:
    return entry[:2]


class Timeline:
    """The only clock. `now` moves from step to step; nothing takes real time."""

    def __init__(self) -> None:
        self.now = 0.0
        self.steps = 0
        self._heap: list[tuple[float, int, Step, Owner | None]] = []
        self._number = 0

    def put(self, when: float, step: Step, owner: Owner | None = None) -> None:
        """Have a step done at a time; steps of one moment in the order in which they were put."""
        self._number += 1
        heapq.heappush(self._heap, (when, self._number, step, owner))

    def after(self, delay: float, action: Callable[[], object], owner: Owner | None = None) -> Event:
        """Have something happen after so many seconds."""
        event = Event(action)
        self.put(self.now + delay, event, owner)
        return event

    def waiting(self, owner: Owner) -> list[Step]:
        """Return what an owner will still do, in order."""
        return [step for _, _, step, whose in sorted(self._heap, key=_when) if whose is owner]

    def run(self, until: Callable[[], bool], limit: float) -> bool:
        """Let time pass until the condition holds; returns False when the limit came first."""
        heap = self._heap
        while heap and not until():
            when, number, step, owner = heapq.heappop(heap)
            if when > limit:
                heapq.heappush(heap, (when, number, step, owner))
                return False
            self._do(when, number, step, owner)
        return until()

    def _do(self, when: float, number: int, step: Step, owner: Owner | None) -> None:
        if step.cancelled() or (owner is not None and owner.dead):
            return
        self.now = max(self.now, when)
        if owner is None:
            step._run()
        elif owner.frozen:
            owner.backlog(step)
        elif owner.busy_until > self.now:
            heapq.heappush(self._heap, (owner.busy_until, number, step, owner))
            return
        else:
            owner.busy_until = self.now + STEP_S
            owner.perform(step)
        self.steps += 1
