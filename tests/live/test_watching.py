"""Who watches a match sees what all seats see, turn by turn, and nothing else: real parts, real wire."""

from __future__ import annotations

import asyncio
import signal
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from threading import Event
from typing import Any

import grpc
import pytest

from ladder.store import Store
from ladder.store.errors import StoreUnavailableError
from ladder.store.local import LocalStore
from ladder.store.rows import MatchState
from lastcard import Bot, Option, Turn
from lastcard.proxies import Proxies
from lastcard.v1 import ladder_pb2 as pb
from lastcard.v1.ladder_pb2_grpc import LadderServiceStub
from referee import logbook
from referee.fold import redo
from referee.hosting import audience
from referee.hosting.resp import OnReply, RespConnection
from referee.hosting.takeover import spec_of
from referee.match import MatchPlay
from referee.table import Table
from tests.ladder_running import Running, running_ladder, settings_for
from tests.live.blows import BLOWS, Blow
from tests.live.house import ENDED, FORMAT, ended, house, plan, result
from tests.live.process import spawn
from tests.live.test_handover import bots_at
from tests.live.test_matches import Greedy
from tests.patience import PATIENCE_S, PAUSE_S, until
from workers.house.ports import LOOPBACK, free

Round = tuple[int, int, int]
"""Meeting, game and round."""


class Thoughtful(Bot):
    """Waits until it is watched, and thinks for a moment then."""

    max_games = 1

    def __init__(self, begin: Event | None = None, format_name: str = FORMAT) -> None:
        self.formats = (format_name,)
        self._begin = begin

    async def choose(self, turn: Turn) -> Option:
        """Take a moment."""
        while self._begin and not self._begin.is_set():  # noqa: ASYNC110  (of the other loop)
            await asyncio.sleep(PAUSE_S)
        await asyncio.sleep(0.05)
        return turn.options[0]


class Eyes:
    """What one saw who watched: the events of each round by number, and the states of the match."""

    def __init__(self) -> None:
        self.events: dict[Round, dict[int, tuple[int, ...]]] = defaultdict(dict)
        self.ends: dict[Round, pb.LiveEnd] = {}
        self.live: list[int] = []
        self.states: list[int] = []
        self.skipped = self.responses = self.gaps = 0
        self.begun = Event()

    def take(self, response: pb.WatchMatchResponse) -> None:
        """Look at a response."""
        self.responses += 1
        self.skipped += response.skipped
        if response.live == pb.LIVE_STATE_SHOWN:
            self.begun.set()
        for seen, now in ((self.live, response.live), (self.states, response.match.state)):
            if seen[-1:] != [now]:
                seen.append(now)
        for table in response.tables:
            key = (table.meeting, table.game, table.round)
            known = self.events[key]
            self.gaps += table.first_event > len(known)
            columns = zip(table.event_kind, table.event_seat, table.event_card, table.event_arg, strict=True)
            known.update(enumerate(columns, table.first_event))
            if table.HasField("end"):
                self.ends[key] = table.end


@asynccontextmanager
async def watched(store: Store, server: LocalStore, folder: Path) -> AsyncIterator[Running]:
    """Run a ladder beside whatever plays."""
    async with running_ladder(settings_for(server.url, store.keys.tenant, folder)) as ladder:
        yield ladder


async def follow(ladder: Running, match: str, eyes: Eyes | None = None) -> Eyes:
    """Watch a match until it is over."""
    seen = eyes or Eyes()
    async with asyncio.timeout(PATIENCE_S):
        async for response in ladder.stub.WatchMatch(pb.WatchMatchRequest(id=match)):
            seen.take(response)
            if response.live == pb.LIVE_STATE_OVER:
                break
    return seen


class Keeping(MatchPlay):
    """A match that keeps the public events of its rounds."""

    def __init__(self, *args: Any) -> None:  # noqa: ANN401 - as its base
        self.kept: dict[Round, bytes] = {}
        super().__init__(*args)

    def end_round(self, table: Table) -> bytes:
        """Keep them."""
        finished, number = table.round, table.game.round_index
        record = super().end_round(table)
        self.kept[(*divmod(table.index, len(self.spec.entrants)), number)] = bytes(finished.events)
        return record


def public(store: Store, match: str) -> dict[Round, bytes]:
    """Return the events of every round of a match as everybody may see them, made from its log."""
    return folded(store, match).kept


def folded(store: Store, match: str) -> Keeping:
    """Return a match as far as the log has it."""
    spec, seed = spec_of(store.matches.get(match)), store.matches.seed(match)
    assert spec is not None
    play = Keeping(spec, seed)
    for _, _, entry in store.matches.log(match):
        for record in logbook.records(entry):
            redo(play, record)
    return play


def told(eyes: Eyes) -> dict[Round, bytes]:
    """Return the events that one saw, of rounds whose end he saw."""
    return {
        key: b"".join(bytes(known[number]) for number in sorted(known))
        for key, known in eyes.events.items()
        if key in eyes.ends
    }


