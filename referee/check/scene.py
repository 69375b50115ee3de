"""What a behaviour is shown on: the streams of a bot, and the rounds that it plays."""

import asyncio
from collections.abc import Iterable
from typing import Final

from lastcard.console import counted
from referee import wire
from referee.check.rounds import Rounds, Step
from referee.check.service import Answered, Door, LeftError, Said, Visit, WrongError

ANSWER_S: Final = 10.0
"""How long an answer may take: more than any clock gives."""
REDIAL_S: Final = 20.0
HELLO_S: Final = 5.0
SECOND_THOUGHTS_S: Final = 1.0
AT_ONCE: Final = 16
"""Rounds in flight, where the bot takes so many."""
HEARTBEAT_S: Final = 20.0


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


async def redial(scene: Scene) -> Visit:
    """Take the stream that the bot opens next."""
    before = scene.visit
    visit = await received(scene.door, REDIAL_S)
    if visit.greeting.instance != before.greeting.instance:
        raise WrongError("another instance after a reconnect; it must be kept, or its rounds wait for the lost one")
    scene.enter(visit)
    return visit


async def received(door: Door, patience_s: float, late_s: float = 0.0) -> Visit:
    """Return the next stream of the bot, greeted and welcomed, `late_s` after its Hello.

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
    if late_s:
        await _unwelcomed(visit, late_s)
    await visit.send([wire.welcome(visit.greeting, "check", "you@1", limits)])
    return visit


async def _unwelcomed(visit: Visit, late_s: float) -> None:
    loop = asyncio.get_running_loop()
    until = loop.time() + late_s
    try:
        while (left := until - loop.time()) > 0:
            await visit.hear(left)
    except TimeoutError:
        return
    except LeftError:
        visit.finish()
        raise WrongError(
            f"it leaves when its Welcome is {late_s:g} s late; it may be ten times as long under way"
        ) from None
