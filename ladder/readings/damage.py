"""How much in the ledger cannot be read: looked for now and then among what is open, and kept of what was met."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Final

from ladder.readings.summaries import legible
from ladder.store.unread import UnreadRows

if TYPE_CHECKING:
    from ladder.readings.reads import Reads

KINDS: Final = (
    *("audit", "bot", "counter", "fit", "house games", "ladder", "link", "luck", "match", "report", "token"),
    *("tournament", "weights"),
)
"""What is counted."""
PERIOD_S: Final = 15.0
"""Between two looks."""


class Damage:
    """Counts entries of the ledger that this process cannot read, and looks at them until they are mended."""

    def __init__(self, reads: Reads, clock: Callable[[], float] = time.monotonic) -> None:
        self._reads = reads
        self._clock = clock
        self._looked_at: float | None = None

    def counts(self) -> Mapping[str, int]:
        """Return the number of entries that cannot be read, by kind."""
        if self._looked_at is None or self._clock() - self._looked_at >= PERIOD_S:
            self._look()
            self._looked_at = self._clock()
        names: dict[str, set[str]] = {kind: set() for kind in KINDS}
        for unread in self._unread():
            names[unread.kind] |= unread.names
        return {kind: len(found) for kind, found in names.items()}

    def _look(self) -> None:
        store, reads = self._reads.store, self._reads
        matches, tournaments = store.matches, store.tournaments
        rows = matches.readable(matches.open_ids() | matches.unread.names | reads.summaries.unread.names)
        reads.summaries.unread.passing((row.id, partial(legible, row)) for row in rows)
        alive = [
            *tournaments.alive(),
            *tournaments.find(sorted(tournaments.unread.names | reads.fixtures.unread.names)),
        ]
        reads.fixtures.unread.passing((row.name, partial(reads.fixtures.of, row)) for row in alive)
        store.registry.find(sorted(store.registry.unread.names))
        store.gifts.find(store.gifts.unread.names)
        store.house.find(store.house.unread.names)

    def _unread(self) -> Iterable[UnreadRows]:
        store, reads = self._reads.store, self._reads
        yield from (store.matches.unread, store.tournaments.unread, store.registry.unread, store.ratings.unread)
        yield from (store.registry.unread_tokens, store.registry.unread_links)
        yield from (store.house.unread, store.weights.unread, store.reports.unread)
        yield from (store.fits.unread, store.gifts.unread, store.counters.unread, store.audit.unread)
        yield from (reads.summaries.unread, reads.fixtures.unread, reads.boards.unread)
