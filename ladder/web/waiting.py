"""What takes long is done for one request after the other: so many others may wait for it; more of them are told."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from ladder.errors import NotReachableError

MOST_WAITING: Final = 32


class BusyError(NotReachableError):
    """What takes long is done for others, and the request was not to wait for them, or too many wait already."""

    def __init__(self, doing: str) -> None:
        super().__init__("BUSY", f"{doing}; come back in a moment")


class WaitingRoom:
    """Lets in one at a time, in the order in which they came.

    Args:
        doing: what is done for others meanwhile, as who cannot wait for them is told.
    """

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self._inside = asyncio.Lock()
        self._here = 0

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Wait, and be the only one inside.

        Raises:
            BusyError: so many wait already.
        """
        if self._here > MOST_WAITING:
            raise BusyError(self._doing)
        self._here += 1
        try:
            async with self._inside:
                yield
        finally:
            self._here -= 1
