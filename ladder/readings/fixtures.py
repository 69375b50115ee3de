"""Tournaments as everybody may see them: state, progress and table."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ladder.errors import UnknownNameError
from ladder.names import checked, nearest, offered
from ladder.pace import Pace
from ladder.readings.tournament_tables import TournamentTables
from ladder.readings.voids import Voids
from ladder.readings.waits import Awaited, Waits
from ladder.store.errors import UnknownError
from ladder.store.tournaments import TournamentRow, Tournaments
from ladder.store.unread import UnreadRows
from ladder.tables import Table
from lastcard.names import TOURNAMENT

NEIGHBOURS = 200
GOING = frozenset({"running", "finishing"})


@dataclass(frozen=True, slots=True)
class Fixture:
    """A tournament at one moment, with what its description says."""

    row: TournamentRow
    spec: Mapping[str, Any]
    """Its description as it was created."""
    format: str
    bots: tuple[str, ...]
    """Entrants by name, as described; empty: everybody who is there at the start."""
    meetings: int
    """Of each pairing or table; 0 where a size says it and nobody has noted yet what it comes to."""
    size: str
    """quick, default or fine; empty: the meetings say it."""
    cycles: int
    deals: str
    games_per_second: float
    eta_s: float | None
    """Seconds to go; None if that cannot be said."""
    awaited: Awaited
    """Who is not there and is waited for."""
    voids: tuple[tuple[str, int], ...] = ()
    """Why matches are void that were not played again, and how many for each reason."""


@dataclass(frozen=True, slots=True)
class FixturePage:
    """Tournaments, newest first."""

    fixtures: tuple[Fixture, ...]
    next: str
    """Token of the next page; empty on the last."""


class Fixtures:
    """Reads tournaments."""

    def __init__(
        self,
        tournaments: Tournaments,
        tables: TournamentTables,
        waits: Waits,
        voids: Voids,
        clock_ns: Callable[[], int] = time.time_ns,
    ) -> None:
        self._tournaments = tournaments
        self._tables = tables
        self._waits = waits
        self._voids = voids
        self._clock_ns = clock_ns
        self.unread = UnreadRows("tournament")

    def get(self, name: str) -> Fixture:
        """Return a tournament.

        Raises:
            UnknownNameError: there is no such tournament.
            DamagedError: it cannot be read.
        """
        return self.unread.one(name, partial(self.of, tournament_named(self._tournaments, name)))

    def page(self, limit: int, token: str = "") -> FixturePage:
        """Return tournaments that can be read, newest first.

        Raises:
            BadInputError: the token is none of ours.
        """
        rows, following = self._tournaments.page(limit, token)
        fixtures = self.unread.passing((row.name, partial(self.of, row)) for row in rows)
        return FixturePage(tuple(fixtures), following)

    def table(self, fixture: Fixture) -> Table:
        """Return the table of a tournament as far as it was played."""
        return self._tables.get(fixture.row)

    def of(self, row: TournamentRow) -> Fixture:
        """Return a tournament that is at hand already."""
        spec: dict[str, Any] = json.loads(row.spec)
        pace, eta = self._pace(row)
        return Fixture(
            row=row,
            spec=spec,
            format=spec["format"],
            bots=tuple(spec.get("bots", ())),
            meetings=spec.get("meetings") or (_noted_meetings(row.schedule) if spec.get("size") else 0),
            size=spec.get("size", ""),
            cycles=spec.get("cycles", 1),
            deals=spec.get("deals") or "fresh",
            games_per_second=pace,
            eta_s=eta,
            awaited=self._waits.of(row, self._now_ms()),
            voids=self._voids.of(row),
        )

    def _pace(self, row: TournamentRow) -> tuple[float, float | None]:
        """Return games a second, lately or over the whole of it once it is over, and seconds to go if it goes on so."""
        if row.started_ms and row.ended_ms:
            return row.games_done / max((row.ended_ms - row.started_ms) / 1000, 0.001), None
        if row.state not in GOING:
            return 0.0, None
        pace, now_ms = Pace.noted(row.schedule), self._now_ms()
        speed = pace.games_per_second(now_ms, row.games_done)
        return speed, pace.eta_s(now_ms)

    def _now_ms(self) -> int:
        return self._clock_ns() // 1_000_000


def _noted_meetings(notes: str) -> int:
    """Return the meetings that the planner has noted when a tournament began; 0: not yet, or an older one did."""
    fields = json.loads(notes) if notes else {}
    return int(fields.get("meetings", 0))


def tournament_named(tournaments: Tournaments, name: str) -> TournamentRow:
    """Return the tournament of this name.

    Raises:
        UnknownNameError: there is none; the error names those that come near.
    """
    try:
        return tournaments.get(checked(TOURNAMENT, name, "name"))
    except UnknownError as error:
        near = nearest(name, [row.name for row in tournaments.page(NEIGHBOURS)[0]])
        sentence = f"there is no tournament {name!r}{offered(near)}"
        raise UnknownNameError("UNKNOWN_TOURNAMENT", sentence, field="name", value=name, allowed=near) from error
