"""What a Welcome says of the limits is what the referee holds a bot to: over the real wire."""

from __future__ import annotations

import asyncio
import re
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Final

import pytest

from ladder.store import Store
from lastcard import metadata
from lastcard.v1 import play_pb2 as pb
from referee import match, wire
from referee.door import bans, crowd, gate, hello, limits
from referee.hosting import asking, host, sessions
from tests.hostile.raw import RawStream, bearer, dialled, opened, stream_on
from tests.hostile.stranger import hello as greeting
from tests.live.house import House, house

pytestmark = pytest.mark.slow

PAGE: Final = (Path(__file__).parents[2] / "docs/protocol.md").read_text("utf-8")
FIELDS: Final = [field.name for field in pb.Limits.DESCRIPTOR.fields]
HELD: Final = {
    "max_message_bytes": (wire, "MOST_TAKEN", 1),
    "heartbeat_ms": (wire, "HEARTBEAT_MS", 1),
    "useless_per_second": (wire, "USELESS_PER_S", 1),
    "errors_per_ten_minutes": (wire, "MOST_ERRORS", 1),
    "ban_ms": (bans, "BAN_S", 1_000),
    "useless_burst": (limits, "USELESS_BURST", 1),
    "wasted_per_useless": (limits, "WASTED_PER_MESSAGE", 1),
    "max_wasted": (limits, "MOST_WASTED", 1),
    "useful_heartbeat_ms": (sessions, "BEAT_S", 1_000),
    "max_answers": (limits, "MOST_ANSWERS", 1),
    "max_nonces": (limits, "MOST_NONCES", 1),
    "max_picks": (asking, "MOST_PICKS", 1),
    "max_sent_bytes": (wire, "MOST_SENT", 1),
    "max_unread": (sessions, "MOST_HINTS", 1),
    "silence_ms": (gate, "SILENCE_S", 1_000),
    "hello_ms": (limits, "HELLO_S", 1_000),
    "nonce_ms": (host, "NONCE_S", 1_000),
    "max_instances": (sessions, "INSTANCES_PER_VERSION", 1),
    "max_formats": (hello, "MOST_FORMATS", 1),
    "max_resumes": (hello, "MOST_RESUMES", 1),
    "streams_per_connection": (limits, "STREAMS_PER_CONNECTION", 1),
    "streams_per_second": (gate, "DIALS_PER_S", 1),
    "streams_burst": (gate, "DIAL_BURST", 1),
    "versions_per_day": (gate, "VERSIONS_PER_DAY", 1),
    "bad_tokens_per_minute": (gate, "FAILURES_PER_MINUTE", 1),
    "faults_to_lose": (match, "FAULTS_TO_LOSE_MEETING", 1),
    "lost_to_leave": (match, "MEETINGS_TO_LEAVE", 1),
    "max_metadata_bytes": (metadata, "MOST_METADATA", 1),
    "max_processes": (crowd, "PROCESSES_PER_TOKEN", 1),
}
"""Where each limit stands that is the same for every session, and what makes it the number of the protocol."""
OF_THE_SESSION: Final = {"max_games": 7, "max_open": 3, "absence_ms": 7_500}
HELLO: Final = greeting().SerializeToString()


async def welcome(stream: RawStream) -> pb.Welcome:
    """Return what the referee answers to a Hello."""
    response = await stream.hear()
    assert response
    return response.notices[0].welcome


async def test_a_welcome_says_every_limit(store: Store, tmp_path: Path) -> None:
    """Each field of `Limits`, with what is in force here and for this session."""
    assert sorted([*HELD, *OF_THE_SESSION]) == sorted(FIELDS)
    async with house(store, tmp_path, absent_s=7.5) as home, opened(home.server, await home.token("ann")) as stream:
        await stream.say(pb.PlayRequest(hello=greeting(max_games=7, max_open=3).hello))
        told = (await welcome(stream)).limits
    expected = {name: int(getattr(module, constant) * factor) for name, (module, constant, factor) in HELD.items()}
    assert {name: getattr(told, name) for name in FIELDS} == expected | OF_THE_SESSION
    assert all(getattr(told, name) for name in FIELDS)


def test_the_page_names_every_limit() -> None:
    """By the name of its field, and no field that there is not."""
    section = PAGE.partition("## Limits")[2].partition("\n## ")[0]
    named = [
        name for row in section.splitlines() if row.startswith("| ") for name in re.findall(r"`([a-z_]+_[a-z_]+)`", row)
    ]
    assert sorted(set(named)) == sorted(FIELDS)


