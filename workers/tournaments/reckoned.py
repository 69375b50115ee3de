"""What the ladder's pages and files cannot say of a tournament by themselves: it takes its rules and its schedule."""

from __future__ import annotations

import time
from typing import Any

from ladder.store.store import Store
from ladder.store.tournaments import TournamentRow
from ladder.tables import Table
from ladder.web.told import Reckoned
from workers.engine import terms
from workers.tournaments.prospectus import Prospectus
from workers.tournaments.recent import Recent
from workers.tournaments.tournament_status import reckoned_shape

__all__ = ["reckoner"]


def reckoner(store: Store, *, luck: bool) -> Reckoned:
    """Return what tells it of the tournaments of a ledger, in the words in which commands tell it.

    Args:
        store: the ledger.
        luck: whether workers compute luck there.
    """

    def now_ms() -> int:
        return time.time_ns() // 1_000_000

    prospectus = Prospectus(store, terms, Recent(store, now_ms), now_ms, luck)

    def reckoned(row: TournamentRow, table: Table) -> dict[str, Any]:
        return reckoned_shape(prospectus.whole(row, table))

    return reckoned
