"""What a bot is looked at for: each is one small scene, led from the referee's side."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import grpc

from lastcard.console import counted
from referee import wire
from referee.check.rounds import Step
from referee.check.scene import ANSWER_S, AT_ONCE, HEARTBEAT_S, REDIAL_S, Scene, received, redial
from referee.check.service import Answered, WrongError, padding, unheard_of
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.rules.chance import NONCE_BYTES
from referee.wire import ReplyCode

NONCE_S: Final = 2.0
QUIET_S: Final = HEARTBEAT_S + 2.0
STAY_AWAY_S: Final = 3.0
AWAY_MS: Final = 1_500
EARLY_S: Final = 0.3
HALF_CLOSE_S: Final = 10.0
LATE_S: Final = 3.0
LATE_TURNS: Final = 2
OLD_TURNS: Final = 2


@dataclass(frozen=True, slots=True)
class Behaviour:
    """One line of the table.

    Attributes:
        name: in one or two words.
        what: what a bot must do.
        show: leads the scene; raises WrongError where the bot does something else.
        last: the bot does not come back by itself.
    """

    name: str
    what: str
    show: Callable[[Scene], Awaitable[None]]
    last: bool = False


async def _plays(scene: Scene) -> None:
    await scene.play(2 * AT_ONCE)
    scene.heard = f"{counted(scene.rounds.finished, 'round')} of {scene.rounds.played.name}"


async def _nonce(scene: Scene) -> None:
    played = scene.rounds.played
    loop = asyncio.get_running_loop()
    for number in range(2):
        match = f"check.nonce{number}.1.0"
        await scene.visit.send(
            [wire.match_start(MatchPlay(MatchSpec(match, played, scene.rounds.entrants, 1), bytes(32)))]
        )
        until = loop.time() + NONCE_S
        while match not in scene.nonces:
            try:
                scene.nonces.update((await scene.hear(until)).nonces)
            except TimeoutError:
                raise WrongError(f"no nonce within {NONCE_S:g} s of MatchStart; deals go on without it") from None
        if len(scene.nonces[match]) != NONCE_BYTES:
            raise WrongError(f"a nonce of {len(scene.nonces[match])} bytes; it must have {NONCE_BYTES}")
    if len(set(scene.nonces.values())) < len(scene.nonces):
        raise WrongError("the same nonce for two matches; it must be one that nobody can foresee")


async def _batches(scene: Scene) -> None:
    steps = scene.questions()
    await scene.ask(steps)
    await scene.settle()
    scene.heard = f"{counted(len(steps), 'question')} in one message"


async def _asked_again(scene: Scene) -> None:
    step, *others = scene.questions()
    again = [Step((scene.rounds.question(step.asks, anew=anew),), step.asks) for anew in (False, True)]
    await scene.ask([step, *again])
    # It may answer every time or once; it may not change its mind.
    seen = [answer for answer in await scene.every_answer(1 + len(again)) if answer.round == step.asks]
    if not seen:
        raise WrongError(f"no answer within {ANSWER_S:g} s")
    if len(set(seen)) > 1:
        raise WrongError(f"asked the same decision again it answers {[list(one.picks) for one in seen]}")
    await scene.ask([*others, scene.rounds.take(seen[0])])
    await scene.settle()
    await scene.play(1)
    scene.heard = f"{counted(len(seen), 'answer')} to 3 questions"


async def _out_of_order(scene: Scene) -> None:
    wanted = scene.rounds.finished + 4
    steps = scene.questions()
    while scene.rounds.finished < wanted:
        for step in reversed(steps):
            await scene.ask([step])
        steps = [scene.rounds.take(answer) for answer in reversed(await scene.answers())]
    scene.put_off(steps)
    await scene.settle()


async def _unknown(scene: Scene) -> None:
    await scene.visit.send([unheard_of()])
    await scene.play(2)


async def _told_off(scene: Scene) -> None:
    await scene.visit.send([wire.reply(9_999, 7, code, "an exercise") for code in ReplyCode])
    wanted = scene.rounds.finished + 2
    await scene.ask(scene.questions())
    while scene.rounds.finished < wanted:
        answers = await scene.answers()
        await scene.visit.send(
            [wire.reply(one.round, one.act, code, "an exercise") for one in answers for code in ReplyCode]
        )
        await scene.ask([scene.rounds.take(answer) for answer in answers])
    await scene.settle()


async def _slow(scene: Scene) -> None:
    step, *others = scene.questions()
    with scene.door.line.dribbling():
        await scene.ask([step])
        await scene.settle()
    for late in others[:LATE_TURNS]:
        await _quiet(scene, LATE_S)
        await scene.ask([late])
        await scene.settle()
    scene.put_off(others[LATE_TURNS:])
    await scene.play(1)
    scene.heard = f"one turn byte by byte, {LATE_TURNS} after {LATE_S:g} s"


async def _quiet(scene: Scene, seconds: float) -> None:
    """Let time pass in which nothing is asked."""
    until = asyncio.get_running_loop().time() + seconds
    try:
        while True:
            if answers := (await scene.hear(until)).answers:
                raise WrongError(f"{counted(len(answers), 'answer')}, though nothing was asked")
    except TimeoutError:
        return


async def _stale(scene: Scene) -> None:
    step, *others = scene.questions()
    scene.put_off(others)
    again = over = 0
    while not (again and over):
        await scene.ask([step])
        old = scene.rounds.question(step.asks, anew=True)
        (answer,) = await scene.answers()
        before = scene.rounds.finished
        step = scene.rounds.take(answer)
        if step.asks == answer.round and scene.rounds.finished == before:
            if again < OLD_TURNS:
                await scene.ask([step])
                await scene.visit.send([old])
                step = await _successor(scene, answer)
                again += 1
        elif answer.round not in scene.rounds.handles:
            await scene.ask([step])
            await scene.visit.send([old])
            step = await _successor(scene, answer, ReplyCode.ROUND_OVER)
            over += 1
        elif again:  # its next round has the same handle
            break
    scene.put_off([step])
    await scene.play(1)
    scene.heard = f"{counted(again, 'old turn')}, {over} of rounds that were over"


async def _successor(scene: Scene, old: Answered, code: ReplyCode = ReplyCode.STALE) -> Step:
    """Take the answer to what is open, beside which `old` was asked again; it may be answered again, too."""
    seen = await scene.every_answer(2)
    stale = [one for one in seen if (one.round, one.act) == (old.round, old.act)]
    new = [one for one in seen if one not in stale]
    await scene.visit.send([wire.reply(one.round, one.act, code, "an exercise") for one in stale])
    if len(new) != 1:
        what = "of a round that is over" if code is ReplyCode.ROUND_OVER else "that it had answered"
        raise WrongError(f"{counted(len(new), 'answer')} to what is open, after a turn {what} came again")
    return scene.rounds.take(new[0])


async def _late_welcome(scene: Scene) -> None:
    await scene.ask(scene.questions())
    scene.visit.abort(grpc.StatusCode.UNAVAILABLE, "CUT", "the line was cut")
    scene.enter(await received(scene.door, REDIAL_S, LATE_S))
    await scene.play(1)
    scene.heard = f"{LATE_S:g} s after Hello"


async def _large(scene: Scene) -> None:
    steps = scene.questions()
    size = sum(len(part) for step in steps for part in step.parts)
    await scene.ask([*steps[:-1], Step((*steps[-1].parts, padding(size)), steps[-1].asks)])
    await scene.settle()
    scene.heard = f"{wire.MOST_SENT:,} bytes"


async def _patient(scene: Scene) -> None:
    until, beats = asyncio.get_running_loop().time() + QUIET_S, 0
    while True:
        try:
            said = await scene.hear(until)
        except TimeoutError:
            break
        beats += said.beats
        if said.answers:
            raise WrongError(f"{counted(len(said.answers), 'answer')}, though nothing was asked")
    if not beats:
        raise WrongError(f"no heartbeat within {QUIET_S:g} s of silence; one is due every {HEARTBEAT_S:g} s")
    await scene.play(1)
    scene.heard = f"{counted(beats, 'heartbeat')} in {QUIET_S:g} s"


async def _cut(scene: Scene) -> None:
    await scene.ask(scene.questions())
    scene.visit.abort(grpc.StatusCode.UNAVAILABLE, "CUT", "the line was cut")
    visit = await redial(scene)
    await scene.play(2)
    scene.heard = f"resumes {counted(len(visit.greeting.resume), 'round')}"


async def _going_away(scene: Scene) -> None:
    said_at = asyncio.get_running_loop().time()
    await scene.visit.send([wire.going_away(AWAY_MS)])
    try:
        await scene.visit.half_closed(HALF_CLOSE_S)
    except TimeoutError:
        raise WrongError("it does not half-close after GoingAway; the client closes first, always") from None
    scene.visit.finish()
    visit = await redial(scene)
    if visit.at - said_at < AWAY_MS / 1000 - EARLY_S:
        raise WrongError(f"it dials {visit.at - said_at:.1f} s after GoingAway, told to wait {AWAY_MS / 1000:g} s")
    await scene.play(1)
    scene.heard = f"back after {visit.at - said_at:.1f} s"


async def _replaced(scene: Scene) -> None:
    await scene.visit.send([wire.replaced()])
    scene.visit.abort(grpc.StatusCode.ABORTED, "REPLACED", "another stream of the same instance took over")
    await _stays_away(scene, "after Replaced; two processes with one instance would chase each other for ever")


async def _bad_token(scene: Scene) -> None:
    scene.visit.abort(grpc.StatusCode.UNAUTHENTICATED, "BAD_TOKEN", "the token was revoked, or has expired")
    await _stays_away(scene, "though its token is refused; only a person can change that")


async def _stays_away(scene: Scene, why: str) -> None:
    try:
        visit = await scene.door.next(STAY_AWAY_S)
    except TimeoutError:
        return
    visit.finish()
    raise WrongError(f"it dials again at once {why}")


BEHAVIOURS: Final = (
    Behaviour("plays", "answers every question with a legal answer, in time", _plays),
    Behaviour("nonce", "answers MatchStart with 16 new bytes within 2 s", _nonce),
    Behaviour("batches", "answers all questions of one message, each once", _batches),
    Behaviour("asked again", "gives the same answer to the same decision", _asked_again),
    Behaviour("out of order", "keeps rounds apart, whatever order their turns come in", _out_of_order),
    Behaviour("unknown", "goes on after notices and fields that it does not know", _unknown),
    Behaviour("told off", "goes on after replies of every kind", _told_off),
    Behaviour("stale", "goes on after turns that it has answered, and of rounds that are over", _stale),
    Behaviour("slow", "waits for turns that are late, or come byte by byte", _slow),
    Behaviour("large", "reads messages of 256 KiB", _large),
    Behaviour("patient", "says nothing but heartbeats while nothing is asked", _patient),
    Behaviour("cut", "comes back as the same instance and plays on", _cut),
    Behaviour("late welcome", "waits for a Welcome that is late", _late_welcome),
    Behaviour("going away", "half-closes, waits as told, comes back", _going_away),
    Behaviour("replaced", "does not come back at once", _replaced, last=True),
    Behaviour("bad token", "does not come back", _bad_token, last=True),
)
