"""Waiting for something that may not come in time."""

import asyncio


async def happens(event: asyncio.Event, within_s: float) -> bool:
    """Wait until the event is set, but not longer than so many seconds; return whether it is."""
    try:
        async with asyncio.timeout(within_s):
            return await event.wait()
    except TimeoutError:
        return event.is_set()
