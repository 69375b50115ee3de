"""How streams end and what the link does then, against a scripted peer."""

from __future__ import annotations

import asyncio

import grpc
import pytest
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.rpc.status_pb2 import Status

from lastcard import Option
from lastcard.errors import BadTokenError, RefusedError, UnreachableError, UpgradeError
from lastcard.link import loop
from lastcard.link.ending import LONGEST_RETRY_S, retry_s
from lastcard.turn import Turn
from lastcard.v1 import play_pb2 as pb
from lastcard.waiting import happens
from tests.sdk.bots import Greedy, Playing
from tests.sdk.peer import Peer, PeerStream
from tests.sdk.script import ROUND, asked, match_start, over

pytestmark = pytest.mark.slow


class Once(Greedy):
    """Counts how often it thinks."""

    def __init__(self) -> None:
        super().__init__()
        self.turns: list[Turn] = []

    def choose(self, turn: Turn) -> Option:
        self.turns.append(turn)
        return super().choose(turn)


async def in_a_round(peer: Peer, *, events: int = 4) -> PeerStream:
    """Lead a bot into a round that has shown `events` events; it has answered decision 0."""
    stream = await peer.accept()
    await stream.welcome()
    await stream.send(asked(round_id=ROUND, events=events), notices=[match_start()])
    await stream.expect_answers(1)
    return stream


async def test_after_a_cut_the_bot_comes_back_and_says_where_each_round_stopped(peer: Peer, playing: Playing) -> None:
    """Same instance; the rounds that go on with the next event; ended ones are not listed."""
    async with playing(Greedy()) as (player, _):
        stream = await in_a_round(peer)
        await stream.send(asked(handle=1, round_id="m1/0/1/0"))
        await stream.expect()
        await stream.send(over(handle=1), asked(act=2, first=4, events=3))
        await stream.expect_answers(1)
        await peer.crash()
        await peer.start()
        hello = await (await peer.accept()).welcome()
        assert hello.instance == player.instance
        assert [(one.round_id, one.next_event) for one in hello.resume] == [(ROUND, 7)]


async def test_events_told_twice_are_seen_once(peer: Peer, playing: Playing) -> None:
    """A round told from its beginning again adds only what is new, also under another handle."""
    bot = Once()
    async with playing(bot):
        stream = await in_a_round(peer)
        stream.abort(grpc.StatusCode.UNAVAILABLE, "crashed")
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(asked(handle=7, act=2, round_id=ROUND, first=0, events=6))
        [answer] = await stream.expect_answers(1)
        assert answer.round == 7
    assert [event.arg for event in bot.turns[-1].past] == [0, 1, 2, 3, 4, 5]
    assert [event.number for event in bot.turns[-1].events] == [4, 5]


async def test_a_decision_that_is_asked_again_gets_the_same_answer_without_thinking(
    peer: Peer, playing: Playing
) -> None:
    """The answer may have been logged or not; repeating it is right in both cases."""
    bot = Once()
    async with playing(bot):
        stream = await in_a_round(peer)
        stream.abort(grpc.StatusCode.UNAVAILABLE, "crashed")
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(asked(handle=3, round_id=ROUND, first=0, events=4))
        [answer] = await stream.expect_answers(1)
        assert (answer.round, answer.act, list(answer.picks)) == (3, 0, [1])
    assert len(bot.turns) == 1


async def test_going_away_is_answered_by_half_closing_first(
    peer: Peer, playing: Playing, caplog: pytest.LogCaptureFixture
) -> None:
    """Half-close, let the referee end the stream, wait as told, come back with resume."""
    async with playing(Greedy()):
        stream = await in_a_round(peer)
        await stream.send(notices=[pb.Notice(going_away=pb.GoingAway(reconnect_after_ms=1))])
        await stream.expect_half_close()
        stream.finish()
        hello = await (await peer.accept()).welcome()
        assert [one.round_id for one in hello.resume] == [ROUND]


async def test_no_stream_is_dialled_before_the_old_one_has_ended(peer: Peer, playing: Playing) -> None:
    """After GoingAway the bot waits for the referee to end the stream."""
    async with playing(Greedy()):
        stream = await in_a_round(peer)
        await stream.send(notices=[pb.Notice(going_away=pb.GoingAway())])
        await stream.expect_half_close()
        await stream.send(over(first=4))
        assert peer.streams.empty()
        stream.finish()
        await peer.accept()


