"""A table for whose deals others wait, and the referee that does not come to an end with it."""

from __future__ import annotations

from dataclasses import replace

from ladder.store.match_calls import Ending
from ladder.store.rows import Claimed, MatchRow
from tests.workers.house import FIELD, NAMES, House, field, of_group, play
from workers.tournaments.notes import Notes


class Slow:
    """A tournament of which all tables of the first group are over but one, which a referee plays and plays."""

    def __init__(self, house: House, deadline_s: int | None = 30) -> None:
        self.house = house
        house.enter(*NAMES, formats=(FIELD,))
        house.create(replace(field(), deadline_s=deadline_s))
        house.look()
        self.tables = sorted(row.id for row in of_group(house))
        play(house, self.tables[1:])
        house.look()
        self.last = self.tables[0]
        self.claim()

    def claim(self) -> None:
        """Have the referee take the last table on."""
        self.house.store.matches.set_ready(self.last, self.house.now_ms)
        claimed = self.house.store.matches.claim(self.last, self.house.referee.me, self.house.now_ms, seed=bytes(32))
        assert isinstance(claimed, Claimed)
        self.head = claimed.head

    def release(self) -> None:
        """Have the referee give the last table back."""
        calls = self.house.store.matches.calls(self.last, me=self.house.referee.me, tournament="spring")
        self.house.store.matches.release(calls, self.head, not_before_ms=self.house.now_ms, now_ms=self.house.now_ms)

    def end(self, ending: Ending, reason: str = "", result: str = "") -> None:
        """Have the referee end the last table."""
        store = self.house.store
        calls = store.matches.calls(self.last, me=self.house.referee.me, tournament="spring")
        now_ms = self.house.now_ms
        store.matches.close(calls, self.head, b"end", now_ms=now_ms, ending=ending, reason=reason, result=result)

    def obey(self) -> None:
        """End the last table as its host does that was told to stop."""
        stop = self.row.stop
        assert stop is not None
        self.end(Ending.VOID, stop.reason)

    @property
    def row(self) -> MatchRow:
        """The last table as it stands in the ledger."""
        return self.house.store.matches.get(self.last)

    def noted(self) -> tuple[str, ...]:
        """Return what the planner remembers."""
        return Notes.parse(self.house.store.tournaments.get("spring").schedule).overtime

    def audit(self) -> list[tuple[str, str, str]]:
        """Return who did what to the table, and to the one that is played in its place, oldest first."""
        deeds = reversed(self.house.store.audit.tail(target=self.last))
        return [(deed.who, deed.verb, deed.target) for deed in deeds]
