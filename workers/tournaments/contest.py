"""Two versions at a ladder, one against the other in a tournament of their own, until it is known which is stronger.

What counts is what the ledger has, in the order of the schedule: whoever asks again, on whatever machine, comes to the
same ratio after the same meetings, as long as the ledger has the same. A match that was left out as parked or void and
is put back counts with what is played of it for whoever asks from then on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from hashlib import sha256
from typing import Final

from ladder.judged import Judged
from ladder.names import checked
from ladder.readings.summaries import Summary
from ladder.sprt import Bounds, Moments, Trial
from ladder.store.rows import APPLIED, LOST, MatchState
from lastcard.console import counted
from lastcard.errors import InputError
from lastcard.names import VERSION, bot_of
from workers.local.trial import BATCH, DEALS, Batch, Comparison
from workers.schedule.schedule import MATCH_MEETINGS
from workers.tournaments.played_match import GameResult, PlayedMatch
from workers.tournaments.rights import MOST_MATCHES
from workers.tournaments.spec import Deals, TournamentSpec

__all__ = ["BROKEN", "ENOUGH", "MOST_MEETINGS", "Contest", "Count", "by_contest", "paused_anew"]

ENOUGH: Final = "not decided after"
BROKEN: Final = "broken off after"
"""How the reasons begin for which a contest has its tournament paused; who asks again, for more meetings, ends that."""

CYCLES: Final = 2
MEETINGS: Final = MATCH_MEETINGS * MOST_MATCHES // CYCLES
"""Of a cycle."""
MOST_MEETINGS: Final = MEETINGS * CYCLES
"""What an author's tournament may have."""
GRACE_S: Final = 86_400
"""A version that is away for a while is waited for: a walkover would tell nothing of it."""


@dataclass(frozen=True, slots=True)
class Contest:
    """What is to be found out, and the tournament in which it is."""

    new: str
    """`name@n`."""
    old: str
    format: str
    deals: str
    bounds: Bounds
    luck: bool = False
    """Whether it goes by scores with luck taken out."""
    named: str = ""
    """The tournament, where somebody chose its name."""

    def __post_init__(self) -> None:
        """Check what can be seen without asking who exists.

        Raises:
            InputError: it is one version twice, or there are no such deals.
            InvalidFieldError: one of them is no version.
        """
        for field, version in (("new", self.new), ("old", self.old)):
            checked(VERSION, version, field)
        if self.new == self.old:
            message = f"{self.new} is named twice: name two versions, the new one first"
            raise InputError("SAME_VERSION", message, field="old", value=self.old)
        if self.deals not in DEALS:
            message = f"deals {self.deals!r} cannot be compared on; choose {' or '.join(DEALS)}"
            raise InputError("BAD_DEALS", message, field="deals", value=self.deals, allowed=DEALS)

    @property
    def name(self) -> str:
        """Name of the tournament: the same for the same question."""
        return self.named or self.usual_name

    @property
    def usual_name(self) -> str:
        """The name where nobody chose one."""
        asked = (self.new, self.old, self.format, self.deals, self.bounds.elo0, self.bounds.elo1, self.luck)
        return f"sprt-{bot_of(self.new)}-{sha256(repr(asked).encode()).hexdigest()[:8]}"

    @property
    def spec(self) -> TournamentSpec:
        """The tournament: all that it may take, of which the rest is never played."""
        return TournamentSpec(
            self.name,
            self.format,
            (self.new, self.old),
            meetings=MEETINGS,
            cycles=CYCLES,
            deals=Deals(self.deals),
            grace_s=GRACE_S,
            unrated=True,
            sprt=self.judged,
        )

    @property
    def judged(self) -> Judged:
        """By what it is judged."""
        return Judged.by(self.bounds, luck=self.luck)

    def begin(self, most: int) -> Count:
        """Return the count before the first match; `most`: meetings at which it ends, decided or not."""
        return Count(self, Comparison(Trial(self.bounds, corrected=Moments() if self.luck else None)), most)


@dataclass(frozen=True, slots=True)
class _Meeting:
    """A meeting as the new version sees it."""

    score: int
    """In quarters, from 0 to 4."""
    corrected: float
    """From 0 to 1, without luck; 0 where luck stays in the scores."""
    games: tuple[int, int, int]
    """Lost, tied and won."""
    rounds: int
    faults: tuple[int, int]
    """Of its match, new and old, at the first one of it that counts; of the others none."""


