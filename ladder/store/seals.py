"""Matches whose deals other tables play, too: closed or lost, they leave `due` until the last of those tables is over.

Whether it is, a worker knows from the schedule. Each change here is made on what is true at that moment, so that
whoever sees the last table end wakes all others, in whatever order workers come and wherever one of them dies.
"""

from collections.abc import Sequence
from typing import cast

from ladder.store.call import Call
from ladder.store.client import Link
from ladder.store.keys import Keys
from ladder.store.match_reads import PIPELINE
from ladder.store.scripts import script


class DealSeals:
    """The seals of all deal groups of a tenant."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys

    def hold(self, match: str, holder: str, tournament: str) -> bool:
        """Takes a match out of `due` until `open`. False: `holder`, a table of its group, is over, and it stays."""
        keys = (self._keys.due, self._keys.match(holder), self._keys.tournament(tournament))
        return self._link.run(Call(script("seal"), keys, (match,))) == b"OK"

    def open(self, matches: Sequence[str]) -> list[str]:
        """Marks all matches of a group as no longer sealed; returns the closed ones that are due only from now on."""
        woken: list[str] = []
        for start in range(0, len(matches), PIPELINE):
            part = matches[start : start + PIPELINE]
            call = Call(script("unseal"), (self._keys.due, *map(self._keys.match, part)), tuple(part))
            woken += [match.decode() for match in cast("list[bytes]", self._link.run(call))]
        return woken

    def forget(self, match: str) -> None:
        """Takes a match that does not count out of `due`: the others of its group know by now."""
        self._link.run(Call(script("undue"), (self._keys.due,), (f"rate:{match}",)))
