"""How two referees convince each other: each draws a nonce, and each signs what the other one drew."""

import asyncio
import hmac
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from google.protobuf.message import DecodeError

from lastcard.secret import Secret
from referee.trunk import frames
from referee.trunk.line import Line, LineLostError

GREETING_S: Final = 3.0
"""For each thing that is said, and each that is heard."""
DIAL_S: Final = 20.0
"""For the first thing that is said: gRPC takes as long to find out that nobody can be reached."""
NONCE_BYTES: Final = 32
DIALS: Final = b"lastcard trunk 2, who dials"
IS_DIALLED: Final = b"lastcard trunk 2, who is dialled"


class Living(Protocol):
    """Knows who beats."""

    def __call__(self, name: str) -> Awaitable[object]:
        """Return when a referee is known to beat. Raises LineLostError."""


@dataclass(frozen=True, slots=True)
class Handshake:
    """What a referee opens its trunks with.

    Attributes:
        me: its incarnation.
        pepper: what all referees of an installation know.
        draw: draws so many secret bytes.
    """

    me: str
    pepper: Secret
    draw: Callable[[int], bytes]

    async def dial(self, line: Line, name: str) -> None:
        """Convince who was dialled, and be convinced. Raises LineLostError."""
        mine = self.draw(NONCE_BYTES)
        await _say(line, frames.greeting(self.me, name, mine), DIAL_S)
        theirs = await self._greeted(line)
        if theirs.sender != name:
            raise LineLostError(f"{theirs.sender} has its address by now")
        said = (self.me, name, mine, theirs.nonce)
        await _say(line, frames.proof(self._sign(DIALS, *said)), GREETING_S)
        await self._convinced(line, self._sign(IS_DIALLED, *said))

    async def accept(self, line: Line, living: Living) -> str:
        """Return who has dialled, once it has proved who it is. Raises LineLostError where it is nobody who may."""
        theirs = await self._greeted(line)
        mine = self.draw(NONCE_BYTES)
        await _say(line, frames.greeting(self.me, theirs.sender, mine), GREETING_S)
        said = (theirs.sender, self.me, theirs.nonce, mine)
        await self._convinced(line, self._sign(DIALS, *said))
        await living(theirs.sender)
        await _say(line, frames.proof(self._sign(IS_DIALLED, *said)), GREETING_S)
        return theirs.sender

    def _sign(self, role: bytes, dials: str, dialled: str, its_nonce: bytes, nonce_of_dialled: bytes) -> bytes:
        return proof(self.pepper, role, dials, dialled, its_nonce, nonce_of_dialled)

    async def _greeted(self, line: Line) -> frames.Greeting:
        said = await _first(line, "greeting")
        greeting = said[0].greeting if len(said) == 1 else frames.Greeting()
        if greeting.version != frames.VERSION:
            raise LineLostError(f"it speaks version {greeting.version} of the trunk, this one {frames.VERSION}")
        if greeting.receiver != self.me or len(greeting.nonce) != NONCE_BYTES:
            raise LineLostError(f"its greeting is not for {self.me}, or has no nonce of {NONCE_BYTES} bytes")
        return greeting

    @staticmethod
    async def _convinced(line: Line, expected: bytes) -> None:
        said = await _first(line, "proof")
        if len(said) != 1 or not hmac.compare_digest(said[0].proof.proof, expected):
            raise LineLostError("its proof is not that of a referee with our pepper")


def proof(pepper: Secret, role: bytes, dials: str, dialled: str, *nonces: bytes) -> bytes:
    """Return what only a referee of the same installation can say, and only in answer to these nonces."""
    parts = (role, dials.encode(), dialled.encode(), *nonces)
    return hmac.digest(pepper.reveal(), b"".join(len(part).to_bytes(4, "big") + part for part in parts), "sha256")


async def _say(line: Line, message: bytes, within_s: float) -> None:
    try:
        async with asyncio.timeout(within_s):
            await line.write(message)
    except TimeoutError as error:
        raise LineLostError(f"it took nothing of what was said for {within_s:.0f} seconds") from error


async def _first(line: Line, what: str) -> Sequence[frames.Frame]:
    try:
        async with asyncio.timeout(GREETING_S):
            return frames.parse(await line.read())
    except (TimeoutError, DecodeError) as error:
        raise LineLostError(f"no {what} came") from error
