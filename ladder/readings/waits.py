"""For whom a tournament waits now, and which other versions of them are connected."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ladder.extent import missing
from ladder.store.presence import Presence
from ladder.store.registry import Registry
from ladder.store.tournaments import TournamentRow
from lastcard.names import TOGETHER, bot_of

__all__ = ["Awaited", "Waits"]

DRAFT: Final = "draft"
RUNNING: Final = "running"


@dataclass(frozen=True, slots=True)
class Awaited:
    """Bots that a tournament waits for."""

    bots: tuple[str, ...] = ()
    """`name@n`, those missing longest first; before the start `name`."""
    others: tuple[str, ...] = ()
    """Versions of them that are connected and not entered, `name@n`."""
    not_offering: tuple[str, ...] = ()
    """Of the bots, those that are connected and do not offer the format."""


@dataclass(frozen=True, slots=True)
class Waits:
    """Reads who is waited for: only what waits costs a look at who is there."""

    registry: Registry
    presence: Presence

    def of(self, row: TournamentRow, now_ms: int) -> Awaited:
        """Return whom a tournament waits for; nobody where it is neither a draft nor running."""
        spec = json.loads(row.spec)
        if row.state == DRAFT:
            return Awaited(self._never_connected(spec.get("bots", ())))
        bots = missing(row.schedule, spec["grace_s"] * 1000, now_ms) if row.state == RUNNING else ()
        if not bots:
            return Awaited()
        online, names = self.presence.online(), set(map(bot_of, bots))
        others = tuple(bot for bot in online if bot_of(bot) in names and bot not in row.entrants)
        silent = tuple(bot for bot in bots if bot in online and spec["format"] not in online[bot].formats)
        return Awaited(bots, others, silent)

    def _never_connected(self, sides: Sequence[str]) -> tuple[str, ...]:
        """Return the bots without a version; a side with a retired bot is not waited for."""
        split = [side.split(TOGETHER) for side in sides]
        found = self.registry.entered([name for side in split for name in side])
        alive = [side for side in split if all(name in found and not found[name].retired for name in side)]
        return tuple(name for side in alive for name in side if found[name].active is None)
