"""What chance gave in closed matches: computed by workers from their logs, kept beside their results."""

import json
from dataclasses import dataclass
from typing import TypeAlias

from ladder.store.client import Link
from ladder.store.computed import Computed
from ladder.store.keys import Keys

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


class Gifts(Computed[MatchGifts]):
    """Of all matches of a tenant."""

    def __init__(self, link: Link, keys: Keys) -> None:
        super().__init__(link, keys, kind="luck", due=keys.luck_due, key=keys.luck, put="luck", read=MatchGifts.of)
