"""A process that ends between two steps: writes to the store, each of those that are sent together, and rings."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import pytest

from ladder.store.call import Call
from tests.workers.house import House
from workers.due import Job

NEVER: Final = 2**63
"""Of steps: nobody dies."""


class KilledError(BaseException):
    """Stands for the end of the process: no `except Exception` holds it up."""


class Killer:
    """Ends one process of a house, once, before its next step after so many. Whoever works afterwards lives."""

    def __init__(self, house: House, monkeypatch: pytest.MonkeyPatch, steps: int) -> None:
        self.steps: list[str] = []
        """What was done until then."""
        self.killed = False
        self._doing = ""
        self._at = steps
        self._works = True
        link, bell = house.store.link, house.bell
        self._run, self._run_all, self._ring = link.run, link.run_all, bell.ring
        monkeypatch.setattr(link, "run", self._one)
        monkeypatch.setattr(link, "run_all", self._several)
        monkeypatch.setattr(bell, "ring", self._rung)

    def work(self, doing: str, act: Callable[[], object]) -> None:
        """Let a process do something, as far as it comes; the steps of everybody else are not counted."""
        self._works, self._doing = True, doing
        try:
            act()
        except KilledError:
            pass
        finally:
            self._works = False
            if self.killed:
                self._at = NEVER

    def rest(self) -> None:
        """Count no steps but those in `work`."""
        self._works = False

    def _step(self, what: str) -> None:
        if not self._works:
            return
        if len(self.steps) == self._at:
            self.killed = True
            raise KilledError  # again and again: what is dead writes nothing while it is cleared away
        if not self.killed:
            self.steps.append(f"{self._doing}: {what}")

    def _one(self, call: Call) -> object:
        self._step(call.script.name)
        return self._run(call)

    def _several(self, calls: Sequence[Call]) -> object:
        return [reply for call in calls for reply in self._next(call)]

    def _next(self, call: Call) -> Sequence[object]:
        self._step(call.script.name)
        return self._run_all([call])

    def _rung(self, job: Job) -> None:
        self._step(f"ring {job.task}")
        self._ring(job)


def killed_at(house: House, monkeypatch: pytest.MonkeyPatch, writes: int) -> Killer:
    """Let the process end before its next step after so many."""
    return Killer(house, monkeypatch, writes)
