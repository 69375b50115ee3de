"""When the deals of a group of tables are played out: before that nothing of its matches is shown or applied."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ladder.store.rows import UNPLAYED, MatchRow
from ladder.store.store import Store
from ladder.store.tournaments import TournamentRow
from workers.schedule.deal_groups import groups
from workers.schedule.schedule import MatchId, Schedule
from workers.tournaments.draw import schedule_of
from workers.tournaments.life import State
from workers.tournaments.notes import Notes
from workers.tournaments.spec import TournamentSpec
from workers.tournaments.terms import Formats

__all__ = ["DealGroups", "Seals"]


class DealGroups:
    """The groups of tables that share deals: those of one leg and part, in which no owner stands twice."""

    def __init__(self, schedule: Schedule, kin: Mapping[str, int]) -> None:
        self._schedule = schedule
        self._kin = kin
        self._names: dict[int, tuple[str, ...]] = {}

    def group_of(self, match: MatchId) -> str:
        """Return the name of the group of a match."""
        return f"{match.tournament}.{match.leg}.{match.part}.{self._of(match.leg)[match.table - 1]}"

    def members(self, match: MatchId) -> list[str]:
        """Return the ids of all matches of its group, whether or not they are created yet."""
        names = self._of(match.leg)
        mine = names[match.table - 1]
        return [str(replace(match, table=table)) for table, name in enumerate(names, 1) if name == mine]

    def _of(self, leg: int) -> tuple[str, ...]:
        if leg not in self._names:
            self._names[leg] = groups(self._schedule.tables_of(leg - 1), self._kin)
        return self._names[leg]


class Seals:
    """Knows for a while which groups are played out, and writes that down; made anew for every look."""

    def __init__(self, store: Store, formats: Formats) -> None:
        self._store = store
        self._formats = formats
        self._holders: dict[str, str | None] = {}
        self.woken: list[str] = []
        """Closed matches that nobody had to look at while they were sealed, and somebody has to now."""

    def broken(self, row: MatchRow) -> bool:
        """Return whether all that share the deals of a match that is over are over, or will never be played.

        If not, it leaves `due` until they are: what cannot be applied must not stand before what can.
        """
        if not row.shares:
            return True
        if row.group not in self._holders:
            self._holders[row.group] = self._look(row)
        holder = self._holders[row.group]
        if holder is not None:
            self._store.seals.hold(row.id, holder, row.tournament)
        return holder is None

    def _look(self, row: MatchRow) -> str | None:
        """Return a table of a group that may still be played; if there is none, the others of the group are woken."""
        tournament = self._store.tournaments.get(row.tournament)  # first: once it is over no table is added
        members = self._members(row, tournament)
        states = self._store.matches.states_of(members)
        unplayed = [match for match in members if states.get(match) in UNPLAYED]
        if not State(tournament.state).over:
            unplayed += [match for match in members if match not in states]
        if unplayed:
            return unplayed[0]
        self.woken += self._store.seals.open(members, row.tournament)
        return None

    def _members(self, row: MatchRow, tournament: TournamentRow) -> list[str]:
        """Return the ids of the matches that share the deals of this one, whether or not they are created yet."""
        spec = TournamentSpec.parse(tournament.spec)
        notes = Notes.parse(tournament.schedule)
        terms = self._formats(spec.format)
        schedule = schedule_of(spec, terms, tournament.entrants, even=notes.even, spread=notes.spread)
        return DealGroups(schedule, notes.kin).members(MatchId.parse(row.id))
