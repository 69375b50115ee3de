"""The pages. Each reads what it shows and hands it to a template; they run in threads, because reading waits."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ladder.errors import TooManyError
from ladder.extent import deadline, never_met, unplayed, waiting_for, were_missing
from ladder.judged import Judged
from ladder.names import FORMAT, checked
from ladder.readings.boards import Board
from ladder.readings.fixtures import Fixture
from ladder.readings.profiles import Profile
from ladder.readings.reads import Reads
from ladder.readings.reports import report_of
from ladder.readings.summaries import OUTCOMES, Wanted, counts, digest_of, outcome_of
from ladder.readings.watcher import Watcher
from ladder.scoreline import score_of
from ladder.standings import Standing
from ladder.store.rows import PLAYED, UNPLAYED, MatchRow
from ladder.web.callers import counted
from ladder.web.chart import Curve, curve
from ladder.web.details import by_seat, entrants, fault_kinds, games
from ladder.web.query import MOST, PAGE, Chosen, number, parameters, switch, token
from ladder.web.render import html
from ladder.web.stage import Stage, stage
from ladder.web.times import DecisionTimes
from ladder.web.views import Sorting, StandingsView, crosstable, standings_view
from lastcard.names import bot_of
from lastcard.proxies import NOBODY, Proxies

LATEST: Final = 10
BEST: Final = 5
SAMPLE: Final = 50
"""Newest matches of a bot that are looked at in detail."""


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A match in a list."""

    row: MatchRow
    wins: tuple[int, ...]
    outcome: str


@dataclass(frozen=True, slots=True)
class BoardView:
    """A ladder in the overview: its best bots."""

    board: Board
    view: StandingsView

    @property
    def lines(self) -> tuple[Any, ...]:
        """The best bots."""
        return self.view.lines

    @property
    def axis(self) -> object:
        """The scale of their bars."""
        return self.view.axis


@dataclass(frozen=True, slots=True)
class OpponentLine:
    """An opponent with what the ratings let expect."""

    opponent: str
    games: int
    score: float
    expected: float


@dataclass(frozen=True, slots=True)
class LadderOfBot:
    """What a bot did on one ladder."""

    format: str
    standing: Standing
    lc_versions: tuple[str, ...]
    """Of the weights by which luck was taken out of the rating."""
    size: int
    score: float
    curve: Curve | None
    points: int
    first: float
    last: float
    """Live Elo; `first`, `highest` and `lowest` likewise."""
    highest: float
    lowest: float
    opponents: tuple[OpponentLine, ...]


