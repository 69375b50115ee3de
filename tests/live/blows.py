"""What ends a referee process in the middle of a match, and the exit code that it ends with."""

import signal
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import pytest

from ladder.store import Store
from tests.live.process import Process
from tests.patience import until

Blow = Callable[[Store, Process], Awaitable[int]]


async def struck(number: signal.Signals, _store: Store, referee: Process) -> int:
    """Send it a signal; returns its exit code."""
    referee.send(number)
    return await referee.ended()


async def frozen(store: Store, referee: Process) -> int:
    """Stop it until its beat has run out, and let it go on; returns its exit code."""
    referee.send(signal.SIGSTOP)
    await until(lambda: referee.incarnation not in store.matches.referees())
    referee.send(signal.SIGCONT)
    return await referee.ended()


BLOWS: Final = (
    pytest.param(partial(struck, signal.SIGKILL), -signal.SIGKILL, id="kill -9"),
    pytest.param(partial(struck, signal.SIGTERM), 0, id="SIGTERM"),
    pytest.param(frozen, 75, id="frozen for longer than its beat", marks=pytest.mark.thorough),
)
