"""Watches the heads of the logs: how far the matches are, and how long they stand still when their referee is gone."""

import asyncio
from collections import defaultdict
from collections.abc import Iterable
from typing import Final, cast

from ladder.store.client import Link
from ladder.store.errors import StoreError
from ladder.store.keys import Keys

LOOK_S: Final = 0.02
OVER: Final = frozenset({b"closed", b"void", b"parked"})


def percentile(values: list[float], share: float) -> float:
    """Return the value below which this share of them lies; 0.0 of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))] if ordered else 0.0


class Watch:
    """What the store says of the matches, looked at every 20 ms.

    Attributes:
        open: matches that are not over.
        entries: acts and claims that the logs have, in all.
        resumed: by blow, seconds from it to the first act that somebody else logged.
    """

    def __init__(self, url: str, keys: Keys) -> None:
        self._link = Link(url, role="watch", retries=0)
        self._keys = keys
        self._heads: dict[str, tuple[int, int]] = {}
        self._owners: dict[str, str] = {}
        self._struck: dict[str, tuple[float, int, str]] = {}
        self.open: dict[str, None] = {}
        self.over: set[str] = set()
        self.entries = 0
        self.resumed: dict[str, list[float]] = defaultdict(list)

    def add(self, matches: Iterable[str]) -> None:
        """Watch further matches."""
        self.open.update(dict.fromkeys(matches))

    def hosted(self, incarnation: str) -> list[str]:
        """Return the matches of a referee that had begun when they were last looked at."""
        return [match for match, owner in self._owners.items() if owner == incarnation and match in self.open]

    def strike(self, matches: Iterable[str], blow: str) -> None:
        """Note that the referee of these matches is hit now."""
        now = asyncio.get_running_loop().time()
        for match in matches:
            self._struck[match] = (now, self._heads.get(match, (0, 0))[0], blow)

    @property
    def waits(self) -> bool:
        """Whether a match of a lost referee does not go on yet."""
        return bool(self._struck)

    async def run(self) -> None:
        """Look until cancelled."""
        while True:
            await asyncio.sleep(LOOK_S)
            matches = list(self.open)
            try:
                replies = await asyncio.to_thread(self._look, matches)
            except StoreError:
                continue
            for match, head, row in zip(matches, replies[::2], replies[1::2], strict=True):
                if isinstance(head, bytes) and isinstance(row, list):
                    self._take(match, head, row)

    def _look(self, matches: list[str]) -> list[object]:
        return self._link.read_all(
            [
                command
                for match in matches
                for command in (["GET", self._keys.head(match)], ["HMGET", self._keys.match(match), "state", "owner"])
            ]
        )

    def _take(self, match: str, head: bytes, row: list[object]) -> None:
        epoch, seq = map(int, head.split(b"-")[:2])
        before = self._heads.get(match, (0, 0))
        self.entries += seq - before[1] if epoch == before[0] else seq + 1
        self._heads[match] = (epoch, seq)
        state, owner = (cast("bytes | None", word) or b"" for word in row)
        self._owners[match] = owner.decode()
        over = state in OVER
        if match in self._struck:
            at, struck, blow = self._struck[match]
            if epoch > struck and seq:
                self.resumed[blow].append(asyncio.get_running_loop().time() - at)
            if over or (epoch > struck and seq):
                del self._struck[match]
        if over:
            self.open.pop(match, None)
            self.over.add(match)

    def close(self) -> None:
        """Look no more."""
        self._link.close()
