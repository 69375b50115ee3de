"""Where callers that ask too often wait for their refusal: who waits cannot ask as fast as it can be refused."""

import asyncio
from typing import Final

HELD_S: Final = 1.0
MOST_HELD: Final = 512
SPREAD: Final = 64
"""Who came together does not go together: so many parts of that time lie between."""


class Hold:
    """A bounded number of callers that wait for one to two seconds; others do not wait at all."""

    def __init__(self, most: int = MOST_HELD) -> None:
        self._most = most
        self._held = 0

    async def wait(self) -> None:
        """Return after a while, or at once where too many wait already."""
        if self._held >= self._most:
            return
        self._held += 1
        try:
            await asyncio.sleep(HELD_S * (1 + self._held % SPREAD / SPREAD))
        finally:
            self._held -= 1
