"""Talks to TournamentService for commands: domain values in and out, our own errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ladder import wire as ladder_wire
from ladder.paging import DEFAULT_PAGE
from ladder.readings.summaries import Summary
from ladder.rpc.dial import Dial
from lastcard.secret import Secret
from lastcard.v1 import tournament_pb2 as pb
from lastcard.v1.tournament_pb2_grpc import TournamentServiceStub
from workers.tournaments import wire
from workers.tournaments.life import Verb
from workers.tournaments.played_match import ResultsPage
from workers.tournaments.spec import TournamentSpec
from workers.tournaments.tournament_status import Created, Plan, Proposal, StatusPage, TournamentStatus

__all__ = ["TournamentClient", "Voided"]


@dataclass(frozen=True, slots=True)
class Voided:
    """A match that was declared void."""

    match: Summary
    replay: str
    """The id under which `requeue` plays it again; empty: it does not."""


class TournamentClient:
    """TournamentService over one connection; its calls block and raise `RequestError`."""

    def __init__(self, dial: Dial) -> None:
        self._dial = dial
        self._stub = TournamentServiceStub(dial.channel)

    def plan(self, spec: TournamentSpec) -> Plan:
        """Return what a tournament would play."""
        return self.proposal(spec).plan

    def proposal(self, spec: TournamentSpec) -> Proposal:
        """Return what a tournament would be, and who is there and could not play it."""
        return wire.proposal_of(self._dial.call(self._stub.Plan, pb.PlanRequest(spec=wire.spec_to(spec))))

    def create(self, spec: TournamentSpec, deal_seed: bytes | Secret = b"") -> Created:
        """Create a tournament; the same one again is the one that is there."""
        response = self._dial.call(self._stub.Create, pb.CreateRequest(spec=wire.spec_to(spec, deal_seed)))
        return Created(wire.status_of(response.tournament), response.existed, tuple(response.warnings))

    def get(self, name: str) -> TournamentStatus:
        """Return a tournament with its table."""
        return wire.status_of(self._dial.call(self._stub.Get, pb.GetRequest(name=name)).tournament)

    def list(self, limit: int = DEFAULT_PAGE, token: str = "") -> StatusPage:
        """Return tournaments, newest first."""
        response = self._dial.call(self._stub.List, pb.ListRequest(page_size=limit, page_token=token))
        return StatusPage(tuple(map(wire.status_of, response.tournaments)), response.next_page_token)

    def results(self, name: str, first: int = 0, limit: int = DEFAULT_PAGE) -> ResultsPage:
        """Return matches of a tournament in the order of its schedule, from number `first` (0 the first) on."""
        request = pb.ListResultsRequest(tournament=name, first=first, page_size=limit)
        return wire.results_of(self._dial.call(self._stub.ListResults, request))

    def watch(self, name: str) -> Iterator[TournamentStatus]:
        """Yield a tournament now and after every change, until it has ended."""
        for response in self._dial.stream(self._stub.Watch, pb.WatchRequest(name=name)):
            yield wire.status_of(response.tournament)

    def turn(self, name: str, verb: Verb, reason: str = "") -> TournamentStatus:
        """Pause, resume or cancel a tournament."""
        match verb:
            case Verb.PAUSE:
                paused = self._dial.call(self._stub.Pause, pb.PauseRequest(name=name, reason=reason))
                return wire.status_of(paused.tournament)
            case Verb.RESUME:
                resumed = self._dial.call(self._stub.Resume, pb.ResumeRequest(name=name, reason=reason))
                return wire.status_of(resumed.tournament)
            case Verb.CANCEL:
                cancelled = self._dial.call(self._stub.Cancel, pb.CancelRequest(name=name, reason=reason))
                return wire.status_of(cancelled.tournament)

    def void(self, match: str, reason: str) -> Voided:
        """Declare a match void."""
        response = self._dial.call(self._stub.VoidMatch, pb.VoidMatchRequest(id=match, reason=reason))
        return Voided(ladder_wire.summary_of(response.match), response.replay)

    def requeue(self, match: str, reason: str = "") -> Summary:
        """Put a parked match back, or play a void one again."""
        response = self._dial.call(self._stub.Requeue, pb.RequeueRequest(id=match, reason=reason))
        return ladder_wire.summary_of(response.match)