async def test_a_match_is_followed_turn_by_turn(store: Store, store_server: LocalStore, tmp_path: Path) -> None:
    """Two who watch see every public event of every round once, without a gap, and share what the referee writes."""
    async with house(store, tmp_path) as home, watched(store, store_server, tmp_path) as ladder:
        eyes = [Eyes(), Eyes()]
        bots = [await home.join(name, Thoughtful(one.begun)) for name, one in zip(("ann", "ben"), eyes, strict=True)]
        await home.plan(plan("w.1.1.0", *bots))
        await asyncio.gather(*(follow(ladder, "w.1.1.0", one) for one in eyes))
        scenes = await asyncio.to_thread(store.scenes.read, "w.1.1.0")
    for one in eyes:
        assert (one.gaps, one.skipped) == (0, 0)
        assert told(one) == public(store, "w.1.1.0")
        assert all(sum(end.points) > 0 and list(end.game_places) for end in one.ends.values())
        assert one.responses > 4
    numbers = [
        (table.key, table.round, table.first) for scene in scenes[0] if not scene.whole for table in scene.tables
    ]
    assert len(numbers) == len(set(numbers)), "written once, however many watch"


@pytest.mark.thorough
async def test_all_of_a_crowd_see_everything_and_cost_the_bots_nothing(
    store: Store, store_server: LocalStore, tmp_path: Path
) -> None:
    """A hundred and twenty from as many addresses: none has a gap, the match is read once for all, nobody is late."""
    crowd, begin = [Eyes() for _ in range(120)], Event()
    proxies = Proxies.of({"LASTCARD_TRUSTED_PROXIES": "127.0.0.1"})
    settings = replace(settings_for(store_server.url, store.keys.tenant, tmp_path), proxies=proxies)
    async with house(store, tmp_path) as home, running_ladder(settings) as ladder, AsyncExitStack() as stack:
        own = [("grpc.use_local_subchannel_pool", 1)]  # eight streams a connection
        channels = [
            await stack.enter_async_context(grpc.aio.insecure_channel(ladder.addresses.grpc, options=own))
            for _ in range(len(crowd) // 8)
        ]

        async def watch(number: int, eyes: Eyes) -> None:
            stub: Any = LadderServiceStub(channels[number // 8])
            address = (("x-forwarded-for", f"10.0.0.{number + 1}"),)
            async for response in stub.WatchMatch(pb.WatchMatchRequest(id="w.1.1.0"), metadata=address):
                eyes.take(response)
                if all(one.begun.is_set() for one in crowd):
                    begin.set()
                if response.live == pb.LIVE_STATE_OVER:
                    return

        bots = [await home.join(name, Thoughtful(begin)) for name in ("ann", "ben")]
        await home.plan(plan("w.1.1.0", *bots))
        async with asyncio.timeout(PATIENCE_S):
            await asyncio.gather(*(watch(number, eyes) for number, eyes in enumerate(crowd)))
        row = await home.ended("w.1.1.0")
    assert result(row)["faults"] == [0, 0]
    shown = public(store, "w.1.1.0")
    assert [told(eyes) == shown and (eyes.gaps, eyes.skipped) == (0, 0) for eyes in crowd] == [True] * len(crowd)


async def test_what_nobody_watches_is_not_written(store: Store, tmp_path: Path) -> None:
    """A match is played to its end, and there is nothing of it but its log."""
    async with house(store, tmp_path) as home:
        bots = [await home.join(name, Greedy()) for name in ("ann", "ben")]
        await home.plan(plan("w.1.1.0", *bots, meetings=4))
        await home.ended("w.1.1.0")
        assert home.referee.audience._beats == 0
    assert not store.link.exist([store.keys.live("w.1.1.0")])[0]


async def test_nothing_is_shown_that_the_log_lacks(
    store: Store, store_server: LocalStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A turn that was taken waits like every question: were its referee to die now, it would not have happened."""
    held: list[tuple[RespConnection, bytes, Sequence[OnReply]]] = []
    send = RespConnection.send
    eyes = Eyes()
    async with house(store, tmp_path) as home, watched(store, store_server, tmp_path) as ladder:
        bots = [await home.join(name, Thoughtful(eyes.begun)) for name in ("ann", "ben")]
        await home.plan(plan("w.1.1.0", *bots))
        watching = asyncio.create_task(follow(ladder, "w.1.1.0", eyes))
        await until(lambda: eyes.events)
        with monkeypatch.context() as patch:
            patch.setattr(RespConnection, "send", lambda *call: held.append(call))
            hosted = home.running.host.matches["w.1.1.0"]
            await until(lambda: any(isinstance(effect, partial) for effect in hosted.effects))
            beats = home.referee.audience._beats
            await until(lambda: home.referee.audience._beats > beats + 2)
            scenes, _ = await asyncio.to_thread(store.scenes.read, "w.1.1.0")
            logged = await asyncio.to_thread(folded, store, "w.1.1.0")
        for connection, payload, replies in held:
            send(connection, payload, replies)
        await watching
    for table in (table for scene in scenes for table in scene.tables):
        key = (*table.key, table.round)
        events = logged.kept.get(key) or logged.table(2 * table.meeting + table.game).round.events
        assert table.next <= len(events) // 4
    assert told(eyes) == public(store, "w.1.1.0")


@pytest.mark.parametrize("deals", ["mirrored", "field"])
async def test_deals_that_are_played_again_are_withheld(
    store: Store, store_server: LocalStore, tmp_path: Path, deals: str
) -> None:
    """Whoever watches is told so; and a referee writes nothing, even where it is asked to."""
    name, begin = f"{FORMAT}-{deals}", Event()
    async with house(store, tmp_path) as home, watched(store, store_server, tmp_path) as ladder:
        bots = [await home.join(bot, Thoughtful(begin, format_name=name)) for bot in ("ann", "ben")]
        planned = plan("w.1.1.0", *bots, format_name=name, nonces=deals != "field")
        await home.plan(replace(planned, deals=deals, trusted=True, group="w.1.0.g0" if deals == "field" else ""))
        call = ladder.stub.WatchMatch(pb.WatchMatchRequest(id="w.1.1.0"))
        first = await call.read()
        await until(lambda: "w.1.1.0" in home.running.host.matches)
        await asyncio.to_thread(store.scenes.want, "w.1.1.0")
        await until(lambda: home.referee.audience._beats > 1)
        assert not (await asyncio.to_thread(store.link.exist, [store.keys.live("w.1.1.0")]))[0]
        begin.set()
        call.cancel()
    assert first.live == pb.LIVE_STATE_WITHHELD
    assert not first.tables


async def test_a_referee_shows_so_many_matches_and_says_so(
    store: Store, store_server: LocalStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is not among them is called busy; it is shown when another one is not watched any more."""
    monkeypatch.setattr(audience, "MOST_MATCHES", 0)
    async with house(store, tmp_path) as home, watched(store, store_server, tmp_path) as ladder:
        bots = [await home.join(name, Thoughtful()) for name in ("ann", "ben")]
        await home.plan(plan("w.1.1.0", *bots, meetings=2))
        seen = Eyes()
        async with asyncio.timeout(PATIENCE_S):
            async for response in ladder.stub.WatchMatch(pb.WatchMatchRequest(id="w.1.1.0")):
                seen.take(response)
                if response.live == pb.LIVE_STATE_BUSY:
                    assert not response.tables
                    monkeypatch.setattr(audience, "MOST_MATCHES", 1)
                if response.tables:
                    break
    assert seen.live[-2:] == [pb.LIVE_STATE_BUSY, pb.LIVE_STATE_SHOWN]


@pytest.mark.parametrize(("blow", "code"), BLOWS[:2])
async def test_who_watches_sees_no_gap_where_another_referee_goes_on(
    store: Store, store_server: LocalStore, tmp_path: Path, blow: Blow, code: int
) -> None:
    """Events keep their numbers; what a dead referee had not shown yet, the next one shows."""
    first = await spawn(store, tmp_path, f"{LOOPBACK}:{free(1)[0]}")
    eyes = Eyes()
    thinking = [Thoughtful(eyes.begun), Thoughtful(eyes.begun)]
    async with watched(store, store_server, tmp_path) as ladder, bots_at(store, first.play, *thinking) as bots:
        store.matches.plan([plan("w.1.1.0", *bots)], 1)
        watching = asyncio.create_task(follow(ladder, "w.1.1.0", eyes))
        await until(lambda: eyes.events)
        assert await blow(store, first) == code
        second = await spawn(store, tmp_path, first.play)
        try:
            row = await ended(store, "w.1.1.0")
            await watching
        finally:
            second.send(signal.SIGTERM)
            await second.ended()
    assert row.state is MatchState.CLOSED
    assert eyes.gaps == 0
    assert told(eyes)
    shown = public(store, "w.1.1.0")
    assert {key: shown[key] for key in told(eyes)} == told(eyes)
    assert len(told(eyes)) + eyes.skipped == len(shown)


async def test_a_store_that_takes_no_scenes_costs_no_match_anything(
    store: Store, store_server: LocalStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands where scenes belong is thrown away; what cannot be written is told again, whenever the match ends."""
    async with house(store, tmp_path) as home, watched(store, store_server, tmp_path) as ladder:
        eyes = Eyes()
        bots = [await home.join(name, Thoughtful(eyes.begun)) for name in ("ann", "ben")]
        store.link.read("SET", store.keys.live("w.1.1.0"), "none of ours")
        await home.plan(plan("w.1.1.0", *bots))
        watching = asyncio.create_task(follow(ladder, "w.1.1.0", eyes))
        await until(lambda: eyes.events)
        lost = monkeypatch.context()
        with lost as patch:
            failed: list[int] = []

            def fail(shown: list[object]) -> None:
                failed.append(len(shown))
                raise StoreUnavailableError("it takes none")

            patch.setattr(store.scenes.__class__, "put", lambda _self, shown: fail(shown))
            await until(lambda: len(failed) > 1)
        await watching
        row = await home.ended("w.1.1.0")
    assert row.state in ENDED
    assert (eyes.gaps, row.state) == (0, MatchState.CLOSED)
    shown = public(store, "w.1.1.0")
    assert {key: shown[key] for key in told(eyes)} == told(eyes)
    assert len(told(eyes)) + eyes.skipped == len(shown)
