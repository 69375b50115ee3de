"""What a run under fire stands on, so that what is found is the referee's fault and not the machine's."""

import asyncio
from pathlib import Path

import pytest

from tests.chaos.parts import StoreProcess
from tests.chaos.wire import tell_delays


def test_nobody_is_given_the_port_of_a_store_that_is_away(tmp_path: Path) -> None:
    """It lies below those of outgoing connections: what dials a dead store is not connected to itself."""
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text("ascii").split()[0])
    assert StoreProcess(tmp_path).port < lowest


async def test_what_this_process_was_late_is_allowed_for() -> None:
    """Bots and proxies live in it: while it has no turn, their clocks run. The longest delay counts."""
    now, delays = 0.0, iter((0.0, 0.5, 0.25, 1.5))
    told: list[float] = []

    async def sleep(seconds: float) -> None:
        nonlocal now
        delay = next(delays, None)
        if delay is None:
            raise asyncio.CancelledError
        now += seconds + delay

    with pytest.raises(asyncio.CancelledError):
        await tell_delays(lambda: now, sleep, told.append)
    assert told == [pytest.approx(0.5), pytest.approx(1.5)]