@dataclass(frozen=True, slots=True)
class Count:
    """What was counted so far: matches as their schedule has them, meetings by ten."""

    contest: Contest
    comparison: Comparison
    most: int
    matches: int = 0
    """Of the schedule that were looked at."""
    left_out: Mapping[str, str] = dataclass_field(default_factory=dict)
    """Those of them that tell nothing, or not all, and why: void, parked, by walkover, or meetings of unknown luck."""
    lc_version: str = ""
    _rest: tuple[_Meeting, ...] = ()
    """Meetings that make no ten yet."""

    @property
    def ended(self) -> bool:
        """Whether no further match matters: it is decided, or all was played that was allowed."""
        return not self.comparison.open or self.used_up

    @property
    def used_up(self) -> bool:
        """Whether it is not decided, and no further ten meetings are allowed."""
        return self.comparison.open and self.comparison.meetings + BATCH > self.most

    def awaits(self, result: PlayedMatch) -> bool:
        """Return whether a match is still to tell what it will."""
        settled = result.match.state in _SETTLED
        return not settled or (self.contest.luck and result.luck_to_come)

    def waits(self, results: Sequence[PlayedMatch]) -> str:
        """Say what the count waits for: `results` begins with the first match that has not told all that it will."""
        if not results:
            return ""
        behind = sum(len(result.meetings) for result in results[1:] if result.match.state not in LOST)
        lucky = sum(len(result.meetings) for result in results if result.luck_to_come) if self.contest.luck else 0
        counts = (
            f"{counted(behind, 'meeting')} behind it played already" if behind else "",
            f"{counted(lucky, 'meeting')} still without their luck" if lucky else "",
        )
        return ", ".join((f"next is {results[0].match.id}, {_doing(results[0])}", *filter(None, counts)))

    def after(self, result: PlayedMatch) -> Count:
        """Return the count with the next match of the schedule, which has told all that it will."""
        found = _meetings(result, self.contest) if result.match.outcome in _TELLING else []
        whole = bool(found) and len(found) == len(result.meetings)
        meetings = (*self._rest, *found)
        comparison, looked = self.comparison, replace(self, matches=self.matches + 1)
        while len(meetings) >= BATCH and not replace(looked, comparison=comparison).ended:
            comparison, meetings = comparison.after(_batch(meetings[:BATCH], self.contest)), meetings[BATCH:]
        return replace(
            looked,
            comparison=comparison,
            left_out=self.left_out if whole else {**self.left_out, result.match.id: _why(result.match)},
            lc_version=(result.lc_version or self.lc_version) if self.contest.luck else "",
            _rest=meetings,
        )


_SETTLED: Final = frozenset(state.value for state in APPLIED | LOST)
"""States of a match whose result was looked through, and stands; or that it has none."""
_TELLING: Final = frozenset({"played", "rated"})
"""Outcomes of a match that both played."""


def _why(match: Summary) -> str:
    """Say why a match tells nothing, or not all."""
    if match.outcome in _TELLING:
        return "unknown luck"
    return f"{match.outcome}: {match.reason}" if match.reason else match.outcome


def _doing(result: PlayedMatch) -> str:
    """Say what a match is at that has not told all that it will."""
    match = result.match
    if match.state == MatchState.RUNNING:
        return f"which is played ({match.games_done} of {counted(match.meetings * len(match.entrants), 'game')})"
    if match.state == MatchState.CLOSED:
        return "which is played and is to be rated"
    return "which waits for its luck" if result.luck_to_come else "which waits for a referee"


def _meetings(result: PlayedMatch, contest: Contest) -> list[_Meeting]:
    """Return those that tell something: where luck is taken out, those of whose every game it is known."""
    if contest.luck and not result.lc_version:
        return []
    new, old = (result.match.entrants.index(version) for version in (contest.new, contest.old))
    faults = (result.match.faults[new], result.match.faults[old])
    found = list[_Meeting]()
    for games in result.meetings:
        if contest.luck and not all(game.luck for game in games):
            continue
        halves = [1 + (game.places[new] < game.places[old]) - (game.places[new] > game.places[old]) for game in games]
        found.append(
            _Meeting(
                score=sum(halves),
                corrected=_corrected(halves, games, new) if contest.luck else 0.0,
                games=(halves.count(0), halves.count(1), halves.count(2)),
                rounds=sum(game.rounds for game in games),
                faults=(0, 0) if found else faults,
            )
        )
    return found


def _corrected(halves: Sequence[int], games: Sequence[GameResult], new: int) -> float:
    """Return the mean score of a meeting with luck taken out."""
    luck = [game.luck[new] for game in games]
    return sum(halves) / (2 * len(halves)) - sum(luck) / len(luck)


def _batch(meetings: Sequence[_Meeting], contest: Contest) -> Batch:
    scores = [meeting.score for meeting in meetings]
    return Batch(
        pairs=[scores.count(score) for score in range(5)],
        scores=[meeting.corrected for meeting in meetings] if contest.luck else [],
        games=[sum(meeting.games[half] for meeting in meetings) for half in range(3)],
        rounds=sum(meeting.rounds for meeting in meetings),
        faults=[sum(meeting.faults[version] for meeting in meetings) for version in range(2)],
    )


def by_contest(reason: str) -> bool:
    """Return whether it is a contest that paused its tournament for this reason, and may resume it."""
    return reason.startswith((ENOUGH, BROKEN))


def paused_anew(before: str, why: str) -> bool:
    """Return whether a tournament that is paused is paused by somebody else, or for something else, from now on.

    Who gives no reason leaves the one that stands. Only that of a contest does not stay: the contest would resume what
    somebody wants paused.
    """
    return why != before if why else by_contest(before)
