"""A match of a schedule as it is written to the ledger."""

from __future__ import annotations

from dataclasses import dataclass

from ladder.store.rows import MatchPlan
from workers.schedule.schedule import Fixture
from workers.tournaments.notes import Notes
from workers.tournaments.sealing import DealGroups
from workers.tournaments.spec import TournamentSpec
from workers.tournaments.terms import Terms

__all__ = ["Planned"]


@dataclass(frozen=True, slots=True)
class Planned:
    """What the matches of one tournament have in common."""

    spec: TournamentSpec
    terms: Terms
    notes: Notes
    groups: DealGroups | None
    """None: every match has deals of its own."""

    def match(self, fixture: Fixture, not_before_ms: float) -> MatchPlan:
        """Return a match; with `groups` its deals are those of a group, which cannot wait for the nonces of all."""
        groups = self.groups
        return MatchPlan(
            id=str(fixture.id),
            format=self.terms.name,
            ruleset=self.terms.ruleset,
            rules_version=self.terms.rules_version,
            log_format=self.terms.log_format,
            entrants=fixture.entrants,
            meetings=fixture.meetings,
            deals=self.terms.deals,
            nonces=self.spec.nonces and groups is None,
            rated=not self.spec.unrated and self.notes.rated(fixture.entrants, self.terms.teams),
            trusted=self.spec.trusted,
            tournament=self.spec.name,
            leg=fixture.id.leg,
            table=fixture.id.table,
            part=fixture.id.part,
            group=groups.group_of(fixture.id) if groups else "",
            not_before_ms=not_before_ms,
        )
