"""Matches whose deals other tables play, too: closed or lost, they leave `due` until the last of those tables is over.

Whether it is, a worker knows from the schedule. Each change here is made on what is true at that moment, so that
whoever sees the last table end wakes all others, in whatever order workers come and wherever one of them dies.
"""

from collections.abc import Sequence
from typing import cast

from ladder.store.call import Call
from ladder.store.client import PIPELINE, Link
from ladder.store.keys import Keys
from ladder.store.scripts import script
from ladder.store.unread import spelled


class DealSeals:
    """The seals of all deal groups of a tenant."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys

    def hold(self, match: str, holder: str, tournament: str) -> bool:
        """Takes a match out of `due` until `open`. False: `holder`, a table of its group, is over, and it stays."""
        of_tournament = (self._keys.tournament(tournament), self._keys.match(match))
        lost = self._keys.tournament_sealed(tournament)
        keys = (self._keys.due, self._keys.match(holder), *of_tournament, lost)
        return self._link.run(Call(script("seal"), keys, (match,))) == b"OK"

    def lost(self, tournaments: Sequence[str]) -> list[str]:
        """The void and parked matches of these tournaments that wait for others of their groups."""
        replies = self._link.read_each([["SMEMBERS", self._keys.tournament_sealed(name)] for name in tournaments])
        members = (found for found in replies if isinstance(found, set))
        return sorted(spelled(match) for found in members for match in found)

    def open(self, matches: Sequence[str], tournament: str) -> list[str]:
        """Marks all matches of a group as no longer sealed, and has referees show their seeds and logs.

        Returns the closed ones that are due only from now on.
        """
        woken: list[str] = []
        for start in range(0, len(matches), PIPELINE):
            part = matches[start : start + PIPELINE]
            lists = (self._keys.due, self._keys.tournament_sealed(tournament), self._keys.reveals)
            keys = (*lists, *map(self._keys.match, part))
            call = Call(script("unseal"), keys, tuple(part))
            woken += [match.decode() for match in cast("list[bytes]", self._link.run(call))]
        return woken

    def forget(self, match: str) -> None:
        """Takes a match that does not count out of `due`: the others of its group know by now."""
        self._link.run(Call(script("undue"), (self._keys.due,), (f"rate:{match}",)))
