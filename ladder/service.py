"""The servicer of LadderService: translates and delegates."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Final

import grpc.aio

from ladder.door.registration import Registration
from ladder.door.rotation import Rotation
from ladder.door.turnstile import Turnstile
from ladder.names import FORMAT, MATCH, checked
from ladder.paging import MOST_PAGE, page_size, page_token
from ladder.readings.boards import Board, Boards
from ladder.readings.fresh import Fresh
from ladder.readings.gallery import Gallery, Live, Showing
from ladder.readings.profiles import Profiles
from ladder.readings.summaries import Summaries
from ladder.readings.watcher import Watcher
from ladder.rpc.guards import Context
from ladder.rpc.identity import caller, caller_address
from ladder.store.rows import MatchState
from ladder.wire import (
    board_to,
    glimpse_to,
    profile_to,
    standing_to,
    summary_to,
    wanted,
    weights_to,
)
from lastcard.v1 import ladder_pb2 as pb
from lastcard.v1.ladder_pb2_grpc import LadderServiceServicer, add_LadderServiceServicer_to_server

NAME: Final = pb.DESCRIPTOR.services_by_name["LadderService"].full_name
OVER: Final = frozenset({MatchState.RATED, MatchState.ARCHIVED, MatchState.TRIMMED, MatchState.VOID})
"""States after which a match is not followed any further."""


class LadderService(LadderServiceServicer):
    """Bots, standings and matches. What is read without a token is read by everybody in the same way."""

    def __init__(
        self,
        registration: Registration,
        rotation: Rotation,
        profiles: Profiles,
        boards: Boards,
        summaries: Summaries,
        gallery: Gallery,
        turnstile: Turnstile,
        period_s: float = 1.0,
    ) -> None:
        self._registration = registration
        self._rotation = rotation
        self._profiles = profiles
        self._boards = boards
        self._summaries = summaries
        self._turnstile = turnstile
        self._fresh_boards: Fresh[Board] = Fresh(boards.get, period_s)
        self._gallery = gallery
        self._fresh_showings: Fresh[Showing] = Fresh(gallery.get, period_s)

    def register(self, server: grpc.aio.Server) -> None:
        """Add the service to a server."""
        add_LadderServiceServicer_to_server(self, server)

    def close(self) -> None:
        """End the streams."""
        self._fresh_boards.close()
        self._fresh_showings.close()

    async def RegisterBot(self, request: pb.RegisterBotRequest, context: Context) -> pb.RegisterBotResponse:
        """Register a bot and return its token."""
        names = (request.name, request.owner, request.request_id)
        profile, token = await asyncio.to_thread(self._registration.register, *names, caller(), caller_address())
        return pb.RegisterBotResponse(bot=profile_to(profile), token=token)

    async def RotateToken(self, request: pb.RotateTokenRequest, context: Context) -> pb.RotateTokenResponse:
        """Make a new token of a bot."""
        token = await asyncio.to_thread(self._rotation.rotate, request.name, request.request_id, caller())
        return pb.RotateTokenResponse(token=token)

    async def GetBot(self, request: pb.GetBotRequest, context: Context) -> pb.GetBotResponse:
        """Describe a bot."""
        return pb.GetBotResponse(bot=profile_to(await asyncio.to_thread(self._profiles.get, request.name)))

    async def ListBots(self, request: pb.ListBotsRequest, context: Context) -> pb.ListBotsResponse:
        """List bots by name."""
        size, token = page_size(request.page_size), page_token(request.page_token)
        page = await asyncio.to_thread(self._profiles.page, size, token)
        return pb.ListBotsResponse(bots=map(profile_to, page.profiles), next_page_token=page.next)

    async def ListStandings(self, request: pb.ListStandingsRequest, context: Context) -> pb.ListStandingsResponse:
        """List the standings of a format."""
        size = page_size(request.page_size)
        return board_to(await asyncio.to_thread(self._boards.get, checked(FORMAT, request.format, "format")), size)

    async def ListMatches(self, request: pb.ListMatchesRequest, context: Context) -> pb.ListMatchesResponse:
        """List matches, newest first."""
        size, token = page_size(request.page_size), page_token(request.page_token)
        page = await asyncio.to_thread(self._summaries.page, wanted(request), size, token)
        matches = (summary_to(self._summaries.of(row)) for row in page.rows)
        return pb.ListMatchesResponse(matches=matches, next_page_token=page.next)

    async def GetMatch(self, request: pb.GetMatchRequest, context: Context) -> pb.GetMatchResponse:
        """Describe a match."""
        row = await asyncio.to_thread(self._summaries.row, request.id)
        return pb.GetMatchResponse(match=summary_to(self._summaries.of(row)))

    async def WatchStandings(
        self, request: pb.WatchStandingsRequest, context: Context
    ) -> AsyncIterator[pb.WatchStandingsResponse]:
        """Send the standings now and after every change."""
        name = checked(FORMAT, request.format, "format")
        with self._turnstile.enter(caller_address()):
            async for board in self._fresh_boards.changes(name):
                rows = map(standing_to, board.standings[:MOST_PAGE])
                yield pb.WatchStandingsResponse(standings=rows, seq=board.seq, weights=weights_to(board))

    async def WatchMatch(self, request: pb.WatchMatchRequest, context: Context) -> AsyncIterator[pb.WatchMatchResponse]:
        """Send a match now, after every change of its state, and what happens at its tables, to its end."""
        name, watcher = checked(MATCH, request.id, "id"), Watcher(self._summaries)
        with self._turnstile.enter(caller_address()):
            await asyncio.to_thread(self._gallery.get, name, caller_address())
            async for showing in self._fresh_showings.changes(name):
                seen = watcher.see(showing)
                if seen is not None:
                    yield glimpse_to(seen)
                if showing.row.state in OVER and showing.live is not Live.SHOWN:
                    return
