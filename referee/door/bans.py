"""Tokens whose bots break the protocol again and again are shut out for a while, at this referee."""

from collections.abc import Callable
from typing import Final

from ladder.store.logs import logger
from lastcard.strikes import Strikes
from referee import wire
from referee.door.errors import RefusedStreamError
from referee.door.hold import Hold
from referee.hosting.roster import Roster
from referee.hosting.sessions import Ending
from referee.metrics import Metrics

WINDOW_S: Final = 600.0
BAN_S: Final = 60.0
SENTENCE: Final = (
    f"{wire.MOST_ERRORS} messages of this token within {WINDOW_S / 60:.0f} minutes broke the protocol (no PlayRequest,"
    " a wrong Hello, too large, or too many of them); mend the bot, and connect again in a minute"
)

log = logger("referee.door.bans")


class Bans:
    """Counts by token what breaks the protocol; at the last that is borne all streams of the token are ended.

    What counts is a message, whatever is in it; answers that are wrong have a price of their own, or none.
    """

    def __init__(self, roster: Roster, clock: Callable[[], float], metrics: Metrics) -> None:
        self._roster = roster
        self._metrics = metrics
        self._errors = Strikes(wire.MOST_ERRORS, WINDOW_S, BAN_S, clock)
        self._hold = Hold()

    async def refuse_if_banned(self, keyid: str) -> None:
        """Let a token pass that is not shut out.

        Raises:
            RefusedStreamError: RESOURCE_EXHAUSTED BANNED.
        """
        if self._errors.out(keyid):
            await self._hold.wait()
            raise RefusedStreamError("RESOURCE_EXHAUSTED", "BANNED", SENTENCE, retry_s=self._errors.left_s(keyid))

    def blame(self, keyid: str) -> bool:
        """Count a message that breaks the protocol; returns whether it was the last that is borne."""
        if not self._errors.add(keyid):
            return False
        self._metrics.bans += 1
        log.warning("banned", token=keyid, seconds=BAN_S)
        for session in self._roster.sessions:
            if session.keyid == keyid:
                session.end(Ending("RESOURCE_EXHAUSTED", "BANNED", SENTENCE, BAN_S))
        return True
