"""How often something may be done: so many a second, with a burst."""

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final

MOST_KEPT: Final = 10_000


class Quota:
    """One allowance that fills up again; for whoever it is that it belongs to."""

    __slots__ = ("_burst", "_left", "_per_s", "_since")

    def __init__(self, per_s: float, burst: int, now: float) -> None:
        self._per_s = per_s
        self._burst = float(burst)
        self._left = float(burst)
        self._since = now

    def spend(self, now: float, count: int = 1) -> bool:
        """Take so many; returns False, and takes nothing, where fewer are left."""
        self._left = min(self._burst, self._left + (now - self._since) * self._per_s)
        self._since = now
        if self._left < count:
            return False
        self._left -= count
        return True


class Quotas:
    """An allowance for each of many; those used longest ago are forgotten first, so that memory is bounded."""

    def __init__(self, per_s: float, burst: int, most: int = MOST_KEPT) -> None:
        self._per_s = per_s
        self._burst = burst
        self._most = most
        self._kept: OrderedDict[Hashable, Quota] = OrderedDict()

    def spend(self, key: Hashable, now: float, count: int = 1) -> bool:
        """Take so many of this key's; returns False, and takes nothing, where fewer are left."""
        quota = self._kept.get(key)
        if quota is None:
            quota = self._kept[key] = Quota(self._per_s, self._burst, now)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return quota.spend(now, count)
