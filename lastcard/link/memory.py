"""What a bot process remembers over reconnects: its matches, its nonces, and the rounds that it has not seen end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from lastcard.answer import Picked
from lastcard.history import History, Match

MOST_RESUMED: Final = 512  # rounds that one Hello may list
MOST_KEPT: Final = 1024

Key = TypeVar("Key")
Kept = TypeVar("Kept")


class Round:
    """A round that goes on, and the newest answer given in it."""

    __slots__ = ("answered", "history")

    def __init__(self, history: History) -> None:
        """Start unanswered."""
        self.history = history
        self.answered: tuple[int, Picked] | None = None

    def answer_to(self, act: int) -> Picked | None:
        """Return the answer given to decision `act`, if it was the last one."""
        return self.answered[1] if self.answered and self.answered[0] == act else None


class Memory:
    """Everything that outlives a stream."""

    def __init__(self) -> None:
        """Start with nothing."""
        self.matches: dict[str, Match] = {}
        self.nonces: dict[str, bytes] = {}
        self.rounds: dict[str, Round] = {}

    def meet(self, match: Match, fresh: Callable[[str], bytes]) -> bytes:
        """Remember a match; returns this bot's nonce for it: a `fresh` one, and then the same every time."""
        self.matches[match.id] = match
        nonce = self.nonces.get(match.id) or self.nonces.setdefault(match.id, fresh(match.id))
        trim(self.matches)
        trim(self.nonces)
        return nonce

    def leave(self, match_id: str) -> Match:
        """Forget a match and all its rounds; returns what was known of it."""
        for round_id in [known for known in self.rounds if match_of(known) == match_id]:
            del self.rounds[round_id]
        self.nonces.pop(match_id, None)
        return self.matches.pop(match_id, None) or Match(match_id)

    def enter(self, round_id: str, seat: int, entrants: Sequence[int], scores: Sequence[int]) -> Round:
        """Return the round, new or as it was before a reconnect; `entrants` are indices into those of the match."""
        known = self.rounds.get(round_id)
        if known and known.history.seat == seat:
            return known
        match = self.matches.get(match_of(round_id)) or Match(match_of(round_id))
        names = match.entrants
        seated = tuple(names[index] if index < len(names) else "" for index in entrants)
        self.rounds[round_id] = Round(History(round_id, seat, match, seated, scores))
        trim(self.rounds)
        return self.rounds[round_id]

    def forget(self, round_id: str) -> None:
        """Forget a round: it is over, or what is known of it is not to be trusted."""
        self.rounds.pop(round_id, None)

    def resume(self) -> list[tuple[str, int]]:
        """Return the newest rounds that go on, each with the number of the next event that it has not seen."""
        newest = list(self.rounds.items())[-MOST_RESUMED:]
        return [(round_id, len(known.history)) for round_id, known in newest]


def match_of(round_id: str) -> str:
    """Return the match that a round belongs to."""
    return round_id.rsplit("/", 3)[0]


def trim(kept: dict[Key, Kept]) -> None:
    """Drop the oldest entries beyond what is kept."""
    while len(kept) > MOST_KEPT:
        del kept[next(iter(kept))]
