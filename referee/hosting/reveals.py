"""When a referee shows what was secret."""

import math
from collections.abc import Callable
from typing import Final

from ladder.store.reveals import Reveals

REVEAL_S: Final = 1.0
"""Between two looks at what waits to be shown."""
ADOPT_S: Final = 3_600.0
"""Between two looks at all that may wait, on the list or not: an older release beside this one has none."""


class Showing:
    """What is to be done next, by the clock of whoever asks; nothing is due twice unless it failed."""

    def __init__(self, reveals: Reveals) -> None:
        self._reveals = reveals
        self._looked_s = self._adopted_s = -math.inf

    def due(self, now_s: float) -> Callable[[], int] | None:
        """Return what is to be called now, in a thread that may wait for the store; None: nothing."""
        if now_s - self._looked_s <= REVEAL_S:
            return None
        self._looked_s = now_s
        return self._reveals.carry_out if now_s - self._adopted_s <= ADOPT_S else lambda: self._adopt(now_s)

    def _adopt(self, now_s: float) -> int:
        shown = self._reveals.adopt()
        self._adopted_s = now_s
        return shown
