"""What became of the matches of a tournament, one by one in the order of its schedule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ladder.readings.match_luck import MatchLuck, MatchLucks
from ladder.readings.summaries import Summaries, Summary, result_of
from ladder.store.errors import DamagedError
from ladder.store.match_reads import NO_MORE
from ladder.store.rows import MatchRow, MatchState
from ladder.store.store import Store
from ladder.store.tournaments import OVER
from workers.schedule.schedule import Fixture
from workers.tournaments.attempt import last_attempt
from workers.tournaments.draw import schedule_of
from workers.tournaments.notes import Notes
from workers.tournaments.played_match import GameResult, PlayedMatch
from workers.tournaments.spec import TournamentSpec
from workers.tournaments.terms import Formats

__all__ = ["Results"]


@dataclass(frozen=True, slots=True)
class Results:
    """Reads results. Blocks on the store: call it from a thread."""

    store: Store
    formats: Formats
    summaries: Summaries
    lucks: MatchLucks

    def of(self, name: str, first: int, limit: int) -> tuple[PlayedMatch, ...]:
        """Return the matches of a tournament that was looked up already, as far as they were created without a gap.

        A void one that the planner plays again is a gap until its next attempt is created.

        One that cannot be read tells nothing: it is void, with what is wrong with it as the reason.

        Args:
            name: of the tournament.
            first: matches of its schedule that are left out.
            limit: at most so many.
        """
        tournament = self.store.tournaments.get(name)
        if not tournament.entrants:
            return ()
        spec = TournamentSpec.parse(tournament.spec)
        terms, notes = self.formats(spec.format), Notes.parse(tournament.schedule)
        schedule = schedule_of(spec, terms, tournament.entrants, even=notes.even, spread=notes.spread)
        fixtures = [schedule[index] for index in range(first, min(first + limit, len(schedule)))]
        return self._of(self._created(fixtures), spec, over=tournament.state in OVER)

    def _created(self, fixtures: Sequence[Fixture]) -> dict[str, Fixture]:
        """Return by id of their last attempts the first of these matches, up to one that is not created yet."""
        states = self.store.matches.states_of([str(fixture.id) for fixture in fixtures])
        untold = [str(fixture.id) for fixture in fixtures if str(fixture.id) not in states]
        damaged, found = set(self.store.matches.sift(untold).damaged), {}
        for fixture in fixtures:
            match = str(fixture.id)
            if match not in states and match not in damaged:
                break
            again = states.get(match) is MatchState.VOID
            found[last_attempt(self.store, match) if again else match] = fixture
        return found

    def _of(self, fixtures: Mapping[str, Fixture], spec: TournamentSpec, *, over: bool) -> tuple[PlayedMatch, ...]:
        sifted = self.store.matches.sift(fixtures)
        rows = {row.id: row for row in sifted.rows}
        again = frozenset() if over else self.store.upgrades.again(spec.name)  # of those that were void by then
        to_come = self.store.gifts.to_come(fixtures)
        results = []
        for match, fixture in fixtures.items():
            try:
                row = self.summaries.row(match) if match in sifted.damaged else rows.get(match)
                if row and row.state is MatchState.VOID and match in again:  # its next attempt is still to be created
                    break
                results.append(self._result(row, to_come) if row else _lost(match, fixture, spec, NO_MORE))
            except DamagedError as error:
                results.append(_lost(match, fixture, spec, error.sentence))
        return tuple(results)

    def _result(self, row: MatchRow, to_come: set[str]) -> PlayedMatch:
        summary, result = self.summaries.of(row), result_of(row)
        luck = self.lucks.get(row) if result else None
        later = luck is None and (row.state is MatchState.CLOSED or row.id in to_come)
        return PlayedMatch(summary, _meetings(result, luck), luck.version if luck else "", later)


def _meetings(result: Mapping[str, Any], luck: MatchLuck | None) -> tuple[tuple[GameResult, ...], ...]:
    found, number = [], 0
    for meeting in result.get("meetings", ()):
        games = []
        for game in meeting["games"]:
            of_game = luck.games[number] if luck and number < len(luck.games) else None
            games.append(GameResult(tuple(game["ranks"]), tuple(game["points"]), game["rounds"], of_game or ()))
            number += 1
        found.append(tuple(games))
    return tuple(found)


def _lost(match: str, fixture: Fixture, spec: TournamentSpec, reason: str) -> PlayedMatch:
    """Return a match of which nothing is known: it cannot be read, or could not be and was declared void."""
    void = MatchState.VOID.value
    return PlayedMatch(
        Summary(
            id=match,
            format=spec.format,
            ruleset="",
            entrants=fixture.entrants,
            meetings=fixture.meetings,
            state=void,
            reason=reason,
            tournament=spec.name,
            commitment="",
            games_done=0,
            wins=(),
            faults=(),
            created_ms=0,
            ended_ms=0,
            outcome=void,
        )
    )
