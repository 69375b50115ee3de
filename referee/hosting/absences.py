"""Since when bots have been at no referee, as far as this one has looked; who was elsewhere just now is not absent."""

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from ladder.store.rows import MatchRow
from referee.hosting.roster import INSTANT_S
from referee.hosting.seeking import Sight
from referee.hosting.sessions import NOTICE_S

STALE_S: Final = 2.0
"""After so long without a look nothing is known any more."""
MOST: Final = 10_000


@dataclass(frozen=True, slots=True)
class Look:
    """What was seen of a bot.

    Attributes:
        at: when.
        homes: where it was connected.
        since: since when it has been nowhere, or was until it came.
        came: since when it has been somewhere, if it is.
    """

    at: float
    homes: Sequence[str]
    since: float
    came: float


class Absences:
    """Looks at bots that are waited for, each for matches of one format."""

    def __init__(self) -> None:
        self._looks: dict[tuple[str, str], Look] = {}
        self._since: dict[tuple[str, str], float] = {}

    def look_out(self, rows: Iterable[MatchRow], sight: Sight, now: float) -> None:
        """Note where the bots of waiting matches are, if anywhere."""
        whom = {(bot, row.format): sight.of(row.format).homes(bot) for row in rows for bot in row.entrants}
        self._since = {one: self.look(one, now, homes, sight.beats or None) for one, homes in whom.items()}

    def since(self, bot: str, format_name: str) -> float:
        """Return since when a bot was nowhere at the last look; 0.0: no match waits for it."""
        return self._since.get((bot, format_name), 0.0)

    def look(self, whom: tuple[str, str], now: float, homes: Sequence[str], alive: Container[str] | None) -> float:
        """Note where a bot offers a format now; return since when it has been nowhere. `alive` None: all live.

        That counts from the first look that missed it, and goes on where it was seen for an instant only. Where it was
        lost with its referee, which is not its fault, it counts from when it must have noticed.
        """
        last = self._looks.get(whom)
        came = last.came if last is not None and last.homes else now
        if last is None or now - last.at > STALE_S:
            since = now
        elif last.homes and not homes and alive is not None and any(home not in alive for home in last.homes):
            since = now + NOTICE_S
        elif (homes or last.homes) and now - came >= INSTANT_S:
            since = now
        else:
            since = last.since
        if len(self._looks) > MOST:
            self._looks.clear()
        self._looks[whom] = Look(now, homes, since, came)
        return since
