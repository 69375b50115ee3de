"""What the house scored on the cards of matches: asked for where it may pay, played by workers, kept beside results."""

from collections.abc import Collection
from functools import partial

from ladder.house import HouseScores
from ladder.store.call import Call
from ladder.store.client import PIPELINE, Link
from ladder.store.gifts import games_of
from ladder.store.keys import Keys
from ladder.store.scripts import script
from ladder.store.unread import UnreadRows


class HouseGames:
    """Of all matches of a tenant."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys
        self.unread = UnreadRows("house games")

    def want(self, matches: Collection[str]) -> int:
        """Ask for the games on the cards of these matches, unless they are known; returns how many are new."""
        ids, new = list(matches), 0
        for start in range(0, len(ids), PIPELINE):
            part = ids[start : start + PIPELINE]
            of_matches = (key for match in part for key in (self._keys.match(match), self._keys.house(match)))
            reply = self._link.run(Call(script("house_want"), (self._keys.house_due, *of_matches), tuple(part)))
            new += reply if isinstance(reply, int) else 0
        return new

    def waiting(self, limit: int = 100) -> list[tuple[str, int]]:
        """Matches whose house games are still to be played, the oldest first, and the games of each."""
        matches = self._link.ranked("ZRANGE", self._keys.house_due, 0, limit - 1)
        counts = self._link.read_each([["HGET", self._keys.match(match), "games_done"] for match in matches])
        return [(match, games_of(count)) for match, count in zip(matches, counts, strict=True)]

    def pending(self) -> set[str]:
        """All matches whose house games are still to be played."""
        return set(self._link.ranked("ZRANGE", self._keys.house_due, 0, -1))

    def put(self, match: str, tournament: str, scores: HouseScores) -> bool:
        """Keep what the house scored; the first time counts. False: the match does not count (any more)."""
        return self._link.run(self._call(match, tournament, scores.text())) != b"STATE"

    def give_up(self, match: str, tournament: str) -> None:
        """The match goes without, and is not asked for again; its results stay as they are."""
        self._link.run(self._call(match, tournament, ""))

    def settled(self, matches: Collection[str]) -> set[str]:
        """Those of these matches of which it is known, or known that it never will be."""
        ids, found = list(matches), set[str]()
        for start in range(0, len(ids), PIPELINE):
            part = ids[start : start + PIPELINE]
            there = self._link.exist([self._keys.house(match) for match in part])
            found |= {match for match, known in zip(part, there, strict=True) if known}
        return found

    def find(self, matches: Collection[str]) -> dict[str, HouseScores]:
        """Of those of these matches of which it is known, and can be read."""
        ids, found = list(matches), dict[str, HouseScores]()
        for start in range(0, len(ids), PIPELINE):
            part = ids[start : start + PIPELINE]
            replies = self._link.read_each([["GET", self._keys.house(match)] for match in part])
            texts = ((match, text) for match, text in zip(part, replies, strict=True) if text not in {None, b""})
            found |= self.unread.passing((match, partial(_scores, match, text)) for match, text in texts)
        return found

    def _call(self, match: str, tournament: str, text: str) -> Call:
        of_match = (self._keys.house(match), self._keys.house_due, self._keys.match(match))
        return Call(script("house_put"), (*of_match, self._keys.tournament(tournament)), (match, text))


def _scores(match: str, reply: object) -> tuple[str, HouseScores]:
    """A match, and what its text says."""
    if not isinstance(reply, bytes):
        raise ValueError(f"{reply!r:.100} is no text")  # noqa: TRY004  (it is a value of the store)
    return match, HouseScores.of(reply.decode())
