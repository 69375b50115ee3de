"""What the planner remembers of a running tournament between two looks, as JSON in the tournament's row."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from typing import Final

from ladder.pace import Pace
from ladder.store.unread import CAUSES
from workers.schedule.deal_groups import HOUSE
from workers.schedule.window import Cursor
from workers.tournaments.outlook import Mark, Outlook

__all__ = ["Notes"]

_ORDER: Final = re.compile(r'"(even|spread)":(true|false)')
"""As `Notes.text` writes them; whatever else stands there may be damaged. No name is written like that."""


@dataclass(frozen=True, slots=True)
class Notes:
    """How far the schedule is created, who is missing since when, how fast it goes, and who belongs together."""

    cursor: Cursor = field(default_factory=Cursor)
    missing: Mapping[str, int] = field(default_factory=dict)
    """Entrants that are not there, to the ms since when."""
    pace: Pace = field(default_factory=Pace)
    outlook: Outlook = field(default_factory=Outlook)
    """What was left for each bot, some time ago."""
    kin: Mapping[str, int] = field(default_factory=dict)
    """Entrants to the number of their owner; `HOUSE` for house bots."""
    held_ms: int = 0
    """Since when the clock of the grace stands still, because the tournament is paused; 0: it goes."""
    rested_ms: int = 0
    """How long it stood still while the tournament waited for bots before it began."""
    overtime: tuple[str, ...] = ()
    """Matches that others waited for too long: to be declared void, and then to be played again."""

    crowded: tuple[str, ...] = ()
    """Entrants without a place on the ladders, because their owner has as many rated bots as an owner may have."""
    even: bool = False
    """Whether its tables are in the order that is even within a cycle; what began before there was one has another."""
    spread: bool = False
    """Whether a gauntlet meets all its opponents before one again; what began before that did not."""

    meetings: int = 0
    """Of each pairing or table, as they were reckoned when it began; 0: it began before that was noted."""

    def text(self) -> str:
        """Return it as JSON."""
        fields = {
            "next": self.cursor.next,
            "gaps": self.cursor.gaps,
            "missing": dict(self.missing),
            "pace": self.pace.samples,
            "over": self.pace.over_ms,
            "left": [(mark.ms, mark.left) for mark in self.outlook.marks],
            "reckoned": self.outlook.seen_ms,
            "kin": dict(self.kin),
            "held": self.held_ms,
            "rested": self.rested_ms,
            "overtime": self.overtime,
            "crowded": self.crowded,
            "even": self.even,
            "spread": self.spread,
            "meetings": self.meetings,
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
            outlook=Outlook(
                tuple(Mark(ms, tuple(left)) for ms, left in fields.get("left", ())), fields.get("reckoned", 0)
            ),
            kin=fields["kin"],
            held_ms=fields.get("held", 0),
            rested_ms=fields.get("rested", 0),
            overtime=tuple(fields.get("overtime", ())),
            crowded=tuple(fields.get("crowded", ())),
            even=fields.get("even", False),
            spread=fields.get("spread", False),
            meetings=fields.get("meetings", 0),
        )

    @classmethod
    def salvaged(cls, text: str, kin: Mapping[str, int]) -> Notes:
        """Return what damaged notes still say of where the matches of a schedule stand; of all else they say nothing.

        Args:
            text: what is left of them.
            kin: entrants to the number of their owner, as it is now: holds where the notes do not say it of all.
        """
        said = {name: flag == "true" for name, flag in _ORDER.findall(text)}
        noted = _noted_kin(text)
        return cls(
            kin=noted if noted.keys() >= kin.keys() else kin,
            even=said.get("even", False),
            spread=said.get("spread", False),
        )

    def attended(self, entrants: tuple[str, ...], there: AbstractSet[str], now_ms: int, open_ms: int = 0) -> Notes:
        """Return the notes after a look at who is there; who is missing keeps the time since when.

        While the clock stands still, that is where it stands. Nobody is missing since before bots could come in.

        Args:
            entrants: all of them.
            there: those that are there.
            now_ms: wall time.
            open_ms: since when bots can come in.
        """
        now_ms = self.held_ms or now_ms
        least_ms = min(open_ms, now_ms)
        absent = {bot: max(self.missing.get(bot, now_ms), least_ms) for bot in entrants if bot not in there}
        return replace(self, missing=absent)

    def awaiting(self, bots: AbstractSet[str]) -> Notes:
        """Return the notes without the missing ones that are not among these."""
        return replace(self, missing={bot: since_ms for bot, since_ms in self.missing.items() if bot in bots})

    def held(self, now_ms: int) -> Notes:
        """Return the notes of a tournament that is paused."""
        return self if self.held_ms else replace(self, held_ms=now_ms)

    def resumed(self, start_ms: int, now_ms: int) -> Notes:
        """Return the notes of a tournament that goes on: a pause takes nothing from anybody's grace, nor from the pace.

        Args:
            start_ms: when it was to begin; bots are waited for from then on.
            now_ms: wall time.
        """
        pause_ms, rest_ms = now_ms - self.held_ms, now_ms - max(self.held_ms, start_ms)
        later = {bot: since_ms + pause_ms for bot, since_ms in self.missing.items()}
        rested_ms = self.rested_ms + max(rest_ms, 0)
        return replace(self, missing=later, held_ms=0, rested_ms=rested_ms, pace=Pace(), outlook=Outlook())

    def gone(self, now_ms: int, grace_ms: int) -> frozenset[str]:
        """Return the entrants that were waited for in vain."""
        return frozenset(bot for bot, since_ms in self.missing.items() if now_ms - since_ms >= grace_ms)

    def rated(self, entrants: tuple[str, ...], teams: Sequence[int] | None = None) -> bool:
        """Return whether a table may move a ladder: all have a place there, and no opponents have one owner."""
        return not self.related(entrants, teams) and not set(self.crowded).intersection(entrants)

    def related(self, entrants: tuple[str, ...], teams: Sequence[int] | None = None) -> bool:
        """Return whether two opponents have one owner who is not the house."""
        sides = range(len(entrants)) if teams is None else teams
        owned = {(self.kin[bot], side) for bot, side in zip(entrants, sides, strict=True) if self.kin[bot] != HOUSE}
        return len(owned) != len({owner for owner, _ in owned})


def _noted_kin(text: str) -> Mapping[str, int]:
    """Return the owners that damaged notes name; none where that cannot be read."""
    try:
        kin = json.loads(text)["kin"]
        return {bot: number for bot, number in kin.items() if type(number) is int}
    except CAUSES:
        return {}
