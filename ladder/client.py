"""Talks to LadderService for commands: domain values in and out, our own errors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ladder import wire
from ladder.paging import MOST_PAGE
from ladder.readings.boards import Board
from ladder.readings.profiles import Profile, ProfilePage
from ladder.readings.summaries import Summary
from ladder.readings.watcher import Glimpse
from ladder.rpc.dial import Dial
from lastcard.secret import Secret
from lastcard.v1 import ladder_pb2 as pb
from lastcard.v1.ladder_pb2_grpc import LadderServiceStub


@dataclass(frozen=True, slots=True)
class Registered:
    """A new bot and its token, which is told this once."""

    profile: Profile
    token: Secret


class LadderClient:
    """LadderService over one connection; its calls block and raise `RequestError`."""

    def __init__(self, dial: Dial) -> None:
        self._dial = dial
        self._stub = LadderServiceStub(dial.channel)

    def register(self, name: str, owner: str, request_id: str) -> Registered:
        """Register a bot; the same request again returns the same."""
        request = pb.RegisterBotRequest(name=name, owner=owner, request_id=request_id)
        response = self._dial.call(self._stub.RegisterBot, request)
        return Registered(wire.profile_of(response.bot), Secret(response.token))

    def rotate(self, name: str, request_id: str) -> str:
        """Return a new token of a bot; the same request again returns the same."""
        request = pb.RotateTokenRequest(name=name, request_id=request_id)
        return self._dial.call(self._stub.RotateToken, request).token

    def bot(self, name: str) -> Profile:
        """Return a bot."""
        return wire.profile_of(self._dial.call(self._stub.GetBot, pb.GetBotRequest(name=name)).bot)

    def bots(self, limit: int = MOST_PAGE, token: str = "") -> ProfilePage:
        """Return bots by name."""
        response = self._dial.call(self._stub.ListBots, pb.ListBotsRequest(page_size=limit, page_token=token))
        return ProfilePage(tuple(map(wire.profile_of, response.bots)), response.next_page_token)

    def every_bot(self) -> Iterator[Profile]:
        """Yield all bots by name, page after page."""
        page = self.bots()
        yield from page.profiles
        while page.next:
            page = self.bots(token=page.next)
            yield from page.profiles

    def board(self, name: str, limit: int = MOST_PAGE) -> Board:
        """Return the standings of a format."""
        request = pb.ListStandingsRequest(format=name, page_size=limit)
        return wire.board_of(self._dial.call(self._stub.ListStandings, request))

    def watch(self, match: str) -> Iterator[Glimpse]:
        """Yield a match now and whenever something happens at its tables, until it is over."""
        for response in self._dial.stream(self._stub.WatchMatch, pb.WatchMatchRequest(id=match)):
            yield wire.glimpse_of(response)

    def matches(self, bot: str, limit: int = MOST_PAGE) -> Iterator[Summary]:
        """Yield the newest matches of a bot, at most so many."""
        token = ""
        while limit > 0:
            request = pb.ListMatchesRequest(bot=bot, page_size=min(limit, MOST_PAGE), page_token=token)
            response = self._dial.call(self._stub.ListMatches, request)
            yield from map(wire.summary_of, response.matches)
            limit -= len(response.matches)
            token = response.next_page_token
            if not token:
                return
