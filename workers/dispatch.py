"""Creates the next matches of a running tournament and sees to those that wait for their bots."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, replace

from ladder.errors import WrongStateError
from ladder.pace import Pace
from ladder.store.counters import Counter
from ladder.store.logs import logger
from ladder.store.rows import UNPLAYED, MatchRow, MatchState
from ladder.store.store import Store
from ladder.store.tournaments import TournamentRow
from ladder.store.upgrades import supports
from workers.openings import open_since, openings
from workers.overtime import Overtime
from workers.remaining import remaining
from workers.schedule.schedule import Fixture, MatchId, Schedule
from workers.schedule.window import Window, choose
from workers.tournaments.attempt import next_attempt, unreplaced
from workers.tournaments.life import PLANNER
from workers.tournaments.notes import Notes
from workers.tournaments.outlook import Left, Outlook
from workers.tournaments.planned import Planned
from workers.tournaments.sealing import DealGroups
from workers.tournaments.spec import DEADLINE_S, Deals, TournamentSpec
from workers.tournaments.terms import Terms
from workers.tournaments.traffic import games_per_second

__all__ = ["Dispatch", "attended"]

_log = logger("workers.dispatch")


@dataclass(frozen=True, slots=True)
class Dispatch:
    """One look at the matches of one running tournament."""

    store: Store
    row: TournamentRow
    spec: TournamentSpec
    terms: Terms
    schedule: Schedule
    beats: Mapping[str, Mapping[str, object]]
    """Living referees, and what they say of themselves."""
    now_ms: int

    def go(self) -> tuple[Notes, bool]:
        """Create what there is room for; returns the notes to keep and whether there may be more to create at once."""
        there = self._rooms()
        notes = attended(self.row, self.beats, frozenset(there), self.now_ms)
        if any(said.get("halted") is True for said in self.beats.values()):
            # what is left of the store is for the ends of matches; how fast it goes is measured anew afterwards
            return replace(notes, pace=Pace(), outlook=Outlook()), False
        groups = DealGroups(self.schedule, notes.kin) if self.terms.deals is Deals.FIELD else None
        overtime = self._overtime(groups) if groups else None
        late = overtime.settle(notes.overtime) if overtime else ()
        self._replace_unsupported()
        opened = self.store.matches.readable(self.store.tournaments.open_ids(self.row.name))
        self._see_to(opened, there, notes)
        late = overtime.find(opened, late) if overtime else ()
        room = Window(there, *self._strength(notes), self.terms.seats).room(_loads(opened))
        chosen = choose(self.schedule, notes.cursor, room, self._gone(notes))
        self._create([*chosen.ready, *chosen.walkovers], notes, groups)
        kept = replace(notes, cursor=chosen.cursor, overtime=late)
        if notes.outlook.due(self.now_ms):
            fresh = (*chosen.ready, *chosen.walkovers)
            kept = self._reckoned(kept, remaining(self.schedule, chosen.cursor, opened, fresh), there)
        if chosen.cursor.next >= len(self.schedule):  # nobody waits for a bot that has played all it had to
            left = [row.entrants for row in opened if row.state in UNPLAYED]
            left += [self.schedule[index].entrants for index in chosen.cursor.gaps]
            left += [fixture.entrants for fixture in (*chosen.ready, *chosen.walkovers)]
            kept = kept.awaiting({bot for entrants in left for bot in entrants})
        return kept, chosen.more

    def _overtime(self, groups: DealGroups) -> Overtime:
        opened = openings(self.beats, self.now_ms)
        return Overtime(self.store, groups, self.terms, self._least_ms, self.now_ms, opened)

    def _replace_unsupported(self) -> None:
        """Play again what nobody supported, or what might not have its deals, once somebody supports what it is now."""
        if supports(self.beats, self.terms.rules_version, self.terms.log_format):
            for row in unreplaced(self.store, self.row.name):
                with suppress(WrongStateError):  # the tournament was cancelled at this moment
                    next_attempt(self.store, row, self.terms, self.now_ms, who=PLANNER, reason=row.reason)

    def _rooms(self) -> dict[str, int]:
        """Return the games that each entrant that is there plays at once."""
        online = self.store.presence.online(self.spec.format)
        return {bot: online[bot].room for bot in self.row.entrants if bot in online}

    def _strength(self, notes: Notes) -> tuple[int, float]:
        """Return the games that all referees play at once, and those that end per second: at least as reckoned."""
        measured = notes.pace.games_per_second(self.now_ms, self.row.games_done)
        reckoned = games_per_second(self.terms.decisions, len(self.beats))
        return sum(map(_capacity, self.beats.values())), max(measured, reckoned)

    def _reckoned(self, notes: Notes, left: Left, there: Mapping[str, int]) -> Notes:
        """Return the notes with how fast it goes, and when it will be over."""
        speed = notes.pace.games_per_second(self.now_ms, self.row.games_done)
        outlook = notes.outlook.seen(self.now_ms, left)
        until_ms = max(notes.missing.values(), default=0) + self.spec.grace_s * 1000
        rooms = [there.get(bot, 0) for bot in self.row.entrants]
        over_ms = outlook.over_ms(self.now_ms, left, speed, rooms, until_ms)
        pace = replace(notes.pace.seen(self.now_ms, self.row.games_done), over_ms=over_ms)
        return replace(notes, pace=pace, outlook=outlook)

    def _gone(self, notes: Notes) -> frozenset[str]:
        """Return the entrants that were waited for in vain: a referee decides their matches without them."""
        return notes.gone(self.now_ms, self.spec.grace_s * 1000)

    def _see_to(self, rows: Iterable[MatchRow], there: Mapping[str, int], notes: Notes) -> None:
        """Hold back waiting matches of bots that are missing, and open those of bots that came or never will."""
        known, opened = there.keys() | self._gone(notes), list[MatchRow]()
        for row in rows:
            decidable = known >= set(row.entrants)
            if row.state is MatchState.READY and not decidable and not row.handed_on:
                self.store.matches.unready(row.id)
            elif row.state is MatchState.PLANNED and decidable:
                opened.append(row)
        opened.sort(key=lambda row: self.schedule.index(MatchId.parse(row.id)))
        for row, earlier in zip(opened, _earlier(len(opened)), strict=True):  # before all that this look creates
            since_ms = self._not_before(row.entrants, notes) - 1 - earlier
            self.store.matches.set_ready(row.id, since_ms, self.row.name)

    def _not_before(self, entrants: Iterable[str], notes: Notes) -> int:
        """Return since when a match could be played, so that nobody waits again for bots that are gone."""
        return min((notes.missing.get(bot, self.now_ms) for bot in entrants), default=self.now_ms)

    @property
    def _least_ms(self) -> int:
        return (self.spec.deadline_s or DEADLINE_S) * 1000

    def _create(self, fixtures: Sequence[Fixture], notes: Notes, groups: DealGroups | None) -> None:
        if not fixtures:
            return
        planned = Planned(self.spec, self.terms, notes, groups)
        plans = [
            planned.match(fixture, self._not_before(fixture.entrants, notes) - earlier)
            for fixture, earlier in zip(fixtures, _earlier(len(fixtures)), strict=True)
        ]
        new = self.store.matches.plan(plans, self.now_ms)
        self.store.counters.add({Counter("planned_matches_total", {}): new})
        _log.info("planned", tournament=self.row.name, matches=len(fixtures), new=new)


def attended(
    row: TournamentRow, beats: Mapping[str, Mapping[str, object]], there: AbstractSet[str], now_ms: int
) -> Notes:
    """Return the notes with who is missing since when; while no referee is alive that is nobody: it is our doing."""
    notes = Notes.parse(row.schedule)
    if not beats:
        return replace(notes, missing={})
    return notes.attended(row.entrants, there, now_ms, open_since(beats, now_ms))


def _earlier(count: int) -> list[float]:
    """Return how much earlier (ms) than now each of so many matches is ready, so that they are claimed in this order.

    All of them less than a millisecond, in which no second look begins: none stands before what an earlier look made
    ready, in this tournament or in another one.
    """
    return [(count - place) / (count + 1) for place in range(count)]


def _capacity(beat: Mapping[str, object]) -> int:
    """Return the games that a referee plays at once, as it says; one that says what is no number of games: none."""
    said = beat.get("capacity")
    return max(said, 0) if isinstance(said, int) else 0


def _loads(rows: Iterable[MatchRow]) -> dict[str, int]:
    """Return the games by bot that are created and not yet played."""
    loads: Tally[str] = Tally()
    for row in rows:
        if row.state in UNPLAYED:
            loads.update(dict.fromkeys(row.entrants, row.meetings * len(row.entrants)))
    return dict(loads)
