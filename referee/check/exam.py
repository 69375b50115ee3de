"""The way through all behaviours: one stream as far as it carries, another where it does not."""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

import grpc

from lastcard.errors import InputError
from referee import formats
from referee.bots import make
from referee.check.behaviours import Behaviour
from referee.check.rounds import Rounds
from referee.check.scene import Scene, received
from referee.check.service import Door, LeftError, Visit, WrongError
from referee.check.subject import Subject
from referee.formats.format import Format
from referee.local.local_bot import LocalBot

RIVAL: Final = "careful"
TRIES: Final = 3
"""A bot may end a stream of its own accord, to say Hello anew; not for ever."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What came of one behaviour.

    Attributes:
        name, what: of the behaviour.
        passed: whether the bot behaved so.
        seen: what it did.
    """

    name: str
    what: str
    passed: bool
    seen: str


class Exam:
    """One bot, looked at from all sides."""

    def __init__(
        self,
        subject: Subject,
        *,
        behaviours: Sequence[Behaviour],
        played: str,
        seed: int,
        patience_s: float,
        say: Callable[[str], None],
    ) -> None:
        self._subject = subject
        self._behaviours = behaviours
        self._played = played
        self._seeds = count(seed)
        self._patience_s = patience_s
        self._say = say
        self._scene: Scene | None = None
        self._met = False

    async def run(self, address: str, told: Callable[[Finding], None]) -> list[Finding]:
        """Show the behaviours; `told` is given each finding as it comes.

        Raises:
            InputError: the address cannot be listened on, or no port behind it; the bot cannot be run, or does not play
                the format.
        """
        findings = []
        try:
            async with Door(address) as door:
                self._say(f"listening on {door.line.address}")
                for behaviour in self._behaviours:
                    finding = await self._look(door, behaviour)
                    findings.append(finding)
                    told(finding)
                    if not self._met:
                        self._say("the bot never said Hello, so nothing else was tried")
                        break
        except OSError as error:
            raise InputError("NO_ADDRESS", f"{error}; give another --listen", field="listen", value=address) from None
        finally:
            await self._subject.stop()
        return findings

    async def _look(self, door: Door, behaviour: Behaviour) -> Finding:
        """Show one behaviour."""
        for left in reversed(range(TRIES)):
            try:
                scene = await self._ready(door)
                scene.heard = ""
                await behaviour.show(scene)
                if trouble := self._subject.trouble():
                    raise WrongError(trouble)  # noqa: TRY301  (as wrong as what the scene itself finds)
            except LeftError:
                self._leave()
                if not left:
                    return self._finding(behaviour, f"it ends the stream in the middle of it{self._code()}")
            except WrongError as wrong:
                self._drop()
                return self._finding(behaviour, f"{wrong}{self._code()}")
            else:
                if behaviour.last:
                    await self._subject.stop()
                    self._scene = None
                return Finding(behaviour.name, behaviour.what, passed=True, seen=scene.heard)
        raise AssertionError("unreachable")

    def _finding(self, behaviour: Behaviour, seen: str) -> Finding:
        return Finding(behaviour.name, behaviour.what, passed=False, seen=seen)

    def _code(self) -> str:
        code = self._subject.ended
        return "" if code is None else f"; its process ended with {code}"

    def _leave(self) -> None:
        """Let the bot go, which has closed its end: it waits for ours."""
        scene, self._scene = self._scene, None
        if scene is not None:
            scene.visit.finish()

    def _drop(self) -> None:
        """Begin anew after something went wrong: nobody knows what the bot thinks is open."""
        scene, self._scene = self._scene, None
        if scene is not None:
            scene.visit.abort(grpc.StatusCode.UNAVAILABLE, "NEXT", "the next exercise begins with a new stream")

    async def _ready(self, door: Door) -> Scene:
        """Return a scene with a stream on which nothing is open."""
        if self._scene is None:
            await self._subject.start(door.line.address)
            if not self._subject.command:
                self._say(f"waiting for your bot to dial {door.line.address}")
            visit = await self._dialled(door)
            self._met = True
            played = self._format(visit.greeting.formats)
            seed = next(self._seeds)
            rivals = [LocalBot(RIVAL, make(RIVAL, seed)) for _ in range(played.seats - 1)]
            self._scene = Scene(door, visit, Rounds(played, rivals, seed))
            self._scene.enter(visit)
        return self._scene

    async def _dialled(self, door: Door) -> Visit:
        """Return the bot's next stream, without waiting for a process that has failed."""
        dialling = asyncio.create_task(received(door, self._patience_s))
        ending = asyncio.create_task(self._subject.end())
        try:
            await asyncio.wait({dialling, ending}, return_when=asyncio.FIRST_COMPLETED)
            if not dialling.done() and self._subject.ended:
                raise WrongError("it does not dial")
            return await dialling
        finally:
            for task in (dialling, ending):
                task.cancel()
            await asyncio.gather(dialling, ending, return_exceptions=True)

    def _format(self, offered: frozenset[str]) -> Format:
        if self._played and self._played not in offered:
            sentence = f"the bot does not offer {self._played}; it offers {', '.join(sorted(offered))}"
            raise InputError(
                "NOT_OFFERED", sentence, field="format", value=self._played, allowed=tuple(sorted(offered))
            )
        return formats.get(self._played or min(offered))
