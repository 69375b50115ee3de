"""Since when bots have been at no referee, as far as this one has looked; who was elsewhere just now is not absent."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Final

from referee.sessions import NOTICE_S

STALE_S: Final = 2.0
"""After so long without a look nothing is known any more."""
MOST: Final = 10_000


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen of a bot.

    Attributes:
        at: when.
        homes: where it was connected.
        since: since when it has been nowhere.
    """

    at: float
    homes: Sequence[str]
    since: float


class Absences:
    """Looks at bots that are waited for."""

    def __init__(self) -> None:
        self._looks: dict[str, Look] = {}

    def look(self, bot: str, now: float, homes: Sequence[str], alive: Container[str] | None) -> float:
        """Note where a bot is connected now; return since when it has been nowhere. `alive` None: all live.

        That counts from the first look that missed it. Where it was lost with its referee, which is not its fault, it
        counts from when it must have noticed.
        """
        last = self._looks.get(bot)
        if last is None or now - last.at > STALE_S or homes:
            since = now
        elif last.homes:
            lost = alive is not None and any(home not in alive for home in last.homes)
            since = now + NOTICE_S if lost else now
        else:
            since = last.since
        if len(self._looks) > MOST:
            self._looks.clear()
        self._looks[bot] = Look(now, homes, since)
        return since
