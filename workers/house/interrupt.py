"""Ends work on SIGINT, SIGTERM or SIGHUP: once in good order, a second time at once."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine
from typing import Final, TypeVar

T = TypeVar("T")

ENDING: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class InterruptedBySignalError(Exception):
    """The work was ended by a signal, and everything has been cleared away."""

    def __init__(self, number: signal.Signals) -> None:
        super().__init__(f"ended by {number.name}")
        self.exit_code = 128 + number


async def until_signal(work: Coroutine[None, None, T], noticed: Callable[[signal.Signals], None]) -> T:
    """Return what `work` returns; every signal that asks to end cancels it, and is told to `noticed` first.

    Raises:
        InterruptedBySignalError: a signal came and `work` ended by it.

    """
    loop, task, caught = asyncio.get_running_loop(), asyncio.ensure_future(work), list[signal.Signals]()

    def end(number: signal.Signals) -> None:
        caught.append(number)
        noticed(number)
        task.cancel()

    for number in ENDING:
        loop.add_signal_handler(number, end, number)
    try:
        return await task
    except asyncio.CancelledError:
        if caught:
            raise InterruptedBySignalError(caught[0]) from None
        raise
    finally:
        for number in ENDING:
            loop.remove_signal_handler(number)


def run_until_signal(work: Coroutine[None, None, T], noticed: Callable[[signal.Signals], None]) -> T:
    """Run `work` in a loop of its own until it returns or a signal ends it; `noticed` is told of every signal.

    Raises:
        InterruptedBySignalError: a signal came and `work` ended by it.

    """
    return asyncio.run(until_signal(work, noticed))
