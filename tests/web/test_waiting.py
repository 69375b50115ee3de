"""What takes long is done for one request after the other, and no endless number of them waits for it."""

from __future__ import annotations

import asyncio

import pytest

from ladder.web.waiting import MOST_WAITING, BusyError, WaitingRoom


async def test_one_is_inside_so_many_wait_and_the_next_one_is_told() -> None:
    """Who was refused takes nobody's place, and there is room again when somebody has left or waits no longer."""
    room, leave, order = WaitingRoom("something is done for others"), asyncio.Event(), list[int]()

    async def come(number: int) -> None:
        async with room.turn():
            order.append(number)
            await leave.wait()

    async with asyncio.TaskGroup() as group:
        came = [group.create_task(come(number)) for number in range(MOST_WAITING + 1)]
        await asyncio.sleep(0)
        for _ in range(2):
            with pytest.raises(BusyError, match="something is done for others; come back in a moment"):
                await come(-1)
        assert order == [0]
        came[1].cancel()
        await asyncio.wait([came[1]])
        came.append(group.create_task(come(MOST_WAITING + 1)))
        leave.set()
    assert order == [0, *range(2, MOST_WAITING + 2)]
