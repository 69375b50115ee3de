"""A line between two ends in one loop, and its recording."""

import asyncio
from dataclasses import dataclass, field

from referee.trunk.line import LineLostError


@dataclass
class End:
    """One end of a line; `heard` keeps what came."""

    inbox: "asyncio.Queue[bytes]" = field(default_factory=asyncio.Queue)
    heard: list[bytes] = field(default_factory=list)
    other: "End | None" = None

    async def write(self, message: bytes) -> None:
        """Hand a message over."""
        assert self.other is not None
        self.other.inbox.put_nowait(message)

    async def read(self) -> bytes:
        """Wait for a message; an empty one is the end."""
        message = await self.inbox.get()
        if not message:
            raise LineLostError("the line is over")
        self.heard.append(message)
        return message


def line() -> tuple[End, End]:
    """Return both ends of a new line."""
    one, two = End(), End()
    one.other, two.other = two, one
    return one, two
