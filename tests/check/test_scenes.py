"""What a bot may do to the referee of `lastcard bot check`: talk without end, read nothing, leave a process behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeAlias

import grpc
import grpc.aio
import pytest

from lastcard.v1 import play_pb2 as pb
from referee import formats
from referee.bots import make
from referee.check import behaviours, service, subject
from referee.check import scene as scenes
from referee.check.rounds import Rounds
from referee.check.scene import Scene, received
from referee.check.service import MOST_UNREAD, Door, WrongError, padding
from referee.check.subject import Subject
from referee.local.local_bot import LocalBot
from tests.check.test_bad_bots import lives
from tests.live.peer import greeting
from tests.patience import PATIENCE_S, until

pytestmark = pytest.mark.slow

SOON_S = 0.4
BEAT = pb.PlayRequest(heartbeat=pb.Heartbeat(stamp=1)).SerializeToString()
Call: TypeAlias = "grpc.aio.StreamStreamCall[bytes, bytes]"


@asynccontextmanager
async def staged() -> AsyncIterator[tuple[Scene, Call]]:
    """A scene, and the bot's end of its stream, which has said Hello and reads nothing."""
    async with Door("127.0.0.1:0") as door, grpc.aio.insecure_channel(door.line.address) as channel:
        dial: Any = channel.stream_stream("/lastcard.v1.PlayService/Play")
        call: Call = dial()
        await call.write(pb.PlayRequest(hello=greeting("talks")).SerializeToString())
        visit = await received(door, PATIENCE_S)
        rivals = [LocalBot("careful", make("careful", 1))]
        scene = Scene(door, visit, Rounds(formats.get("uno-classic-2"), rivals, 1))
        scene.enter(visit)
        yield scene, call
        call.cancel()


@asynccontextmanager
async def saying(call: Call, message: bytes) -> AsyncIterator[None]:
    """Have the bot say the same over and over."""

    async def say() -> None:
        while True:
            await call.write(message)
            await asyncio.sleep(0)

    task = asyncio.create_task(say())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _asked(scene: Scene) -> None:
    await scene.play(1)


async def _asked_again(scene: Scene) -> None:
    assert await scene.every_answer(3) == []
    raise WrongError("no answer")


NONCE = next(one for one in behaviours.BEHAVIOURS if one.name == "nonce")


@pytest.mark.parametrize(
    ("show", "told"),
    [
        pytest.param(_asked, "no answer within 0.4 s", id="a question"),
        pytest.param(_asked_again, "no answer", id="the same question again"),
        pytest.param(NONCE.show, "no nonce within 0.4 s", id="a nonce"),
    ],
)
async def test_a_question_has_one_deadline(
    monkeypatch: pytest.MonkeyPatch, show: Callable[[Scene], Awaitable[None]], told: str
) -> None:
    """However many heartbeats come until then."""
    for module, name in ((scenes, "ANSWER_S"), (scenes, "SECOND_THOUGHTS_S"), (behaviours, "NONCE_S")):
        monkeypatch.setattr(module, name, SOON_S)
    async with staged() as (scene, call), saying(call, BEAT), asyncio.timeout(PATIENCE_S):
        with pytest.raises(WrongError, match=told):
            await show(scene)


async def test_a_bot_that_answers_without_end_is_stopped() -> None:
    """More answers than questions are a fault, and not waited out."""
    answer = pb.PlayRequest(answers=[pb.Answer(round=0, act=0, picks=[0])]).SerializeToString()
    async with staged() as (scene, call), saying(call, answer), asyncio.timeout(PATIENCE_S):
        with pytest.raises(WrongError, match="4 answers to 3 questions"):
            await scene.every_answer(3)


async def test_what_a_bot_says_is_kept_as_far_as_there_is_room() -> None:
    """Who says more waits until it is read, also at the end of the stream; then it goes on."""
    async with staged() as (scene, call):
        inbox = scene.visit._inbox
        async with saying(call, BEAT):
            await until(inbox.full)
        assert inbox.qsize() == MOST_UNREAD
        await call.done_writing()
        async with asyncio.timeout(PATIENCE_S):
            await scene.visit.half_closed(PATIENCE_S)


async def test_a_bot_that_does_not_read_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told apart from one that does not answer, and its stream is over."""
    monkeypatch.setattr(service, "READ_S", SOON_S)
    async with staged() as (scene, call), asyncio.timeout(PATIENCE_S):
        with pytest.raises(WrongError, match=r"has not read what it was told for 0\.4 s"):
            await talked(scene)
        with pytest.raises(grpc.aio.AioRpcError, match="UNREAD"):
            await read_all(call)


async def read_all(call: Call) -> None:
    """Read to the end."""
    while isinstance(await call.read(), bytes):
        pass


async def talked(scene: Scene) -> None:
    """Tell a bot more than its transport takes in advance."""
    while True:
        await scene.visit.send([padding(0)])


@pytest.mark.parametrize(
    "then", [pytest.param("wait", id="the command waits"), pytest.param("exit 0", id="the command has ended")]
)
async def test_what_a_bot_has_started_ends_with_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, then: str) -> None:
    """Also where it takes no notice of a polite request."""
    monkeypatch.setattr(subject, "END_S", SOON_S)
    started = tmp_path / "started"
    child = f"sh -c 'trap \"\" TERM; echo $$ > {started}.new; mv {started}.new {started}; sleep 1000 & wait; wait'"
    with (tmp_path / "log").open("wb") as log:
        bot = Subject(["sh", "-c", f"{child} & {then}"], log, tmp_path / "troubles")
        await bot.start("127.0.0.1:1")
        await until(started.exists)
        await bot.stop()
    pid = int(started.read_text("ascii"))
    await until(lambda: not lives(pid))
