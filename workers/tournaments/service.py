"""The TournamentService servicer: translates and delegates; the desk works in a thread, since the store blocks."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any, Final, TypeAlias

import grpc.aio

from ladder import wire as ladder_wire
from ladder.door.doer import doer
from ladder.door.turnstile import Turnstile
from ladder.names import checked
from ladder.paging import page_size, page_token
from ladder.readings.fresh import Fresh
from ladder.readings.match_luck import MatchLucks
from ladder.readings.summaries import Summaries
from ladder.rpc.identity import caller, caller_address
from ladder.store.rows import MatchRow
from lastcard.names import TOURNAMENT
from lastcard.v1 import tournament_pb2 as pb
from lastcard.v1 import tournament_pb2_grpc as rpc
from workers.tournaments import wire
from workers.tournaments.desk import Desk
from workers.tournaments.life import Verb
from workers.tournaments.played_match import ResultsPage
from workers.tournaments.results import Results
from workers.tournaments.rights import Rights
from workers.tournaments.tournament_status import Created, TournamentStatus

__all__ = ["SERVICE", "TournamentService"]

SERVICE: Final = "lastcard.v1.TournamentService"

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"


class TournamentService(rpc.TournamentServiceServicer):
    """Tournaments over gRPC. Reading is public; who may write what says `Rights`."""

    def __init__(
        self, desk: Desk, summaries: Summaries, lucks: MatchLucks, turnstile: Turnstile, *, vouched: bool = False
    ) -> None:
        """`vouched`: operators vouch for the names of owners."""
        self._desk = desk
        self._rights = Rights(desk.store, vouched)
        self._summaries = summaries
        self._results = Results(desk.store, desk.formats, summaries, lucks)
        self._turnstile = turnstile
        self._fresh: Fresh[TournamentStatus] = Fresh(desk.get)

    def register(self, server: grpc.aio.Server) -> None:
        """Make a server answer for it."""
        rpc.add_TournamentServiceServicer_to_server(self, server)

    def close(self) -> None:
        """End all watches: the server is about to stop."""
        self._fresh.close()

    async def Plan(self, request: pb.PlanRequest, context: Context) -> pb.PlanResponse:
        """Say what a tournament would play."""
        spec = wire.spec_of(request.spec)
        wire.deal_seed_of(request.spec)  # it says nothing of the plan, but is refused as `Create` will
        return wire.proposal_to(await asyncio.to_thread(self._desk.proposal, spec))

    async def Create(self, request: pb.CreateRequest, context: Context) -> pb.CreateResponse:
        """Create a tournament."""
        identity, spec, seed = caller(), wire.spec_of(request.spec), wire.deal_seed_of(request.spec)

        def create() -> Created:
            maker = self._rights.to_create(identity, spec, seeded=bool(seed))
            return self._desk.create(spec, seed, doer(identity), maker)

        created = await asyncio.to_thread(create)
        status = wire.status_to(created.status)
        return pb.CreateResponse(tournament=status, existed=created.existed, warnings=created.warnings)

    async def Get(self, request: pb.GetRequest, context: Context) -> pb.GetResponse:
        """Describe a tournament."""
        status = await asyncio.to_thread(self._desk.get, request.name)
        return pb.GetResponse(tournament=wire.status_to(status))

    async def ListResults(self, request: pb.ListResultsRequest, context: Context) -> pb.ListResultsResponse:
        """List what became of the matches of a tournament."""
        size = page_size(request.page_size)

        def read() -> ResultsPage:
            status = self._desk.glance(request.tournament)  # first: once it is over, no match is still to end
            return ResultsPage(self._results.of(request.tournament, request.first, size), status)

        return wire.results_to(await asyncio.to_thread(read))

    async def List(self, request: pb.ListRequest, context: Context) -> pb.ListResponse:
        """List tournaments."""
        size, token = page_size(request.page_size), page_token(request.page_token)
        page = await asyncio.to_thread(self._desk.list, size, token)
        return pb.ListResponse(tournaments=map(wire.status_to, page.statuses), next_page_token=page.next)

    async def Watch(self, request: pb.WatchRequest, context: Context) -> AsyncIterator[pb.WatchResponse]:
        """Send a tournament now and after every change, until it has ended."""
        name = checked(TOURNAMENT, request.name, "name")
        with self._turnstile.enter(caller_address()):
            async for status in self._fresh.changes(name):
                yield pb.WatchResponse(tournament=wire.status_to(status))
                if status.state.over:
                    return

    async def Pause(self, request: pb.PauseRequest, context: Context) -> pb.PauseResponse:
        """Start no more matches."""
        return pb.PauseResponse(tournament=await self._turn(request.name, Verb.PAUSE, request.reason))

    async def Resume(self, request: pb.ResumeRequest, context: Context) -> pb.ResumeResponse:
        """Go on."""
        return pb.ResumeResponse(tournament=await self._turn(request.name, Verb.RESUME, request.reason))

    async def Cancel(self, request: pb.CancelRequest, context: Context) -> pb.CancelResponse:
        """End a tournament."""
        return pb.CancelResponse(tournament=await self._turn(request.name, Verb.CANCEL, request.reason))

    async def VoidMatch(self, request: pb.VoidMatchRequest, context: Context) -> pb.VoidMatchResponse:
        """Void a match."""
        row = await self._judged(request.id, lambda who: self._desk.void(request.id, request.reason, who))
        again = await asyncio.to_thread(self._desk.replay_of, row)
        return pb.VoidMatchResponse(match=ladder_wire.summary_to(self._summaries.of(row)), replay=again)

    async def Requeue(self, request: pb.RequeueRequest, context: Context) -> pb.RequeueResponse:
        """Put a parked match back, or play a void one again."""
        row = await self._judged(
            request.id, lambda who: self._desk.requeue(request.id, request.reason, who), again=True
        )
        return pb.RequeueResponse(match=ladder_wire.summary_to(self._summaries.of(row)))

    async def _turn(self, name: str, verb: Verb, reason: str) -> pb.Tournament:
        identity = caller()

        def turn() -> TournamentStatus:
            self._rights.to_steer(identity, name)
            return self._desk.turn(name, verb, reason, doer(identity))

        return wire.status_to(await asyncio.to_thread(turn))

    async def _judged(self, match: str, act: Callable[[str], MatchRow], *, again: bool = False) -> MatchRow:
        """Do something with a match in the name of the caller, who has to be allowed to."""
        identity = caller()

        def judge() -> MatchRow:
            self._rights.to_judge(identity, match, again=again)
            return act(doer(identity))

        return await asyncio.to_thread(judge)
