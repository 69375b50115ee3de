"""What became of the time of slow, late and wrong answers in a match that is over: for its page and the API."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, TypeAlias

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ladder.errors import RequestError
from ladder.names import MATCH, checked
from ladder.store.errors import DamagedError
from ladder.store.rows import PLAYED, MatchRow
from ladder.store.store import Store
from ladder.web.query import parameters
from ladder.web.waiting import BusyError, WaitingRoom

Times: TypeAlias = Sequence[Mapping[str, Any]]
TimesOf = Callable[[Store, str], Times]
"""Returns the decisions of a match by game, in the shape of the API.

Raises `RequestError` where they cannot be had, `DamagedError` where they cannot be read.
"""

PATH: Final = "/api/v1/matches/{id}/timing"
KEPT: Final = 64
MOST_DECISIONS: Final = 100_000
"""Matches whose decisions stay in memory, and how many these may be together; the last match always does."""
MOST_GAMES: Final = 1_000
"""Matches of more games are not read for a page."""
ON_PAGE: Final = 50
PATIENCE_S: Final = 1.0
"""A page does without, where the decisions of others are read for longer."""
BUSY: Final = "decisions of other matches are being read"


@dataclass(frozen=True, slots=True)
class TimesView:
    """Those that matter most, in their order: of how many, and why there are none."""

    lines: Times
    of: int
    refused: str = ""


class DecisionTimes:
    """Reads them from logs: of one match after the other, and keeps them; threads may share it."""

    def __init__(self, store: Store, times_of: TimesOf) -> None:
        self._store = store
        self._times_of = times_of
        self._kept: OrderedDict[str, Times] = OrderedDict()
        self._reading = Lock()
        self._asking = WaitingRoom(BUSY)

    def route(self) -> Route:
        """Return its address in the API."""
        return Route(PATH, self.answer)

    async def answer(self, request: Request) -> Response:
        """Return all of a match; of those who ask one has a thread, and the others none that pages need."""
        parameters(request)
        match = checked(MATCH, request.path_params["id"], "id")
        async with self._asking.turn():
            decisions = await asyncio.to_thread(self.get, match)
        return JSONResponse({"match": match, "decisions": decisions})

    def get(self, match: str, patience_s: float | None = None) -> Times:
        """Return all of a match, after so many seconds of waiting for others at most; None: however long.

        Raises:
            BusyError: others were read meanwhile.
            RequestError: they cannot be had (yet).
            DamagedError: what the ledger has of the match cannot be read.
        """
        if not self._reading.acquire(timeout=-1 if patience_s is None else patience_s):
            raise BusyError(BUSY)
        try:
            if match not in self._kept:
                self._kept[match] = self._times_of(self._store, match)
            self._kept.move_to_end(match)
            found = self._kept[match]
            while len(self._kept) > 1 and (len(self._kept) > KEPT or self._decisions() > MOST_DECISIONS):
                self._kept.popitem(last=False)
        finally:
            self._reading.release()
        return found

    def view(self, row: MatchRow) -> TimesView | None:
        """Return what the page of a match shows; None where nothing was played, or is not to be read for a page."""
        if row.state not in PLAYED or row.sealed or row.meetings * len(row.entrants) > MOST_GAMES:
            return None
        try:
            found = self.get(row.id, PATIENCE_S)
        except RequestError as error:
            return TimesView((), 0, str(error))
        except DamagedError as error:
            return TimesView((), 0, error.sentence)
        chosen = sorted(range(len(found)), key=lambda place: _weight(found[place]))[:ON_PAGE]
        return TimesView([found[place] for place in sorted(chosen)], len(found))

    def _decisions(self) -> int:
        return sum(map(len, self._kept.values()))


def _weight(line: Mapping[str, Any]) -> tuple[bool, bool, int]:
    """Return what sorts faults first, then what was given back, then the longest."""
    return line["fault"] is None, not line["given_back_ms"], -line["taken_ms"]
