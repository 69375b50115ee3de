"""Ends work on SIGINT, SIGTERM or SIGHUP: once in good order, a second time at once.

A SIGHUP that is ignored, as `nohup` has it, goes on being ignored: the work is to outlive its terminal.
"""

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
    """Return what `work` returns; every signal that asks to end cancels it, and is told to `noticed`.

    Raises:
        InterruptedBySignalError: a signal came and `work` ended by it.

    """
    loop, task, caught = asyncio.get_running_loop(), asyncio.ensure_future(work), list[signal.Signals]()

    def end(number: signal.Signals) -> None:
        caught.append(number)
        task.cancel()  # first of all: whatever becomes of what is said, it ends
        noticed(number)

    numbers = [number for number in ENDING if number is not signal.SIGHUP or not _ignored(number)]
    for number in numbers:
        loop.add_signal_handler(number, end, number)
    try:
        return await task
    except asyncio.CancelledError:
        if caught:
            raise InterruptedBySignalError(caught[0]) from None
        raise
    finally:
        for number in numbers:
            loop.remove_signal_handler(number)


def _ignored(number: signal.Signals) -> bool:
    return signal.getsignal(number) is signal.SIG_IGN


def run_until_signal(work: Coroutine[None, None, T], noticed: Callable[[signal.Signals], None]) -> T:
    """Run `work` in a loop of its own until it returns or a signal ends it; `noticed` is told of every signal.

    Raises:
        InterruptedBySignalError: a signal came and `work` ended by it.

    """
    return asyncio.run(until_signal(work, noticed))