async def test_replaced_waits_and_longer_the_next_time(
    peer: Peer, playing: Playing, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """30-60 s, doubling (here in milliseconds)."""
    monkeypatch.setattr(loop, "REPLACED_S", 0.03)
    caplog.set_level("INFO", "lastcard.bot")
    waits: list[float] = []

    async def noting(event: asyncio.Event, within_s: float) -> bool:
        waits.append(within_s)
        return await happens(event, within_s)

    monkeypatch.setattr(loop, "happens", noting)
    async with playing(Greedy()):
        for _ in range(3):
            stream = await peer.accept()
            await stream.welcome()
            await stream.send(notices=[pb.Notice(replaced=pb.Replaced())])
            await stream.assert_done()
        await peer.accept()
    assert all(0.03 * 2**number <= wait <= 0.06 * 2**number for number, wait in enumerate(waits[:3]))
    assert "another stream of this process took over" in caplog.text


@pytest.mark.parametrize(
    ("code", "reason", "expected", "says"),
    [
        pytest.param(
            grpc.StatusCode.UNAUTHENTICATED, "BAD_TOKEN", BadTokenError, "does not take this token", id="bad token"
        ),
        pytest.param(grpc.StatusCode.PERMISSION_DENIED, "REVOKED", BadTokenError, "lastcard bot rotate", id="revoked"),
        pytest.param(grpc.StatusCode.FAILED_PRECONDITION, "UPGRADE", UpgradeError, "pip install", id="too old"),
        pytest.param(grpc.StatusCode.INVALID_ARGUMENT, "UNKNOWN_FORMAT", RefusedError, "refuses this bot", id="format"),
        pytest.param(grpc.StatusCode.UNIMPLEMENTED, "", RefusedError, "is no referee", id="another service"),
    ],
)
async def test_what_trying_again_would_not_help_stops_with_a_sentence(
    peer: Peer, playing: Playing, code: grpc.StatusCode, reason: str, expected: type[RefusedError], says: str
) -> None:
    """The referee's reason and sentence come with it."""
    async with playing(Greedy()) as (_, task):
        (await peer.accept()).abort(code, "because I say so", reason)
        with pytest.raises(expected, match=says) as caught:
            await task
    assert caught.value.exit_code == 2
    assert caught.value.reason == (reason or "NOT_A_REFEREE")


async def test_other_errors_are_tried_again_visibly(
    peer: Peer, playing: Playing, caplog: pytest.LogCaptureFixture
) -> None:
    """The referee's sentence and the wait are logged."""
    async with playing(Greedy()):
        (await peer.accept()).abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "eight processes already")
        await (await peer.accept()).welcome()
    assert "eight processes already; trying again in" in caplog.text


