"""Callers that wait for their refusal."""

import asyncio

from referee.door.hold import Hold


async def test_no_more_wait_than_there_is_room_for() -> None:
    """Further ones are refused at once, and who hangs up makes room."""
    hold = Hold(most=2)
    waiting = [asyncio.create_task(hold.wait()) for _ in range(2)]
    await asyncio.sleep(0)
    await asyncio.wait_for(hold.wait(), 0.5)
    assert not any(task.done() for task in waiting)
    waiting[0].cancel()
    await asyncio.gather(waiting[0], return_exceptions=True)
    next_one = asyncio.create_task(hold.wait())
    await asyncio.sleep(0)
    assert not next_one.done()
    for task in (waiting[1], next_one):
        task.cancel()
    await asyncio.gather(waiting[1], next_one, return_exceptions=True)
