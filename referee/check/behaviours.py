"""What a bot is looked at for: each is one small scene, led from the referee's side."""

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Final

import grpc

from lastcard.console import counted
from referee import wire
from referee.check.rounds import Rounds, Step
from referee.check.service import Answered, Door, Said, Visit, WrongError, padding, unheard_of
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.rules.chance import NONCE_BYTES
from referee.wire import ReplyCode

ANSWER_S: Final = 10.0
"""How long an answer may take: more than any clock gives."""
NONCE_S: Final = 2.0
HEARTBEAT_S: Final = 20.0
QUIET_S: Final = HEARTBEAT_S + 2.0
REDIAL_S: Final = 20.0
STAY_AWAY_S: Final = 3.0
AWAY_MS: Final = 1_500
EARLY_S: Final = 0.3
HELLO_S: Final = 5.0
HALF_CLOSE_S: Final = 10.0
SECOND_THOUGHTS_S: Final = 1.0
AT_ONCE: Final = 16
"""Rounds in flight, where the bot takes so many."""


class Scene:
    """What a behaviour is shown on.

    Attributes:
        door: where the bot dials in.
        visit: its stream.
        rounds: the rounds that it plays.
        nonces: what it gave for matches so far.
        heard: what is worth telling of a behaviour that is as it should be.
    """

    def __init__(self, door: Door, visit: Visit, rounds: Rounds) -> None:
        self.door = door
        self.visit = visit
        self.rounds = rounds
        self.nonces: dict[str, bytes] = {}
        self.heard = ""
        self._next: list[Step] = []
        self._asked: set[int] = set()

    def enter(self, visit: Visit) -> None:
        """Go on over another stream: everything that is open is asked there."""
        self.visit = visit
        self.rounds.orders = visit.greeting.orders
        self._asked.clear()
        self._next = self.rounds.reopen(visit.greeting.resume)

    def questions(self) -> list[Step]:
        """What the bot is to be asked next: what was put off, and new rounds as far as there is room."""
        greeting = self.visit.greeting
        room = min(AT_ONCE, greeting.max_games, greeting.max_open)
        steps, self._next = self._next, []
        return steps + [self.rounds.deal() for _ in range(room - len(self.rounds.handles))]

    async def ask(self, steps: Iterable[Step]) -> None:
        """Send these questions as one message."""
        steps = list(steps)
        self._asked.update(step.asks for step in steps)
        if steps:
            await self.visit.send([part for step in steps for part in step.parts])

    async def hear(self, until: float) -> Said:
        """Return the bot's next message.

        Raises:
            TimeoutError: there is none before that loop time, however much was said until then.
        """
        left = until - asyncio.get_running_loop().time()
        if left <= 0:
            raise TimeoutError
        return await self.visit.hear(left)

    async def answers(self) -> tuple[Answered, ...]:
        """Return the answers of the next message that has any, each to an open question.

        Raises:
            WrongError: none came in time, or it answers what it was not asked.
        """
        until = asyncio.get_running_loop().time() + ANSWER_S
        said = Said()
        while not said.answers:
            try:
                said = await self.hear(until)
            except TimeoutError:
                raise WrongError(f"no answer within {ANSWER_S:g} s") from None
            self.nonces.update(said.nonces)
        for answer in said.answers:
            if answer.round not in self._asked:
                raise WrongError(f"it answers round {answer.round}, in which nothing is asked, or twice")
            self._asked.discard(answer.round)
        return said.answers

    async def every_answer(self, questions: int) -> list[Answered]:
        """Return all answers that come to so many questions, until a while nothing does; repeated ones, too.

        Raises:
            WrongError: there are more answers than questions.
        """
        loop = asyncio.get_running_loop()
        seen: list[Answered] = []
        until = loop.time() + ANSWER_S
        try:
            while len(seen) <= questions:
                if answers := (await self.hear(until)).answers:
                    seen += answers
                    until = loop.time() + SECOND_THOUGHTS_S
        except TimeoutError:
            self._asked.difference_update(answer.round for answer in seen)
            return seen
        raise WrongError(f"{counted(len(seen), 'answer')} to {counted(questions, 'question')}")

    def put_off(self, steps: Iterable[Step]) -> None:
        """Keep questions for later."""
        self._next += steps

    async def settle(self) -> None:
        """Take what is still to be answered, without asking on."""
        while self._asked:
            self._next += [self.rounds.take(answer) for answer in await self.answers()]

    async def play(self, rounds: int) -> None:
        """Play on until so many rounds more are over."""
        wanted = self.rounds.finished + rounds
        await self.ask(self.questions())
        while self.rounds.finished < wanted:
            await self.ask([self.rounds.take(answer) for answer in await self.answers()])
        await self.settle()


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
    await scene.play(2)


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


async def _redial(scene: Scene) -> Visit:
    """Take the stream that the bot opens next."""
    before = scene.visit
    visit = await received(scene.door, REDIAL_S)
    if visit.greeting.instance != before.greeting.instance:
        raise WrongError("another instance after a reconnect; it must be kept, or its rounds wait for the lost one")
    scene.enter(visit)
    return visit


async def received(door: Door, patience_s: float) -> Visit:
    """Return the next stream of the bot, greeted and welcomed.

    Raises:
        WrongError: it does not dial, or not with the Hello that is due.
    """
    try:
        visit = await door.next(patience_s)
    except TimeoutError:
        raise WrongError(f"it does not dial within {patience_s:g} s") from None
    try:
        await visit.hello(HELLO_S)
    except TimeoutError:
        visit.finish()
        raise WrongError(f"no Hello within {HELLO_S:g} s") from None
    except WrongError:
        visit.finish()
        raise
    limits = {
        "max_games": visit.greeting.max_games,
        "max_open": visit.greeting.max_open,
        "max_message_bytes": wire.MOST_TAKEN,
        "heartbeat_ms": int(HEARTBEAT_S * 1000),
        "useless_per_second": wire.USELESS_PER_S,
    }
    await visit.send([wire.welcome(visit.greeting, "check", "you@1", limits)])
    return visit


async def _cut(scene: Scene) -> None:
    await scene.ask(scene.questions())
    scene.visit.abort(grpc.StatusCode.UNAVAILABLE, "CUT", "the line was cut")
    visit = await _redial(scene)
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
    visit = await _redial(scene)
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
    Behaviour("large", "reads messages of 256 KiB", _large),
    Behaviour("patient", "says nothing but heartbeats while nothing is asked", _patient),
    Behaviour("cut", "comes back as the same instance and plays on", _cut),
    Behaviour("going away", "half-closes, waits as told, comes back", _going_away),
    Behaviour("replaced", "does not come back at once", _replaced, last=True),
    Behaviour("bad token", "does not come back", _bad_token, last=True),
)
