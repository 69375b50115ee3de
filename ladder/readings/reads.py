"""Everything that pages, API, servicers and exporter read, in one place, over one store."""

from __future__ import annotations

import time
from dataclasses import dataclass

from ladder.readings.boards import Boards, LowOf, untold
from ladder.readings.census import Census, take
from ladder.readings.fixtures import Fixtures
from ladder.readings.gallery import Gallery
from ladder.readings.histories import Histories
from ladder.readings.match_luck import MatchLucks
from ladder.readings.profiles import Profiles
from ladder.readings.summaries import Summaries
from ladder.readings.teams import TeamsOf, alone
from ladder.readings.tournament_tables import DealsOf, TournamentTables, unshared
from ladder.readings.voids import Voids
from ladder.readings.waits import Waits
from ladder.readings.weighing import Weighing
from ladder.store.store import Store


@dataclass(frozen=True, slots=True)
class Reads:
    """The readers; each may be used by several threads."""

    store: Store
    boards: Boards
    histories: Histories
    profiles: Profiles
    summaries: Summaries
    gallery: Gallery
    luck: MatchLucks
    fixtures: Fixtures
    tables: TournamentTables
    low_of: LowOf = untold

    @classmethod
    def of(
        cls,
        store: Store,
        teams_of: TeamsOf = alone,
        *,
        deals_of: DealsOf = unshared,
        low_of: LowOf = untold,
        luck: bool = True,
    ) -> Reads:
        """Return the readers of a store; `luck`: workers compute it here, and ratings that lack it are not settled."""
        matches, ratings, weighing = store.matches, store.ratings, Weighing.of(store)
        summaries = Summaries(matches, teams_of)
        tables = TournamentTables(matches, ratings, teams_of, weighing, deals_of=deals_of, awaits=luck)
        return cls(
            store=store,
            boards=Boards(store.ratings, store.fits, low_of=low_of, weighing=weighing),
            histories=Histories(store.ratings),
            profiles=Profiles(store.registry, store.presence),
            summaries=summaries,
            gallery=Gallery(summaries, store.scenes),
            luck=MatchLucks(weighing, teams_of),
            fixtures=Fixtures(store.tournaments, tables, Waits(store.registry, store.presence), Voids(matches)),
            tables=tables,
            low_of=low_of,
        )

    def census(self) -> Census:
        """Return what is there now."""
        return take(self.store, time.time_ns() // 1_000_000)
