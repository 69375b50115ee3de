"""Records of the games of a match that is over, to be downloaded: whoever has them can play everything again."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ladder.names import MATCH, checked
from ladder.store.store import Store
from ladder.web.query import parameters
from ladder.web.waiting import WaitingRoom

RecordsOf = Callable[[Store, str], str]
"""Returns the records of a match, one JSON object a line; raises `RequestError` where they cannot be had."""

PATH: Final = "/api/v1/matches/{id}/records.jsonl"
KEPT: Final = 16
MOST_CHARACTERS: Final = 32 * 1024 * 1024
"""Matches whose records stay in memory, and how long they may be together; the last one always does."""


class Records:
    """The endpoint. Records are made from a match's log, which costs time: of one match after the other, and kept."""

    def __init__(self, store: Store, records_of: RecordsOf) -> None:
        self._store = store
        self._records_of = records_of
        self._kept: OrderedDict[str, str] = OrderedDict()
        self._making = WaitingRoom("records of other matches are being made")

    def route(self) -> Route:
        """Return its address."""
        return Route(PATH, self.records)

    async def records(self, request: Request) -> Response:
        """Return the records of a match as JSON Lines."""
        parameters(request)
        match = checked(MATCH, request.path_params["id"], "id")
        async with self._making.turn():
            if match not in self._kept:
                self._kept[match] = await asyncio.to_thread(self._records_of, self._store, match)
            self._kept.move_to_end(match)
            text = self._kept[match]
            while len(self._kept) > 1 and (len(self._kept) > KEPT or self._characters() > MOST_CHARACTERS):
                self._kept.popitem(last=False)
        headers = {"Content-Disposition": f'attachment; filename="{match}.jsonl"'}
        return Response(text, media_type="application/jsonl", headers=headers)

    def _characters(self) -> int:
        return sum(map(len, self._kept.values()))
