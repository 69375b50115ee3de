"""Hello, turns and answers, against a scripted peer."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Awaitable
from itertools import count

import pytest

from lastcard import Answer, Bot, Color, GameResult, MatchResult, RoundResult, Turn
from lastcard.v1 import play_pb2 as pb
from tests.patience import PATIENCE_S
from tests.sdk.bots import Greedy, Playing
from tests.sdk.peer import Peer
from tests.sdk.script import ROUND, asked, match_start, over


async def test_hello_says_who_the_bot_is_and_what_it_wants(peer: Peer, playing: Playing) -> None:
    """Token in the metadata; formats, version, limits, standing orders and library in Hello."""
    bot = Greedy()
    bot.formats, bot.version, bot.max_games, bot.max_open, bot.challenge = ("dos-2", "duo"), "7-beta", 32, 4, "NEVER"
    async with playing(bot):
        stream = await peer.accept()
        hello = await stream.welcome()
        assert stream.metadata["authorization"] == "Bearer lcb1_token"
        assert (list(hello.formats), hello.version, hello.max_games, hello.max_open) == (
            ["dos-2", "duo"],
            "7-beta",
            32,
            4,
        )
        assert (hello.catch, hello.challenge, hello.late_call) == (
            pb.STANDING_ORDER_ALWAYS,
            pb.STANDING_ORDER_NEVER,
            pb.STANDING_ORDER_ALWAYS,
        )
        assert len(hello.instance) == 32
        assert hello.sdk.startswith("lastcard-python/")
        assert not hello.resume


async def test_an_answer_picks_the_option_and_calls(peer: Peer, playing: Playing) -> None:
    """The dearest card is option 1; the call is made without being asked for."""
    async with playing(Greedy()):
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(asked(handle=9, act=12, round_id=ROUND))
        [answer] = await stream.expect_answers(1)
        assert (answer.round, answer.act, list(answer.picks), answer.call) == (9, 12, [1], True)


async def test_an_answer_says_how_long_the_bot_thought_and_never_nothing(peer: Peer, playing: Playing) -> None:
    """Rounded up: 0 would say that the bot does not tell."""
    waits_s = {1: 0.0, 2: 0.03}

    def choose(turn: Turn) -> int:
        threading.Event().wait(waits_s[turn.act])
        return 0

    async with playing(choose):
        stream = await peer.accept()
        await stream.welcome()
        for act, wait_s in waits_s.items():
            await stream.send(asked(handle=0, act=act, round_id=ROUND))
            [answer] = await stream.expect_answers(1)
            assert answer.think_ms >= max(1, 1000 * wait_s)


async def test_answers_of_one_batch_leave_in_one_message(peer: Peer, playing: Playing) -> None:
    """Forty questions in one message make one message of forty answers."""
    async with playing(Greedy()):
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(*[asked(handle=number, round_id=f"m1/0/{number}/0") for number in range(40)])
        message = await stream.expect()
        assert [answer.round for answer in message.answers] == list(range(40))


async def test_a_slow_bot_does_not_hold_back_answers(peer: Peer, playing: Playing) -> None:
    """The first answer of a batch leaves while the second is being thought about."""
    first_is_out, calls = threading.Event(), count()

    def choose(turn: Turn) -> int:
        if next(calls) == 1:
            first_is_out.wait(PATIENCE_S)
        else:
            threading.Event().wait(0.01)
        return 0

    async with playing(choose):
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(asked(handle=0, round_id="m1/0/0/0"), asked(handle=1, round_id="m1/0/1/0"))
        assert [answer.round for answer in (await stream.expect()).answers] == [0]
        first_is_out.set()
        assert [answer.round for answer in (await stream.expect()).answers] == [1]


async def test_choose_may_be_async(peer: Peer, playing: Playing) -> None:
    """A coroutine function is awaited on the loop."""

    async def choose(turn: Turn) -> Answer:
        return Answer([turn.options[0]], call=False, color=Color.RED)

    async with playing(choose):
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(asked(round_id=ROUND), asked(handle=1, round_id="m1/0/1/0"))
        assert {(answer.round, answer.call) for answer in await stream.expect_answers(2)} == {(0, False), (1, False)}


async def test_a_coroutine_from_a_plain_function_is_awaited_too(peer: Peer, playing: Playing) -> None:
    """`run(lambda turn: think(turn))` with an async think works."""

    async def think(turn: Turn) -> int:
        return 2

    def choose(turn: Turn) -> Awaitable[int]:
        return think(turn)

    async with playing(choose):
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(asked(round_id=ROUND))
        [answer] = await stream.expect_answers(1)
        assert list(answer.picks) == [2]


async def test_a_turn_shows_the_whole_view(peer: Peer, playing: Playing) -> None:
    """Hand, table, round, match and events come out as a bot author reads them."""
    seen: list[Turn] = []

    def choose(turn: Turn) -> int:
        seen.append(turn)
        return 0

    async with playing(choose):
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(asked(round_id=ROUND, events=3), notices=[match_start()])
        await stream.expect_answers(1)
    [turn] = seen
    assert turn.hand == ("R1", "R9", "B2")
    assert (turn.top, turn.color, turn.counts, turn.direction) == ("R5", Color.RED, (3, 7), 1)
    assert (turn.round_id, turn.seat, turn.scores) == (ROUND, 0, (40, 0))
    assert (turn.match.format, turn.entrants) == ("uno-classic-2", ("greedy@1", "careful@1"))
    assert [event.number for event in turn.events] == [0, 1, 2]
    assert turn.view.time_ms + turn.view.bank_ms == 25_000
    assert 0 < turn.seconds_left <= 25


@pytest.mark.parametrize(
    "returned",
    [
        pytest.param(None, id="forgotten return"),
        pytest.param(99, id="no such index"),
        pytest.param("R9", id="a card instead of an option"),
        pytest.param([0, 1], id="two where one is asked"),
        pytest.param([], id="none where one is asked"),
    ],
)
async def test_what_the_options_do_not_allow_is_answered_by_the_first(
    peer: Peer, playing: Playing, returned: object, caplog: pytest.LogCaptureFixture
) -> None:
    """An illegal choice is logged, counted, and the first option is played."""
    async with playing(lambda turn: returned) as (player, _):
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(asked(round_id=ROUND))
        [answer] = await stream.expect_answers(1)
        assert list(answer.picks) == [0]
        assert player.thinker.errors.count == 1
    assert "error 1 of this bot" in caplog.text


async def test_an_exception_in_choose_is_answered_by_the_first_option(
    peer: Peer, playing: Playing, caplog: pytest.LogCaptureFixture
) -> None:
    """It is logged with its traceback, counted, and the bot plays on."""

    def choose(turn: Turn) -> int:
        raise ValueError("I forgot how to play")

    async with playing(choose) as (player, _):
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(asked(round_id=ROUND, act=1))
        await stream.expect_answers(1)
        await stream.send(asked(act=3))
        [answer] = await stream.expect_answers(1)
        assert (answer.act, list(answer.picks)) == (3, [0])
        assert player.thinker.errors.count == 2
    assert "I forgot how to play" in caplog.text
    assert "Traceback" in caplog.text


async def test_a_nonce_is_sent_without_asking_the_bot_and_is_the_same_when_asked_again(
    peer: Peer, playing: Playing
) -> None:
    """16 random bytes a match, repeated after a hand-over."""
    async with playing(Greedy()):
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(notices=[match_start("m1"), match_start("m2")])
        first = {nonce.match: nonce.nonce for nonce in (await stream.expect()).nonces}
        await stream.send(notices=[match_start("m1")])
        [again] = (await stream.expect()).nonces
        assert sorted(first) == ["m1", "m2"]
        assert {len(nonce) for nonce in first.values()} == {16}
        assert first["m1"] != first["m2"]
        assert again.nonce == first["m1"]


@pytest.mark.parametrize(
    "made",
    [
        pytest.param("sixteen letters!", id="text"),
        pytest.param(b"short", id="too short"),
        pytest.param(RuntimeError("no dice"), id="it raises"),
    ],
)
async def test_a_nonce_that_is_none_is_made_up_for_and_told(
    peer: Peer, playing: Playing, caplog: pytest.LogCaptureFixture, made: object
) -> None:
    """The bot plays on, with a random one; what it gave is a secret, and not in the log."""

    class Careless(Greedy):
        def nonce(self, match: str) -> bytes:
            if isinstance(made, Exception):
                raise made
            return made  # type: ignore[return-value]

    async with playing(Careless()) as (player, _):
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(notices=[match_start("m1")])
        [nonce] = (await stream.expect()).nonces
        assert len(nonce.nonce) == 16
        assert player.thinker.errors.count == 1
    assert "in nonce('m1')" in caplog.text
    assert "short" not in caplog.text
    assert "letters" not in caplog.text


async def test_heartbeats_come_by_themselves_while_the_bot_thinks(peer: Peer, playing: Playing) -> None:
    """The stream is served by another thread than `choose`; the echo measures the round trip."""
    done = threading.Event()

    def choose(turn: Turn) -> int:
        done.wait(PATIENCE_S)
        return 0

    async with playing(choose) as (player, _):
        stream = await peer.accept()
        await stream.welcome(heartbeat_ms=40)
        await stream.send(asked(round_id=ROUND))
        beats = [(await stream.expect()).heartbeat.stamp for _ in range(2)]
        await stream.send(notices=[pb.Notice(heartbeat=pb.Heartbeat(stamp=beats[1]))])
        assert beats[1] > beats[0] > 0
        await stream.expect()
        assert 0 < player.status.round_trip_ms < 10_000
        done.set()


async def test_a_bot_is_told_how_rounds_games_and_matches_end(peer: Peer, playing: Playing) -> None:
    """In order, with totals, hands, and the check of the seed."""
    bot, seed = Greedy(), bytes(32)
    async with playing(bot) as (player, _):
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(notices=[match_start(commitment=hashlib.sha256(seed).digest())])
        await stream.expect()
        await stream.send(asked(round_id=ROUND, events=1))
        await stream.expect_answers(1)
        await stream.send(over(first=1, events=1), notices=[pb.Notice(match_end=pb.MatchEnd(match="m1", seed=seed))])
        await stream.send(asked(handle=5, round_id="m2/0/0/0"))
        await stream.expect_answers(1)
        assert player.memory.matches == {}
        assert list(player.memory.rounds) == ["m2/0/0/0"]
    name, round_, game, match = bot.news
    assert name == "greedy@1"
    assert isinstance(round_, RoundResult)
    assert (round_.place, round_.points, round_.ending, round_.hands[1]) == (1, (15, 0), "OUT", ("R7", "B8"))
    assert len(round_.history) == 2
    assert isinstance(game, GameResult)
    assert (game.game_id, game.points, game.place) == ("m1/0/0", (55, 0), 1)
    assert isinstance(match, MatchResult)
    assert match.proven is True


async def test_a_round_handle_may_be_used_again(peer: Peer, playing: Playing) -> None:
    """After the end of a round its handle means another one."""
    rounds: list[str] = []

    def choose(turn: Turn) -> int:
        rounds.append(turn.round_id)
        return 0

    async with playing(choose):
        stream = await peer.accept()
        await stream.welcome()
        for number in range(3):
            await stream.send(asked(handle=4, round_id=f"m1/0/{number}/0"))
            await stream.expect_answers(1)
            await stream.send(over(handle=4))
    assert rounds == ["m1/0/0/0", "m1/0/1/0", "m1/0/2/0"]


async def test_no_call_is_honoured(peer: Peer, playing: Playing) -> None:
    """A bot that does not want to call says so on the turn."""

    class Quiet(Bot):
        def choose(self, turn: Turn) -> int:
            turn.no_call()
            return 0

    async with playing(Quiet):
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(asked(round_id=ROUND))
        [answer] = await stream.expect_answers(1)
        assert not answer.call


async def test_refused_answers_are_told_of_but_harmless_ones_are_not(
    peer: Peer, playing: Playing, caplog: pytest.LogCaptureFixture
) -> None:
    """A late answer is a fault that its author should see; a stale one after a failure is nobody's."""
    async with playing(Greedy()) as (player, _):
        stream = await peer.accept()
        await stream.welcome()
        late = pb.Reply(round=0, act=3, code=pb.REPLY_CODE_LATE, reason="the time was over")
        stale = pb.Reply(round=0, act=3, code=pb.REPLY_CODE_STALE, reason="closed already")
        turns = [asked(handle=number, round_id=f"m1/0/{number}/0") for number in range(3)]
        await stream.send(*turns, notices=[pb.Notice(reply=late)] * 3 + [pb.Notice(reply=stale)])
        await stream.expect_answers(3)
        assert player.status.refused.count == 3
    assert "refused answer 2, in round m1/0/0/0: LATE (the time was over)" in caplog.text
    assert "STALE" not in caplog.text


async def test_a_turn_of_a_round_that_is_over_is_passed_over(peer: Peer, playing: Playing) -> None:
    """Its handle means nothing any more, until a turn introduces another round under it."""
    async with playing(Greedy()):
        stream = await peer.accept()
        await stream.welcome()
        await stream.send(asked(handle=9, act=12, round_id=ROUND))
        await stream.expect_answers(1)
        await stream.send(over(handle=9))
        await stream.send(asked(handle=9, act=12))
        await stream.send(asked(handle=9, act=2, round_id=f"{ROUND}0"))
        [answer] = await stream.expect_answers(1)
        assert (answer.round, answer.act) == (9, 2)
