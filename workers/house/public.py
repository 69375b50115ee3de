"""The house's own bots and sample tournament, through the same public services that everybody else uses."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Final, TypeVar

from ladder.client import LadderClient
from ladder.door.registration import HOUSE
from ladder.errors import NotReachableError
from ladder.rpc.dial import Dial
from lastcard.errors import ExitCode
from lastcard.secret import Secret
from workers.house.folder import write_secret
from workers.house.house import House
from workers.house.part import Part, Stage
from workers.tournaments.client import TournamentClient
from workers.tournaments.spec import TournamentSpec
from workers.tournaments.tournament_status import TournamentStatus

Result = TypeVar("Result")

AGAIN_S: Final = 0.5
"""Pause before a ladder that restarts is asked again."""
REQUEST_ID_BYTES: Final = 24
DISMISSED: Final = frozenset({int(ExitCode.BAD_INPUT)})
"""How a bot ends whose token was revoked or that was retired: an operator's wish, and no reason to stop a house."""


class PublicServices:
    """Ladder and tournament services of a house, called as its operator; what blocks does so in a thread."""

    def __init__(self, house: House) -> None:
        self._house = house
        token = house.operator_token.read_text("ascii").strip()
        self._dial = Dial.of({"LASTCARD_LADDER": house.ladder, "LASTCARD_TOKEN": token})
        self._ladder = LadderClient(self._dial)
        self._tournaments = TournamentClient(self._dial)

    def close(self) -> None:
        """Give the connection back; calls that wait end."""
        self._dial.close()

    async def house_bots(self, names: Iterable[str], seed: int) -> list[Part]:
        """Register bots of the house; returns the processes that play as them, each with this seed."""
        return [await self._house_bot(name, seed) for name in names]

    async def _house_bot(self, name: str, seed: int) -> Part:
        new = await self._asked(lambda: self._ladder.register(name, HOUSE, secrets.token_urlsafe(REQUEST_ID_BYTES)))
        file = self._house.plan.folder.bots / f"{name}.token"
        write_secret(file, new.token.text())
        words = ("-m", "referee.bots", name, "--server", self._house.servers, "--token-file", str(file),
                 "--seed", str(seed))  # fmt: skip
        return self._house.part(f"bot-{name}", Stage.BOT, *words, done=DISMISSED)

    async def create(self, spec: TournamentSpec, deal_seed: bytes | Secret) -> TournamentStatus:
        """Create a tournament; the same one again is the one that is there."""
        return (await self._asked(lambda: self._tournaments.create(spec, deal_seed))).status

    async def watch(self, name: str) -> AsyncIterator[TournamentStatus]:
        """Yield a tournament now and after every change until it has ended, also over restarts of the ladder."""
        while True:
            try:
                changes = self._tournaments.watch(name)
                while (status := await asyncio.to_thread(next, changes, None)) is not None:
                    yield status
            except NotReachableError:
                await asyncio.sleep(AGAIN_S)
            else:
                return

    async def _asked(self, call: Callable[[], Result]) -> Result:
        """Return what a call returns, made again while the ladder does not answer: all of them may be repeated."""
        while True:
            try:
                return await asyncio.to_thread(call)
            except NotReachableError:
                await asyncio.sleep(AGAIN_S)