async def test_who_is_told_for_how_long_not_to_come_waits_so_long(
    peer: Peer, playing: Playing, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """At least; and its author reads why, and for how long."""
    waits: list[float] = []

    async def noting(_event: asyncio.Event, within_s: float) -> bool:
        waits.append(within_s)
        return False

    monkeypatch.setattr(loop, "happens", noting)
    async with playing(Greedy()):
        (await peer.accept()).abort(grpc.StatusCode.RESOURCE_EXHAUSTED, "mend the bot", "BANNED", retry_s=60)
        await (await peer.accept()).welcome()
    assert 60 <= waits[0] <= 60.5
    assert f"mend the bot; trying again in {waits[0]:.1f} s" in caplog.text


@pytest.mark.parametrize(
    ("delay", "wait_s"),
    [
        pytest.param(b"", 0.0, id="none"),
        pytest.param(Duration(seconds=3, nanos=500_000_000).SerializeToString(), 3.5, id="some"),
        pytest.param(Duration(seconds=-3).SerializeToString(), 0.0, id="long past"),
        pytest.param(Duration(seconds=10**9).SerializeToString(), LONGEST_RETRY_S, id="for ever"),
        pytest.param(b"\xff", 0.0, id="no time"),
    ],
)
def test_for_how_long_not_to_come_is_bounded(delay: bytes, wait_s: float) -> None:
    """A referee, or what is in front of it, makes nobody wait for years, nor dial without a pause."""
    told = AnyMessage(type_url="type.googleapis.com/google.rpc.RetryInfo")
    told.value = b"\x0a" + bytes((len(delay),)) + delay
    status = Status(details=[told]).SerializeToString()
    assert retry_s([("grpc-status-details-bin", status)]) == wait_s
    assert retry_s(None) == 0.0


async def test_patience_ends(peer: Peer, playing: Playing) -> None:
    """Without a referee for that long, the bot gives up with exit code 3."""
    await peer.crash()
    async with playing(Greedy(), patience=0.05) as (_, task):
        with pytest.raises(UnreachableError, match=r"could not be reached for 0\.05 s") as caught:
            await task
    await peer.start()
    assert caught.value.exit_code == 3


@pytest.mark.parametrize(
    "broken",
    [
        pytest.param(asked(handle=5, act=2), id="a round that was never introduced"),
        pytest.param(asked(act=2, first=9, events=1), id="events left out"),
        pytest.param(asked(act=2, first=4, options=()), id="no options"),
    ],
)
async def test_a_referee_that_breaks_the_protocol_is_left(
    peer: Peer, playing: Playing, broken: pb.Turn, caplog: pytest.LogCaptureFixture
) -> None:
    """The bot says so and dials again."""
    async with playing(Greedy()):
        stream = await in_a_round(peer)
        await stream.send(broken)
        await (await peer.accept()).welcome()
        stream.finish()
    assert "broke the protocol" in caplog.text


async def test_missing_events_are_asked_for_again_from_the_beginning(peer: Peer, playing: Playing) -> None:
    """A round with a hole is forgotten, so that it is told anew."""
    async with playing(Greedy()):
        stream = await in_a_round(peer)
        await stream.send(asked(act=2, first=9, events=1))
        assert not (await (await peer.accept()).welcome()).resume
        stream.finish()


async def test_a_referee_without_welcome_is_left(
    peer: Peer, playing: Playing, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A stream that hangs before its first message is given up."""
    monkeypatch.setattr("lastcard.link.stream.WELCOME_S", 0.05)
    async with playing(Greedy()):
        stream = await peer.accept()
        await stream.expect_hello()
        await peer.accept()
        stream.finish()
    assert "no Welcome within" in caplog.text


async def test_a_silent_referee_is_left(peer: Peer, playing: Playing, monkeypatch: pytest.MonkeyPatch) -> None:
    """No message for a minute, heartbeats included, ends the session (here: 50 ms)."""
    monkeypatch.setattr("lastcard.link.stream.SILENCE_S", 0.05)
    async with playing(Greedy()):
        stream = await peer.accept()
        await stream.welcome(heartbeat_ms=20)
        await peer.accept()
        stream.finish()


async def test_stopping_sends_what_has_gathered_and_half_closes(peer: Peer, playing: Playing) -> None:
    """The last answers leave before the half-close."""
    async with playing(Greedy()) as (_, task):
        stream = await in_a_round(peer)
        ending = asyncio.ensure_future(stream.assert_done())
    await ending
    assert task.done()


async def test_answers_of_a_dead_stream_are_not_sent_on_the_next(peer: Peer, playing: Playing) -> None:
    """A handle belongs to one session; what was being thought about is answered when it is asked again."""
    entered, go_on = asyncio.Event(), asyncio.Event()

    async def choose(turn: Turn) -> int:
        entered.set()
        await go_on.wait()
        return 2

    async with playing(choose):
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(asked(round_id=ROUND))
        await entered.wait()
        stream.abort(grpc.StatusCode.UNAVAILABLE, "crashed")
        stream = await peer.accept()
        await stream.welcome()
        go_on.set()
        await stream.send(asked(handle=6, round_id=ROUND))
        [answer] = await stream.expect_answers(1)
        assert (answer.round, list(answer.picks)) == (6, [2])


async def test_a_fast_bot_asks_for_more_open_decisions(peer: Peer, playing: Playing) -> None:
    """After some 512 quick answers it half-closes and says Hello again with as many as it may have rounds."""
    async with playing(Greedy()) as (player, _):
        stream = await peer.accept()
        assert (await stream.welcome()).max_open == 2
        rounds = [asked(handle=number, round_id=f"m1/0/{number}/0", time_ms=600_000) for number in range(512)]
        await stream.send(*rounds)
        await stream.expect_answers(512)
        await stream.send(*[asked(handle=number, act=2, time_ms=600_000) for number in range(64)])
        while await stream.receive():
            pass
        stream.finish()
        hello = await (await peer.accept()).welcome()
        assert (hello.max_open, hello.instance, len(hello.resume)) == (64, player.instance, 512)
