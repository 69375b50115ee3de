"""Matches as everybody may see them: never a seed, never a card."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from ladder.errors import UnknownNameError
from ladder.names import MATCH, checked, offered
from ladder.readings.teams import TeamsOf, alone, teams_in
from ladder.reasons import cancelled
from ladder.results import absent, faults
from ladder.store.errors import DamagedError, UnknownError
from ladder.store.rows import APPLIED, LOST, OPEN, MatchRow, MatchState
from ladder.store.unread import CAUSES, OF_A_MATCH, UnreadRows
from lastcard.names import MATCH_FORM, attempt_of, bot_of, nth_attempt

if TYPE_CHECKING:
    from ladder.store.match_reads import MatchReads

OUTCOMES: Final = (
    *(state.value for state in MatchState if state in OPEN),
    *("rated", "played", "walkover"),
    *(state.value for state in MatchState if state in LOST),
)
"""What may have become of a match, in the words of `outcome_of`."""
MOST_PAGES: Final = 10
"""Pages of the store that one page of ours looks through."""


@dataclass(frozen=True, slots=True)
class Summary:
    """A match at one moment."""

    id: str
    format: str
    ruleset: str
    entrants: tuple[str, ...]
    meetings: int
    state: str
    reason: str
    tournament: str
    commitment: str
    """In hex; empty before a referee has it, and while its deals are played: it would say which tables share them."""
    games_done: int
    wins: tuple[int, ...]
    """Games won by entrant, alone or with its partners, ties for nobody; empty before the end, and where it is void."""
    faults: tuple[int, ...]
    """By entrant, absence one of them; empty before the end, and where it is void."""
    created_ms: int
    ended_ms: int
    outcome: str = ""
    """Its state in a word that people know: where its log is kept is no part of it (`outcome_of`)."""

    def of_bot(self, bot: str) -> list[int]:
        """Return the indices of the entrants that are versions of this bot."""
        return [index for index, entrant in enumerate(self.entrants) if bot_of(entrant) == bot]

    @property
    def never_began(self) -> bool:
        """Whether no referee had it, as far as may be shown: while others play its deals nobody is told of a host."""
        return not self.commitment and not self.games_done

    def went_wrong(self, bot: str) -> bool:
        """Return whether it ended without a result, or with faults of this bot.

        What is void and tells nothing of the bot did not: it never began, or its tournament was cancelled meanwhile.
        """
        in_vain = self.never_began or self.reason == cancelled(self.tournament)
        lost = self.state in LOST and not (self.state == MatchState.VOID and in_vain)
        return lost or any(self.faults[index] for index in self.of_bot(bot) if self.faults)


@dataclass(frozen=True, slots=True)
class Attempts:
    """The matches that stand beside one of a tournament where one of them was played in the place of the other."""

    before: str
    """The void one in whose place it is played; empty: it is the first."""
    after: str
    """The one that is played in its place; empty: none is."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which matches are looked for; what is empty does not matter."""

    tournament: str = ""
    bot: str = ""
    opponent: str = ""
    state: MatchState | None = None
    outcome: str = ""
    """One of `OUTCOMES`."""

    def fits(self, row: MatchRow) -> bool:
        """Return whether a match has this opponent and this outcome."""
        met = not self.opponent or any(bot_of(entrant) == self.opponent for entrant in row.entrants)
        return met and self.outcome in ("", outcome_of(row))


@dataclass(frozen=True, slots=True)
class MatchPage:
    """Matches, newest first."""

    rows: tuple[MatchRow, ...]
    next: str
    """Token of the next page; empty on the last."""


