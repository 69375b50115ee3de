"""Strikes: so many bad tries a minute, then a while outside."""

from __future__ import annotations

import time
from collections import OrderedDict, deque
from collections.abc import Callable

MOST_PEERS = 10_000


class Strikes:
    """Counts what each peer did wrong in a sliding window; too many put it out for a while."""

    def __init__(
        self,
        limit: int = 10,
        window_s: float = 60.0,
        penalty_s: float = 60.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.limit = limit
        self.window_s = window_s
        self.penalty_s = penalty_s
        self._clock = clock
        self._recent: OrderedDict[str, deque[float]] = OrderedDict()
        self._until: OrderedDict[str, float] = OrderedDict()

    def add(self, peer: str) -> bool:
        """Note one bad try; the last one that the window holds puts the peer out. Returns whether this one did."""
        now = self._clock()
        recent = self._recent.setdefault(peer, deque(maxlen=self.limit))
        self._recent.move_to_end(peer)
        recent.append(now)
        full = len(recent) == self.limit and now - recent[0] <= self.window_s
        if full:
            self._put_out(peer, now + self.penalty_s)
        _trim(self._recent)
        return full

    def out(self, peer: str) -> bool:
        """Return whether the peer is out at this moment."""
        return self.left_s(peer) > 0

    def left_s(self, peer: str) -> float:
        """Return for how many seconds more the peer is out; 0 if it is not."""
        left = self._until.get(peer, 0.0) - self._clock()
        if left <= 0:
            self._until.pop(peer, None)
            return 0.0
        return left

    def _put_out(self, peer: str, until: float) -> None:
        self._until[peer] = until
        self._recent.pop(peer, None)
        _trim(self._until)


def _trim(peers: OrderedDict[str, deque[float]] | OrderedDict[str, float]) -> None:
    while len(peers) > MOST_PEERS:
        peers.popitem(last=False)
