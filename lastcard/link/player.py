"""A bot with everything of it that outlives a stream."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field

from lastcard.bot import NONCE_BYTES, Bot
from lastcard.errors import InputError
from lastcard.link.memory import Memory
from lastcard.pace import Pace
from lastcard.status import Status
from lastcard.thinker import Thinker, Thought, thinker


@dataclass(slots=True)
class Player:
    """A bot, what it remembers, how fast it is, and what it has done so far."""

    bot: Bot
    thinker: Thinker
    pace: Pace
    status: Status
    memory: Memory = field(default_factory=Memory)
    instance: str = field(default_factory=lambda: secrets.token_hex(16))

    def nonce(self, match: str) -> bytes:
        """Return the bot's nonce for a match, a random one where it has none to give."""
        try:
            return checked_nonce(self.bot.nonce(match))
        except Exception as error:  # noqa: BLE001 (whatever a bot raises is its own fault, and counted)
            self.thinker.errors.note(error, f"nonce({match!r})")
            return secrets.token_bytes(NONCE_BYTES)

    def tell(self, hook: str, news: Callable[[], object]) -> None:
        """Call the bot's `hook` with news, in its turn, if it has a hook of its own."""
        callback = getattr(self.bot, hook)
        if getattr(callback, "__func__", None) is not getattr(Bot, hook):
            self.thinker.tell(callback, news())


def checked_nonce(value: object) -> bytes:
    """Return `value` if it is a nonce.

    Raises:
        InputError: it is none; what it is instead is not told, since it was to be a secret.

    """
    if isinstance(value, bytes) and len(value) == NONCE_BYTES:
        return value
    given = f"{len(value)} bytes" if isinstance(value, bytes) else type(value).__name__
    raise InputError("BAD_NONCE", f"nonce returned {given}; return {NONCE_BYTES} bytes", field="nonce")


def player(bot: Bot, fail: Callable[[BaseException], None]) -> Player:
    """Return the player of `bot`; `fail` gets what `choose` raises to end the process, such as SystemExit."""
    mind = thinker(bot, deliver, fail)
    return Player(bot, mind, Pace(bot.max_open, mind.first_open), Status(mind.errors))


def deliver(thoughts: list[Thought]) -> None:
    """Hand answered thoughts, all of one stream, over to it."""
    thoughts[0].stream.send(thoughts)