async def test_who_says_nothing_for_too_long_is_sent_off(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SILENT, as long after the last message as the Welcome says; who sends heartbeats stays."""
    monkeypatch.setattr(gate, "SILENCE_S", 1.0)
    monkeypatch.setattr(gate, "RECHECK_S", 0.1)
    async with (
        house(store, tmp_path) as home,
        opened(home.server, await home.token("mute")) as mute,
        opened(home.server, await home.token("ann")) as talker,
    ):
        await mute.send(HELLO)
        await talker.send(HELLO)
        assert (await welcome(mute)).limits.silence_ms == 1_000
        assert await talker.welcomed()
        ending = asyncio.create_task(mute.ended())
        while not (await asyncio.wait([ending], timeout=0.2))[0]:
            await talker.say(pb.PlayRequest(heartbeat=pb.Heartbeat(stamp=5)))
            assert await talker.hear()
        ended = ending.result()
    assert (ended.code, ended.reason) == ("DEADLINE_EXCEEDED", "SILENT")
    assert "heartbeat" in ended.sentence


async def test_of_many_every_one_is_looked_at_whoever_comes_and_goes(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A part at a time; each whose bot was taken out of play, or whose token was revoked, is sent off, and no other."""
    monkeypatch.setattr(gate, "MOST_RECHECKED", 1)
    monkeypatch.setattr(gate, "RECHECK_S", 0.3)
    async with house(store, tmp_path) as home, AsyncExitStack() as stack:
        streams = []
        for number in range(6):
            _, token = store.registry.register(f"bot-{number}", f"owner-{number}")
            stream = await stack.enter_async_context(opened(home.server, token))
            await stream.send(HELLO)
            assert await stream.welcomed()
            streams.append(stream)
        for number in range(3):
            store.registry.retire(f"bot-{number}")
        store.registry.revoke("bot-3")
        reasons = [(await stream.ended()).reason for stream in streams[:4]]
        assert reasons == ["RETIRED", "RETIRED", "RETIRED", "BAD_TOKEN"]
        for stream in streams[4:]:
            await stream.say(pb.PlayRequest(heartbeat=pb.Heartbeat(stamp=5)))
            assert await stream.hear()


async def test_who_does_not_say_hello_in_time_is_sent_off(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """NO_HELLO, and the time that there was."""
    monkeypatch.setattr(limits, "HELLO_S", 0.3)
    async with house(store, tmp_path) as home, opened(home.server, await home.token("shy")) as stream:
        ended = await stream.ended()
    assert (ended.code, ended.reason) == ("DEADLINE_EXCEEDED", "NO_HELLO")


async def on_one_connection(home: House, streams: AsyncExitStack, count: int) -> list[RawStream]:
    """Begin so many streams on one connection, each of another bot."""
    channel = await streams.enter_async_context(dialled(home.server))
    return [stream_on(channel, bearer(await home.token(f"bot{number}"))) for number in range(count)]


async def test_a_connection_has_so_many_streams_and_the_next_waits(store: Store, tmp_path: Path) -> None:
    """It begins when one of the others has ended; nobody is refused."""
    most = limits.STREAMS_PER_CONNECTION
    async with house(store, tmp_path) as home, AsyncExitStack() as streams:
        *those, next_ = await on_one_connection(home, streams, most + 1)
        for stream in those:
            await stream.send(HELLO)
            assert await stream.welcomed()
        saying, waiting = asyncio.create_task(next_.send(HELLO)), asyncio.create_task(next_.welcomed())
        for stamp in range(50):  # what is said on the same connection meanwhile is answered
            await those[1].say(pb.PlayRequest(heartbeat=pb.Heartbeat(stamp=stamp)))
            assert await those[1].hear()
        assert len(home.referee.roster.sessions) == most
        await those[0].call.done_writing()
        await those[0].ended()
        assert (await saying, await waiting) == (True, f"bot{most}@1")


async def test_a_token_opens_so_many_streams_at_once(store: Store, tmp_path: Path) -> None:
    """One more is refused with the reason, whatever became of those before."""
    async with house(store, tmp_path) as home:
        token = await home.token("hasty")
        ends = []
        for _ in range(gate.DIAL_BURST + 8):
            async with opened(home.server, token) as stream:
                await stream.send(HELLO)
                if not await stream.welcomed():
                    ends.append(await stream.ended())
                    break
    assert [(ended.code, ended.reason) for ended in ends] == [("RESOURCE_EXHAUSTED", "TOO_MANY_STREAMS")]


async def test_a_token_has_so_many_processes_whatever_their_versions(store: Store, tmp_path: Path) -> None:
    """One more is refused; another stream of one that is there is not, and one that leaves makes room."""
    most, versions = crowd.PROCESSES_PER_TOKEN, 4
    async with house(store, tmp_path) as home, AsyncExitStack() as streams:
        token, other = await home.token("legion"), await home.token("ann")

        async def dial(number: int, whose: str = token) -> RawStream:
            stream = await streams.enter_async_context(opened(home.server, whose))
            await stream.say(greeting(instance=f"i{number // versions}", version=f"v{number % versions}"))
            return stream

        those = [await dial(number) for number in range(most)]
        assert all([await stream.welcomed() for stream in those])
        ended = await (await dial(most)).ended()
        assert (ended.code, ended.reason) == ("RESOURCE_EXHAUSTED", "TOO_MANY_PROCESSES")
        assert f"at most {most}" in ended.sentence
        assert await (await dial(most, other)).welcomed()
        assert await (await dial(0)).welcomed()
        assert (await those[0].ended()).reason == "REPLACED"
        await those[1].call.done_writing()
        await those[1].ended()
        assert await (await dial(most)).welcomed()
        assert len(home.referee.roster.sessions) == most + 1
