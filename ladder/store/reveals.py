"""What was secret while it was played, and is shown when nobody plays it any more.

Seeds and logs of matches, and the seeds that tournaments deal from, stand under keys that only referees may read. A
match that ends with deals of its own is shown by the script that ends it. What others have to be waited for, the tables
of a deal group or the matches of a tournament, is put on a list by whoever sees the last of them end; a referee does
the rest, for nobody else could.
"""

from hashlib import sha256
from typing import Final, cast

from ladder.store.call import Call
from ladder.store.client import PIPELINE, Link
from ladder.store.keys import Keys
from ladder.store.scripts import script
from ladder.store.unread import spelled

A_LOOK: Final = 100
"""Shown at once, at most."""
_RATE: Final = "rate:"


class Reveals:
    """The part of a referee in showing what was secret."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys

    def carry_out(self) -> int:
        """Shows some of what waits for it; returns how much."""
        waiting = cast("list[bytes]", self._link.read("SRANDMEMBER", self._keys.reveals, A_LOOK))
        return self._show([spelled(member) for member in waiting]) if waiting else 0

    def adopt(self) -> int:
        """Shows what stands on no list: of a release that kept all of it under one key; returns how much.

        What tournaments of before `commitments` have dealt from is written down there, too: no other one may.
        """
        keys = self._keys
        due = self._link.ranked("ZRANGE", keys.due, 0, -1)
        matches = {entry.removeprefix(_RATE) for entry in due if entry.startswith(_RATE)}
        matches.update(self._link.ranked("ZRANGE", keys.unarchived, 0, -1))
        tournaments = set(self._link.ranked("ZRANGE", keys.tournaments, 0, -1))
        tournaments.difference_update(self._link.ranked("ZRANGE", keys.tournaments_open, 0, -1))
        members = {f"m:{match}": keys.seed(match) for match in sorted(matches)}
        members |= {f"t:{name}": keys.deal_seed(name) for name in sorted(tournaments)}
        shown, names = 0, list(members)
        for start in range(0, len(names), PIPELINE):
            part = names[start : start + PIPELINE]
            there = self._link.exist([members[name] for name in part])
            shown += self._show([name for name, is_there in zip(part, there, strict=True) if is_there])
        self._commit()
        return shown

    def _commit(self) -> None:
        """Writes down what the deals of those tournaments were committed to of which that stands nowhere."""
        keys = self._keys
        (known,) = self._link.read_each([["HKEYS", keys.commitments]])
        if not isinstance(known, list):  # what is damaged is for an operator
            return
        without = set(self._link.ranked("ZRANGE", keys.tournaments, 0, -1)).difference(map(spelled, known))
        names = sorted(without)
        for start in range(0, len(names), PIPELINE):
            part = names[start : start + PIPELINE]
            asked = [["GET", key(name)] for name in part for key in (keys.deal_seed, keys.shown_deal_seed)]
            seeds = self._link.read_each(asked)
            found = {
                name: sha256(seed).hexdigest()
                for number, seed in enumerate(seeds)
                if isinstance(seed, bytes) and (name := part[number // 2])
            }
            if found:
                words = [word for pair in found.items() for word in pair]
                self._link.run(Call(script("commit"), (keys.commitments,), tuple(words)))

    def _show(self, members: list[str]) -> int:
        if not members:
            return 0
        keys = self._keys
        of_matches = (keys.match(""), keys.log(""), keys.seed(""), keys.shown_log(""), keys.shown_seed(""))
        before, behind = keys.tournament_open("\n").split("\n")
        of_tournaments = (keys.tournament(""), before, behind, keys.deal_seed(""), keys.shown_deal_seed(""))
        call = Call(script("reveal"), (keys.reveals,), (*of_matches, *of_tournaments, *members))
        return cast("int", self._link.run(call))
