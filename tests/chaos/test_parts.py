"""What a run under fire stands on, so that what is found is the referee's fault and not the machine's."""

import asyncio
import time
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from tests.chaos.house import LAG_MS, House
from tests.chaos.parts import StoreProcess
from tests.chaos.wire import Wall
from tests.patience import until


@pytest.mark.needs("redis-server")
def test_nobody_is_given_the_port_of_a_store_that_is_away(tmp_path: Path) -> None:
    """It lies below those of outgoing connections: what dials a dead store is not connected to itself."""
    lowest = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text("ascii").split()[0])
    assert StoreProcess(tmp_path).port < lowest


async def test_what_this_process_was_late_is_allowed_for() -> None:
    """Bots and proxies live in it: while it has no turn, their clocks run."""
    house = SimpleNamespace(timeline=Wall(), lag_ms=LAG_MS)
    noticing = asyncio.create_task(House._notice_delay(cast("House", house)))
    await asyncio.sleep(0)
    time.sleep(0.5)  # noqa: ASYNC251  (a machine that is busy elsewhere)
    await until(lambda: house.lag_ms >= LAG_MS + 400)
    noticing.cancel()
