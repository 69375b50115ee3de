"""The same as JSON and CSV, below `/api/v1`, in the shapes that the commands print with `--json`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ladder import shapes
from ladder.errors import InvalidFieldError
from ladder.names import FORMAT, MATCH, checked
from ladder.readings.reads import Reads
from ladder.readings.reports import report_of
from ladder.readings.summaries import digest_of, moves_ladder, result_of
from ladder.readings.watcher import Watcher
from ladder.store.rows import MatchRow
from ladder.web.callers import counted
from ladder.web.query import MOST, Chosen, number, parameters, token
from ladder.web.told import Reckoned
from lastcard.proxies import NOBODY, Proxies

ROOT: Final = "/api/v1"
PAGE: Final = 100
BOTS: Final = ("name", "owner", "created", "online", "house", "retired")
MATCHES: Final = (
    *("id", "format", "ruleset", "entrants", "meetings", "state", "reason", "tournament", "games_done"),
    *("wins", "faults", "created", "ended"),
)


class Api:
    """The endpoints of the API."""

    def __init__(
        self,
        reads: Reads,
        more: Sequence[Route] = (),
        *,
        reckoned: Reckoned | None = None,
        proxies: Proxies = NOBODY,
    ) -> None:
        """`more`: further addresses below the root; `proxies`: whose word counts on where a request comes from.

        Without `reckoned` nothing is told of a tournament that takes rules or schedules.
        """
        self._reads = reads
        self._reckoned = reckoned
        self._proxies = proxies
        self._more = more

    def routes(self) -> list[Route]:
        """Return the addresses of the API."""
        endpoints = {
            "": self.index,
            "/ladders": self.ladders,
            "/ladders/{format}": self.ladder,
            "/ladders/{format}/standings.csv": self.ladder_csv,
            "/ladders/{format}/report": self.report,
            "/bots": self.bots,
            "/bots.csv": self.bots_csv,
            "/bots/{name}": self.bot,
            "/bots/{name}/history": self.history,
            "/tournaments": self.tournaments,
            "/tournaments/{name}": self.tournament,
            "/tournaments/{name}/standings.csv": self.tournament_csv,
            "/tournaments/{name}/pairs.csv": self.pairs_csv,
            "/matches": self.matches,
            "/matches.csv": self.matches_csv,
            "/matches/{id}": self.match,
            "/matches/{id}/live": self.live,
        }
        return [*(Route(f"{ROOT}{path}", endpoint) for path, endpoint in endpoints.items()), *self._more]

    def index(self, request: Request) -> Response:
        """List what there is."""
        parameters(request)
        return JSONResponse({"addresses": [route.path for route in self.routes()]})

    def ladders(self, request: Request) -> Response:
        """List ladders, without their standings."""
        parameters(request)
        boards = self._reads.boards.every()
        fields = [
            {"format": board.format, "ruleset": board.ruleset, "seq": board.seq, "bots": len(board.standings)}
            | {"matches": board.matches}
            for board in boards
        ]
        return JSONResponse({"ladders": fields})

    def ladder(self, request: Request) -> Response:
        """Return the standings of a format."""
        parameters(request)
        return JSONResponse(shapes.board(self._reads.boards.get(_format(request))))

    def ladder_csv(self, request: Request) -> Response:
        """Return the standings of a format as CSV."""
        parameters(request)
        board = self._reads.boards.get(_format(request))
        return _csv(f"{board.format}.csv", shapes.board_csv(board))

    def report(self, request: Request) -> Response:
        """Return what the last nightly look through a ladder's results found."""
        parameters(request)
        board = self._reads.boards.get(_format(request))
        report = report_of(self._reads.store, board.format)
        return JSONResponse({"format": board.format, "report": report and shapes.night_report(report)})

    def bots(self, request: Request) -> Response:
        """List bots by name."""
        page = self._reads.profiles.page(*_page(request))
        return _listed("bots", [shapes.profile(bot) for bot in page.profiles], page.next)

    def bots_csv(self, request: Request) -> Response:
        """List bots by name as CSV."""
        page = self._reads.profiles.page(*_page(request))
        rows = [shapes.profile(bot) for bot in page.profiles]
        return _csv("bots.csv", shapes.csv_table(BOTS, rows), page.next)

    def bot(self, request: Request) -> Response:
        """Return a bot with its place on every ladder."""
        parameters(request)
        profile = self._reads.profiles.get(request.path_params["name"])
        own = {version.id for version in profile.versions}
        boards = [(board, [row for row in board.standings if row.bot in own]) for board in self._reads.boards.every()]
        ladders = {
            board.format: [shapes.standing(row, shapes.OF_LADDER) for row in rows] for board, rows in boards if rows
        }
        versions = {board.format: list(board.lc_versions) for board, rows in boards if rows}
        return JSONResponse(shapes.profile(profile) | {"ladders": ladders, shapes.VERSIONS: versions})

    def history(self, request: Request) -> Response:
        """Return the live rating of a bot's versions after each rated match."""
        found = parameters(request, "format", "version")
        profile = self._reads.profiles.get(request.path_params["name"])
        if not found.get("format"):
            formats = [board.format for board in self._reads.boards.every()]
            sentence = f"a history is that on one ladder: say which, like ?format={formats[0] if formats else 'FORMAT'}"
            raise InvalidFieldError("PARAMETER_NEEDED", sentence, field="format", value="", allowed=formats)
        board = self._reads.boards.get(checked(FORMAT, found["format"], "format"))
        versions = [version.id for version in profile.versions]
        chosen = found.get("version", versions[-1] if versions else "")
        if chosen not in versions:
            sentence = f"{profile.name} has no version {chosen!r}"
            raise InvalidFieldError("UNKNOWN_VERSION", sentence, field="version", value=chosen, allowed=versions)
        steps = self._reads.histories.steps(board.format, chosen)
        fields = [{"number": step.number, "seq": step.seq, "elo": step.elo} for step in steps]
        return JSONResponse({"format": board.format, "bot": chosen, "history": fields})

    def tournaments(self, request: Request) -> Response:
        """List tournaments, newest first, without their tables."""
        page = self._reads.fixtures.page(*_page(request))
        return _listed("tournaments", [shapes.fixture(fixture) for fixture in page.fixtures], page.next)

    def tournament(self, request: Request) -> Response:
        """Return a tournament with its table."""
        parameters(request)
        fixtures = self._reads.fixtures
        fixture = fixtures.get(request.path_params["name"])
        row, table = fixture.row, fixtures.table(fixture)
        reckoned = fixtures.unread.one(row.name, partial(self._reckoned, row, table)) if self._reckoned else {}
        return JSONResponse(shapes.fixture(fixture) | reckoned | shapes.of_table(table))

    def tournament_csv(self, request: Request) -> Response:
        """Return the standings of a tournament as CSV."""
        parameters(request)
        fixture = self._reads.fixtures.get(request.path_params["name"])
        return _csv(f"{fixture.row.name}.csv", shapes.standings_csv(self._reads.fixtures.table(fixture)))

    def pairs_csv(self, request: Request) -> Response:
        """Return every pair of a tournament as CSV."""
        parameters(request)
        fixture = self._reads.fixtures.get(request.path_params["name"])
        return _csv(f"{fixture.row.name}-pairs.csv", shapes.pairs_csv(self._reads.fixtures.table(fixture)))

    def matches(self, request: Request) -> Response:
        """List matches, newest first."""
        rows, following = self._matches(request)
        return _listed("matches", self._shapes(rows), following)

    def matches_csv(self, request: Request) -> Response:
        """List matches, newest first, as CSV."""
        rows, following = self._matches(request)
        return _csv("matches.csv", shapes.csv_table(MATCHES, self._shapes(rows)), following)

    def live(self, request: Request) -> Response:
        """Return what everybody may see of a match that is being played; asked once a second it misses little."""
        parameters(request)
        match = checked(MATCH, request.path_params["id"], "id")
        showing = self._reads.gallery.get(match, counted(request, self._proxies))
        seen = Watcher(self._reads.summaries).see(showing)
        return JSONResponse(shapes.glimpse(seen) if seen else {}, headers={"Cache-Control": "no-store"})

    def match(self, request: Request) -> Response:
        """Return a match with its complete result."""
        parameters(request)
        row = self._reads.summaries.row(request.path_params["id"])
        luck = self._reads.luck.get(row)
        more = {
            "deals": row.deals,
            "rated": moves_ladder(row),
            "digest": digest_of(row) or None,
            "seq": row.seq or None,
        }
        more |= {"sealed": row.sealed, "result": result_of(row) or None}
        attempts = self._reads.summaries.attempts(row)
        more |= {"replay_of": attempts.before or None, "replayed_as": attempts.after or None}
        more |= {"luck": luck and {"lc_version": luck.version, "games": luck.games}}
        return JSONResponse(shapes.summary(self._reads.summaries.of(row)) | more)

    def _matches(self, request: Request) -> tuple[Sequence[MatchRow], str]:
        found = parameters(request, *Chosen.NAMES)
        page = self._reads.summaries.page(
            Chosen.of(found).wanted(), number(found, "page_size", PAGE, 1, MOST), token(found)
        )
        return page.rows, page.next

    def _shapes(self, rows: Sequence[MatchRow]) -> list[dict[str, Any]]:
        return [shapes.summary(self._reads.summaries.of(row)) for row in rows]


def _format(request: Request) -> str:
    return checked(FORMAT, request.path_params["format"], "format")


def _page(request: Request) -> tuple[int, str]:
    found = parameters(request, "page_size", "page_token")
    return number(found, "page_size", PAGE, 1, MOST), token(found)


def _listed(name: str, rows: list[dict[str, Any]], following: str) -> Response:
    return JSONResponse({name: rows, "next_page_token": following or None})


def _csv(name: str, text: str, following: str = "") -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    if following:
        headers["Next-Page-Token"] = following
    return Response(text, media_type="text/csv", headers=headers)