class Summaries:
    """Reads matches."""

    def __init__(self, matches: MatchReads, teams_of: TeamsOf = alone) -> None:
        self._matches = matches
        self._teams_of = teams_of
        self.unread = UnreadRows("match", OF_A_MATCH)

    def row(self, match: str) -> MatchRow:
        """Return a match with all that the ledger knows of it.

        Raises:
            UnknownNameError: there is no such match.
            DamagedError: it cannot be read.
        """
        checked(MATCH, match, "id")
        try:
            row = self._matches.get(match)
        except UnknownError as error:
            near = [row.id for row in self._matches.page(limit=5).rows]
            sentence = f"there is no match {match!r}{offered(near)}; {MATCH_FORM}"
            raise UnknownNameError("UNKNOWN_MATCH", sentence, field="id", value=match, allowed=near) from error
        return self.unread.one(match, partial(legible, row))

    def page(self, wanted: Wanted, limit: int, token: str = "") -> MatchPage:
        """Return matches that can be read, newest first. A page may be short though there are more.

        Raises:
            BadInputError: the token is none of ours.
        """
        bot = wanted.bot or wanted.opponent
        for _ in range(MOST_PAGES):
            page = self._matches.page(
                tournament=wanted.tournament, bot=bot, state=wanted.state, limit=limit, token=token
            )
            found = self.unread.passing((row.id, partial(legible, row)) for row in page.rows)
            rows = tuple(filter(wanted.fits, found))
            token = page.next
            if rows or not token:
                return MatchPage(rows, token)
        return MatchPage((), token)

    def of(self, row: MatchRow) -> Summary:
        """Return what everybody may see of a match that is at hand already."""
        result = result_of(row)
        return Summary(
            id=row.id,
            format=row.format,
            ruleset=row.ruleset,
            entrants=row.entrants,
            meetings=row.meetings,
            state=row.state.value,
            reason=row.reason,
            tournament=row.tournament,
            commitment="" if row.sealed else row.commitment,
            games_done=row.games_done,
            wins=self.wins(row),
            faults=faults(result) if "faults" in result else (),
            created_ms=row.created_ms,
            ended_ms=row.ended_ms,
            outcome=outcome_of(row),
        )

    def attempts(self, row: MatchRow) -> Attempts:
        """Return which attempts at a match of a tournament come before and after this one."""
        if not row.tournament:
            return Attempts("", "")
        match, number = attempt_of(row.id)
        after = nth_attempt(match, number + 1)
        again = row.state is MatchState.VOID and after in self._matches.states_of([after])
        return Attempts(nth_attempt(match, number - 1) if number > 1 else "", after if again else "")

    def wins(self, row: MatchRow) -> tuple[int, ...]:
        """Return the games that each entrant won; empty without a result, and where nobody here knows its format."""
        teams = self.teams(row)
        return () if teams is None else wins(result_of(row), teams)

    def teams(self, row: MatchRow) -> tuple[int, ...] | None:
        """Return the team of each entrant; None where nobody here knows the format."""
        return teams_in(row, self._teams_of)


def outcome_of(row: MatchRow) -> str:
    """Return what became of a match: `rated`, `played` where it moved no ladder, `walkover`, or its state."""
    if row.state not in APPLIED:
        return row.state.value
    if absent(result_of(row)):
        return "walkover"
    return "rated" if row.seq else "played"


def counts(row: MatchRow) -> bool:
    """Return whether a match has a result by which bots are judged: all came, it is over for all, and is not void."""
    result = result_of(row)
    return bool(result) and not absent(result)


def result_of(row: MatchRow) -> Mapping[str, Any]:
    """Return the result of a match as its referee wrote it; empty before the end, and while its deals are played.

    One that is void or parked counts for nobody, and shows none, however much of it was played.

    Raises:
        DamagedError: it cannot be read.
    """
    if not row.result or row.sealed or row.state in LOST:
        return {}
    try:
        return _checked(row)
    except CAUSES as error:
        raise DamagedError("match", row.id, error, OF_A_MATCH.format(row.id)) from error


def moves_ladder(row: MatchRow) -> bool:
    """Return whether a match moves a ladder, or is to once it is over: not one that is void, nor a walkover."""
    return row.rated and row.state is not MatchState.VOID and not absent(result_of(row))


def digest_of(row: MatchRow) -> str:
    """Return the digest of the result of a match; empty where that is not shown."""
    return "" if row.sealed or row.state in LOST else row.digest


def legible(row: MatchRow) -> MatchRow:
    """Return a match whose result, if it has one, can be read.

    Raises:
        DamagedError: it cannot be read.
    """
    result_of(row)
    return row


def _checked(row: MatchRow) -> Mapping[str, Any]:
    """Return a result whose parts are of the kinds that whoever shows it takes them for."""
    result: Mapping[str, Any] = json.loads(row.result)
    seats = len(row.entrants)
    games = [game for meeting in result.get("meetings", ()) for game in meeting["games"]]
    lists = [
        result.get("faults", (0,) * seats),
        *(game[part] for game in games for part in ("ranks", "points", "seats")),
    ]
    if any(len(numbers) != seats or not all(isinstance(number, int) for number in numbers) for numbers in lists):
        raise ValueError(f"its lists are not of {seats} numbers each")
    if any(sorted(game["seats"]) != list(range(seats)) or not isinstance(game["rounds"], int) for game in games):
        raise ValueError("nobody can have sat as it says")
    absent(result)
    return result


def wins(result: Mapping[str, Any], teams: Sequence[int]) -> tuple[int, ...]:
    """Return the games that each entrant won, alone or with its partners; empty without a result."""
    ranks = [game["ranks"] for meeting in result.get("meetings", ()) for game in meeting["games"]]
    sides = [{teams[entrant] for entrant, place in enumerate(places) if place == 1} for places in ranks]
    return tuple(sum(side == {team} for side in sides) for team in teams) if ranks else ()
