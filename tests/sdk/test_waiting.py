"""Waiting for an event, but not for ever."""

from __future__ import annotations

import asyncio

from lastcard.waiting import happens


async def test_what_has_happened_is_not_waited_for() -> None:
    """Also where there is no time left."""
    event = asyncio.Event()
    event.set()
    assert await happens(event, 0)


async def test_what_does_not_happen_in_time_is_given_up() -> None:
    """And nothing is raised."""
    assert not await happens(asyncio.Event(), 0)


async def test_what_happens_meanwhile_ends_the_wait() -> None:
    """Long before the time is over."""
    event = asyncio.Event()
    asyncio.get_running_loop().call_soon(event.set)
    assert await happens(event, 3_600)
