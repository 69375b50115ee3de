"""What the house scored on the cards of matches: asked for where it may pay, played by workers, kept beside results."""

from collections.abc import Collection

from ladder.house import HouseScores
from ladder.store.call import Call
from ladder.store.client import PIPELINE, Link
from ladder.store.computed import Computed
from ladder.store.keys import Keys
from ladder.store.scripts import script


class HouseGames(Computed[HouseScores]):
    """Of all matches of a tenant. A match that goes without is not asked for again."""

    def __init__(self, link: Link, keys: Keys) -> None:
        kind, put = "house games", "house_put"
        super().__init__(link, keys, kind=kind, due=keys.house_due, key=keys.house, put=put, read=HouseScores.of)

    def want(self, matches: Collection[str]) -> int:
        """Ask for the games on the cards of these matches, unless they are known; returns how many are new."""
        ids, new = list(matches), 0
        for start in range(0, len(ids), PIPELINE):
            part = ids[start : start + PIPELINE]
            of_matches = (key for match in part for key in (self._keys.match(match), self._keys.house(match)))
            reply = self._link.run(Call(script("house_want"), (self._keys.house_due, *of_matches), tuple(part)))
            new += reply if isinstance(reply, int) else 0
        return new

    def settled(self, matches: Collection[str]) -> set[str]:
        """Those of these matches of which it is known, or known that it never will be."""
        ids, found = list(matches), set[str]()
        for start in range(0, len(ids), PIPELINE):
            part = ids[start : start + PIPELINE]
            there = self._link.exist([self._keys.house(match) for match in part])
            found |= {match for match, known in zip(part, there, strict=True) if known}
        return found
