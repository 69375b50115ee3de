"""How long tests wait for what must happen: long, since a machine may be slow and a wait that ends costs nothing."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Final

PATIENCE_S: Final = 120.0
PAUSE_S: Final = 0.02
"""Between two looks at what tells nobody."""


async def until(true: Callable[[], object], patience_s: float = PATIENCE_S, why: Callable[[], str] = str) -> None:
    """Wait until something is true that tells nobody.

    Raises:
        AssertionError: it is not true in time; `why` is called for what there is to say.

    """
    end = time.monotonic() + patience_s
    while not true():
        assert time.monotonic() < end, f"not within {patience_s} s\n{why()}"
        await asyncio.sleep(PAUSE_S)


def until_true(true: Callable[[], object], patience_s: float = PATIENCE_S, why: Callable[[], str] = str) -> None:
    """Wait as `until` does, where there is no loop."""
    asyncio.run(until(true, patience_s, why))
