"""What chance gave in closed matches: computed by workers from their logs, kept beside their results."""

import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import TypeAlias

from ladder.store.call import Call
from ladder.store.client import PIPELINE, Link
from ladder.store.keys import Keys
from ladder.store.scripts import script
from ladder.store.unread import UnreadRows

Game: TypeAlias = tuple[tuple[int, ...], ...]
"""By entrant and term, in millionths."""


@dataclass(frozen=True, slots=True)
class MatchGifts:
    """What chance gave in a match, by term; weights make luck of it (`ladder/luck.py`)."""

    terms: tuple[str, ...]
    games: tuple[Game | None, ...]
    """In order; None for a game that was never dealt."""

    @classmethod
    def of(cls, text: str) -> "MatchGifts":
        """What a text says."""
        content = json.loads(text)
        games = (None if game is None else tuple(tuple(row) for row in game) for game in content["games"])
        return cls(tuple(content["terms"]), tuple(games))

    def text(self) -> str:
        """As it is kept: the same for the same content."""
        content = {"terms": self.terms, "games": self.games}
        return json.dumps(content, sort_keys=True, separators=(",", ":"))


class Gifts:
    """Of all matches of a tenant."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys
        self.unread = UnreadRows("luck")

    def waiting(self, limit: int = 100) -> list[tuple[str, int]]:
        """Settled matches whose luck is not known yet, the longest waiting first, and the games of each."""
        matches = self._link.ranked("ZRANGE", self._keys.luck_due, 0, limit - 1)
        counts = self._link.read_each([["HGET", self._keys.match(match), "games_done"] for match in matches])
        return [(match, games_of(count)) for match, count in zip(matches, counts, strict=True)]

    def pending(self) -> set[str]:
        """All settled matches whose luck is not known yet."""
        return set(self._link.ranked("ZRANGE", self._keys.luck_due, 0, -1))

    def put(self, match: str, tournament: str, gifts: MatchGifts) -> bool:
        """Keeps what chance gave; the first time counts. False: the match does not count (any more)."""
        return self._link.run(self._call(match, tournament, gifts.text())) != b"STATE"

    def give_up(self, match: str, tournament: str) -> None:
        """The match waits no longer; its results stay as they are."""
        self._link.run(self._call(match, tournament, ""))

    def find(self, matches: Collection[str]) -> dict[str, MatchGifts]:
        """Of those of these matches whose luck is known, and can be read."""
        ids, found = list(matches), dict[str, MatchGifts]()
        for start in range(0, len(ids), PIPELINE):
            part = ids[start : start + PIPELINE]
            replies = self._link.read_each([["GET", self._keys.luck(match)] for match in part])
            texts = ((match, text) for match, text in zip(part, replies, strict=True) if text is not None)
            found |= self.unread.passing((match, partial(_gifts, match, text)) for match, text in texts)
        return found

    def _call(self, match: str, tournament: str, text: str) -> Call:
        keys = (self._keys.luck(match), self._keys.luck_due, self._keys.match(match), self._keys.tournament(tournament))
        return Call(script("luck"), keys, (match, text))


def games_of(reply: object) -> int:
    """The games of a match; of one whose number is none: 0."""
    return int(reply) if isinstance(reply, bytes) and reply.isdigit() else 0


def _gifts(match: str, reply: object) -> tuple[str, MatchGifts]:
    """A match, and what its text says."""
    if not isinstance(reply, bytes):
        raise ValueError(f"{reply!r:.100} is no text")  # noqa: TRY004  (it is a value of the store)
    return match, MatchGifts.of(reply.decode())