class Pages:
    """The endpoints of all pages."""

    def __init__(
        self, reads: Reads, times: DecisionTimes | None = None, *, records: bool = False, proxies: Proxies = NOBODY
    ) -> None:
        """`records`: those of games may be downloaded; `proxies`: whose word counts on where a request comes from."""
        self._reads = reads
        self._times = times
        self._proxies = proxies
        self._records = records

    def routes(self) -> list[Route]:
        """Return the addresses of all pages."""
        return [
            Route("/", self.overview),
            Route("/ladders", self.ladders),
            Route("/ladders/{format}", self.ladder),
            Route("/bots", self.bots),
            Route("/bots/{name}", self.bot),
            Route("/tournaments", self.tournaments),
            Route("/tournaments/{name}", self.tournament),
            Route("/matches", self.matches),
            Route("/matches/{id}", self.match),
        ]

    def overview(self, request: Request) -> Response:
        """Show what goes on."""
        parameters(request)
        boards = [board_view(board) for board in self._reads.boards.every()]
        tournaments = self._reads.fixtures.page(BEST).fixtures
        matches = self._reads.summaries.page(Wanted(), LATEST).rows
        shown = {"boards": boards, "tournaments": tournaments, "matches": self._lines(matches)}
        return html("overview.html", shown | {"census": self._reads.census()})

    def ladders(self, request: Request) -> Response:
        """List all ladders."""
        parameters(request)
        return html("ladders.html", {"boards": self._reads.boards.every()})

    def ladder(self, request: Request) -> Response:
        """Show the standings of a format."""
        found = parameters(request, "sort", "order", "online", "min_meetings", "from")
        board = self._reads.boards.get(checked(FORMAT, request.path_params["format"], "format"))
        online, least = switch(found, "online"), number(found, "min_meetings", 0, 0, 1_000_000)
        rows = [row for row in board.standings if row.meetings >= least]
        if online:
            there = self._reads.profiles.online()
            rows = [row for row in rows if bot_of(row.bot) in there]
        filters = [*([("online", "1")] if online else []), *([("min_meetings", str(least))] if least else [])]
        first = number(found, "from", 1, 1, 1_000_000)
        view = standings_view(rows, Sorting.of(found), board.errors, first=first, filters=filters)
        shown = {"board": board, "view": view, "report": report_of(self._reads.store, board.format)}
        return html("ladder.html", {**shown, "online": online, "min_meetings": least})

    def bots(self, request: Request) -> Response:
        """List bots by name."""
        page = self._reads.profiles.page(PAGE, token(parameters(request, "page_token")))
        return html("bots.html", {"bots": page.profiles, "next": page.next})

    def bot(self, request: Request) -> Response:
        """Show a bot."""
        parameters(request)
        profile = self._reads.profiles.get(request.path_params["name"])
        rows = self._reads.summaries.page(Wanted(bot=profile.name), SAMPLE).rows
        finished = list(filter(counts, rows))
        details = {
            "seats": by_seat(finished, profile.name, self._reads.summaries.teams),
            "faults": fault_kinds(finished, profile.name),
            "sample": len(finished),
        }
        ladders = [ladder for board in self._reads.boards.every() for ladder in self._of_bot(board, profile)]
        return html("bot.html", {"bot": profile, "ladders": ladders, "matches": self._lines(rows[:LATEST]), **details})

    def tournaments(self, request: Request) -> Response:
        """List tournaments."""
        page = self._reads.fixtures.page(PAGE, token(parameters(request, "page_token")))
        return html("tournaments.html", {"tournaments": page.fixtures, "next": page.next})

    def tournament(self, request: Request) -> Response:
        """Show a tournament."""
        found = parameters(request, "sort", "order", "from")
        fixture = self._reads.fixtures.get(request.path_params["name"])
        table = self._reads.fixtures.table(fixture)
        first = number(found, "from", 1, 1, 1_000_000)
        ranks = table.shown_ranks()
        view = standings_view(table.standings, Sorting.of(found), first=first, fits=True, ranks=ranks)
        entrants = fixture.row.entrants
        remarks = (
            unplayed((row.bot for row in table.standings), entrants) if table.standings else "",
            never_met(table.groups, entrants),
        )
        matches = self._reads.summaries.page(Wanted(tournament=fixture.row.name), LATEST).rows
        shown = {
            "tournament": fixture,
            "row": fixture.row,
            "view": view,
            "cross": crosstable(table),
            "corrected": table.corrected,
            "seats": table.seats,
            "pairs": table.pairs,
            "walkovers": were_missing(table.walkovers, entrants),
            "remarks": remarks,
            "known": table.known,
            "lc_versions": table.lc_versions,
            "low": bool(self._reads.low_of(fixture.format)),
            "deadline": deadline(fixture.deals, fixture.spec.get("deadline_s")),
            "sprt": Judged(**judged).words if (judged := fixture.spec.get("sprt")) else "",
            "waiting": _waiting(fixture),
        }
        ruleset = matches[0].ruleset if matches else ""
        return html("tournament.html", shown | {"matches": self._lines(matches), "ruleset": ruleset})

    def matches(self, request: Request) -> Response:
        """List matches."""
        found = parameters(request, *Chosen.NAMES)
        chosen = Chosen.of(found)
        page = self._reads.summaries.page(chosen.wanted(), number(found, "page_size", PAGE, 1, MOST), token(found))
        shown = {"matches": self._lines(page.rows), "next": page.next, "chosen": chosen}
        return html("matches.html", shown | {"outcomes": OUTCOMES})

    def match(self, request: Request) -> Response:
        """Show a match."""
        parameters(request)
        row = self._reads.summaries.row(request.path_params["id"])
        luck, did = self._reads.luck.get(row), entrants(row, self._reads.summaries.wins(row))
        shown: dict[str, object] = {"row": row, "entrants": did, "games": games(row, luck), "luck": luck}
        shown |= {"attempts": self._reads.summaries.attempts(row)}
        shown |= {"outcome": outcome_of(row), "digest": digest_of(row), "faulty": any(line.kinds for line in did)}
        shown |= {"unplayed": row.state in UNPLAYED, "stage": None, "refused": ""}
        if shown["unplayed"]:
            try:
                shown["stage"] = self._stage(row.id, request)
            except TooManyError as refused:
                shown["refused"] = str(refused)
        shown["times"] = self._times and self._times.view(row)
        shown["records"] = self._records and bool(shown["games"]) and row.state in PLAYED
        return html("match.html", shown)

    def _stage(self, match: str, request: Request) -> Stage | None:
        """Return what is drawn of a match that is to be played, or is being played; who sees its page watches it."""
        showing = self._reads.gallery.get(match, counted(request, self._proxies))
        seen = Watcher(self._reads.summaries).see(showing)
        return stage(seen) if seen else None

    def _lines(self, rows: Iterable[MatchRow]) -> list[MatchLine]:
        """Return matches as lists show them."""
        return [MatchLine(row, self._reads.summaries.wins(row), outcome_of(row)) for row in rows]

    def _of_bot(self, board: Board, profile: Profile) -> Iterable[LadderOfBot]:
        """Yield the newest version of a bot that is on a ladder, if any."""
        rated = {row.bot: row for row in board.standings}
        newest = next((rated[version.id] for version in reversed(profile.versions) if version.id in rated), None)
        if newest is None:
            return
        steps = self._reads.histories.steps(board.format, newest.bot)
        ratings = [step.elo for step in steps] or [newest.raw_elo]
        elo = {row.bot: row.raw_elo for row in board.standings}
        opponents = (
            OpponentLine(line.opponent, line.games, line.score, score_of(newest.raw_elo - elo[line.opponent]))
            for line in self._reads.histories.opponents(board.format, newest.bot)
            if line.opponent in elo
        )
        total = newest.wins + newest.ties + newest.losses
        yield LadderOfBot(
            format=board.format,
            standing=newest,
            lc_versions=board.lc_versions,
            size=len(board.standings),
            score=(newest.wins + newest.ties / 2) / total if total else 0.0,
            curve=curve([(step.number, step.elo) for step in steps]),
            points=steps[-1].number if steps else 0,
            first=ratings[0],
            last=ratings[-1],
            highest=max(ratings),
            lowest=min(ratings),
            opponents=tuple(opponents),
        )


def board_view(board: Board) -> BoardView:
    """Return a ladder as the overview shows it."""
    return BoardView(board, standings_view(board.standings[:BEST], Sorting(), board.errors))


def _waiting(fixture: Fixture) -> str:
    """Say whom a tournament waits for, and why; nothing where that is nobody."""
    awaited = fixture.awaited
    if not awaited.bots:
        return ""
    return waiting_for(awaited.bots, awaited.others, awaited.not_offering, fixture.row.entrants)
