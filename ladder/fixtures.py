"""Tournaments as everybody may see them: state, progress and table."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ladder.errors import UnknownNameError
from ladder.names import TOURNAMENT, checked, nearest
from ladder.store.errors import UnknownError
from ladder.store.match_reads import MatchReads
from ladder.store.tournaments import TournamentRow, Tournaments
from ladder.tables import Table
from ladder.tournament_tables import TournamentTables

NEIGHBOURS = 200
SAMPLE = 20
"""Matches that tell how many games a match of a tournament has; it is split as evenly as can be."""
GOING = frozenset({"running", "finishing"})
ENOUGH_S = 2.0
"""Seconds of play after which the pace says how long the rest takes."""


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
    cycles: int
    deals: str
    games_per_second: float
    eta_s: float | None
    """Seconds to go; None if that cannot be said."""


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
        matches: MatchReads,
        tables: TournamentTables,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._tournaments = tournaments
        self._matches = matches
        self._tables = tables
        self._clock = clock

    def get(self, name: str) -> Fixture:
        """Return a tournament.

        Raises:
            UnknownNameError: there is no such tournament.
        """
        checked(TOURNAMENT, name, "name")
        try:
            return self.of(self._tournaments.get(name))
        except UnknownError as error:
            near = nearest(name, [row.name for row in self._tournaments.page(NEIGHBOURS)[0]])
            sentence = f"there is no tournament {name!r}"
            raise UnknownNameError("UNKNOWN_TOURNAMENT", sentence, field="name", value=name, allowed=near) from error

    def page(self, limit: int, token: str = "") -> FixturePage:
        """Return tournaments, newest first.

        Raises:
            BadInputError: the token is none of ours.
        """
        rows, following = self._tournaments.page(limit, token)
        return FixturePage(tuple(map(self.of, rows)), following)

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
            meetings=spec.get("meetings", 0),
            cycles=spec.get("cycles", 1),
            deals=spec.get("deals") or "fresh",
            games_per_second=pace,
            eta_s=eta,
        )

    def _pace(self, row: TournamentRow) -> tuple[float, float | None]:
        """Return games a second since the start, and seconds to go if it goes on so."""
        if not row.started_ms:
            return 0.0, None
        until = row.ended_ms / 1000 if row.ended_ms else self._clock()
        seconds = max(until - row.started_ms / 1000, 0.001)
        pace = row.games_done / seconds
        if row.state not in GOING or not pace or seconds < ENOUGH_S:
            return pace, None
        return pace, max(self._games(row) - row.games_done, 0) / pace

    def _games(self, row: TournamentRow) -> float:
        """Return about how many games the matches have that are to count."""
        some = self._matches.page(tournament=row.name, limit=SAMPLE).rows
        games = sum(match.meetings * len(match.entrants) for match in some)
        return (row.matches - row.lost) * games / max(len(some), 1)
