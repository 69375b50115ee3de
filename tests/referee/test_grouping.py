"""Groups of log entries: alone at once, in a crowd when messages are full, and never late for ever."""

import asyncio

import pytest

from referee.hosting.grouping import CROWD, FULL, Grouping

BOTS = 4
TURNS = 3


class Groups:
    """What was written, group by group."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.grouping = Grouping(self._flush, lambda: BOTS)
        self._marked = 0
        self._flushed = asyncio.Event()

    def _flush(self) -> None:
        self.sizes.append(self._marked)
        self._marked = 0
        self._flushed.set()

    def mark(self, times: int) -> None:
        """Mark so often, as a referee does for every answer."""
        for _ in range(times):
            self._marked += 1
            self.grouping.size += 1
            self.grouping.due()

    async def turns(self) -> list[int]:
        """Let the loop turn a few times, which takes no time; return the groups so far."""
        for _ in range(TURNS):
            await asyncio.sleep(0)
        return self.sizes

    async def next(self) -> list[int]:
        """Wait for a group; return all."""
        self._flushed.clear()
        await self._flushed.wait()
        return self.sizes


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> Groups:
    """Groups that would wait for an hour to fill."""
    monkeypatch.setattr("referee.hosting.grouping.LINGER_S", 3600.0)
    return Groups()


async def test_a_few_answers_are_written_at_the_end_of_the_loop_turn() -> None:
    """Nobody waits where waiting would gather nothing."""
    groups = Groups()
    groups.mark(CROWD - 1)
    assert await groups.turns() == [CROWD - 1]
    groups.mark(1)
    assert await groups.turns() == [CROWD - 1, 1]


async def test_after_a_crowd_the_next_group_waits(patient: Groups) -> None:
    """A single answer is not written at once."""
    patient.mark(CROWD)
    assert await patient.turns() == [CROWD]
    patient.mark(1)
    assert await patient.turns() == [CROWD]


async def test_who_waited_leaves_by_itself() -> None:
    """With everything that came until then; what follows a small group does not wait."""
    groups = Groups()
    groups.mark(CROWD)
    await groups.turns()
    groups.mark(1)
    groups.mark(2)
    assert await groups.next() == [CROWD, 3]
    groups.mark(1)
    assert await groups.turns() == [CROWD, 3, 1]


async def test_a_full_group_waits_no_longer(patient: Groups) -> None:
    """As soon as the messages of all bots are full it leaves, once."""
    groups = patient
    groups.mark(CROWD)
    await groups.turns()
    groups.mark(FULL * BOTS - 1)
    assert await groups.turns() == [CROWD]
    groups.mark(1)
    assert await groups.turns() == [CROWD, FULL * BOTS]
    groups.mark(FULL * BOTS)
    assert await groups.turns() == [CROWD, FULL * BOTS, FULL * BOTS]


async def test_what_is_full_when_the_one_before_is_written_leaves_at_once(patient: Groups) -> None:
    """What gathered while a group was under way counts."""
    groups = patient
    groups.mark(CROWD)
    await groups.turns()
    groups.grouping.size = FULL * BOTS
    groups.mark(1)
    assert await groups.turns() == [CROWD, 1]
