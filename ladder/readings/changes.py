"""What matches did to ratings, as an operator reads it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ladder.elo import MICRO
from ladder.store.ladder_log import Entered, LogEntry, Seat, Voided
from lastcard.names import bot_of


@dataclass(frozen=True, slots=True)
class Change:
    """One entry of a ladder's log: a match, or a bot that entered."""

    seq: int
    match: str
    """Empty where a bot entered."""
    bots: tuple[tuple[str, float, float], ...]
    """`name@n`, Elo before and after; nobody where the match was declared void."""

    def shape(self) -> dict[str, Any]:
        """Return it as JSON."""
        bots = [{"bot": bot, "before": before, "after": after} for bot, before, after in self.bots]
        return {"seq": self.seq, "match": self.match or None, "bots": bots}

    def words(self) -> str:
        """Return it for people."""
        if not self.match:
            return ", ".join(f"{bot} entered at {after:.2f}" for bot, _, after in self.bots)
        if not self.bots:
            return "declared void"
        return ", ".join(f"{bot} {after:.2f} ({after - before:+.2f})" for bot, before, after in self.bots)


def changes(log: Iterable[LogEntry], bot: str, limit: int) -> list[Change]:
    """Return the last entries of a log, of one bot or version if one is named."""
    found = (_change(entry) for entry in log)
    return list(deque((change for change in found if _is_of(change, bot)), maxlen=limit))


def _change(entry: LogEntry) -> Change:
    if isinstance(entry, Voided):
        return Change(entry.seq, entry.match, ())
    if isinstance(entry, Entered):
        elo = entry.entry / MICRO
        return Change(entry.seq, "", ((entry.bot, elo, elo),))
    return Change(entry.seq, entry.match, tuple(_seat(seat) for seat in entry.seats))


def _seat(seat: Seat) -> tuple[str, float, float]:
    return seat.bot, seat.old / MICRO, seat.new / MICRO


def _is_of(change: Change, bot: str) -> bool:
    return not bot or any(bot in {version, bot_of(version)} for version, _, _ in change.bots)
