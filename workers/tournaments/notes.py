"""What the planner remembers of a running tournament between two looks, as JSON in the tournament's row."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ladder.pace import Pace
from workers.schedule.deal_groups import HOUSE
from workers.schedule.window import Cursor

__all__ = ["Notes"]


@dataclass(frozen=True, slots=True)
class Notes:
    """How far the schedule is created, who is missing since when, how fast it goes, and who belongs together."""

    cursor: Cursor = field(default_factory=Cursor)
    missing: Mapping[str, int] = field(default_factory=dict)
    """Entrants that are not there, to the ms since when."""
    pace: Pace = field(default_factory=Pace)
    kin: Mapping[str, int] = field(default_factory=dict)
    """Entrants to the number of their owner; `HOUSE` for house bots."""

    def text(self) -> str:
        """Return it as JSON."""
        fields = {
            "next": self.cursor.next,
            "gaps": self.cursor.gaps,
            "missing": dict(self.missing),
            "pace": self.pace.samples,
            "kin": dict(self.kin),
        }
        return json.dumps(fields, sort_keys=True, separators=(",", ":"))

    @classmethod
    def parse(cls, text: str) -> Notes:
        """Return the notes that `text` wrote; none were written yet: empty ones."""
        if not text:
            return cls()
        fields = json.loads(text)
        return cls(
            cursor=Cursor(fields["next"], tuple(fields["gaps"])),
            missing=fields["missing"],
            pace=Pace.noted(text),
            kin=fields["kin"],
        )

    def attended(self, entrants: tuple[str, ...], there: frozenset[str], now_ms: int) -> Notes:
        """Return the notes after a look at who is there; who is missing keeps the time since when."""
        absent = {bot: self.missing.get(bot, now_ms) for bot in entrants if bot not in there}
        return replace(self, missing=absent)

    def gone(self, now_ms: int, grace_ms: int) -> frozenset[str]:
        """Return the entrants that were waited for in vain."""
        return frozenset(bot for bot, since_ms in self.missing.items() if now_ms - since_ms >= grace_ms)

    def related(self, entrants: tuple[str, ...], teams: Sequence[int] | None = None) -> bool:
        """Return whether two opponents have one owner who is not the house: their games are not rated."""
        sides = range(len(entrants)) if teams is None else teams
        owned = {(self.kin[bot], side) for bot, side in zip(entrants, sides, strict=True) if self.kin[bot] != HOUSE}
        return len(owned) != len({owner for owner, _ in owned})
