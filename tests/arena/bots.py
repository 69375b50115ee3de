"""Bots with something wrong, or something special, for the arena."""

from __future__ import annotations

from typing import Any

from lastcard.answer import Picked
from lastcard.bot import Bot
from lastcard.result import GameResult, MatchResult, RoundResult
from lastcard.turn import Turn
from lastcard.words import Order
from referee.bots import Careful
from referee.local.local_bot import LocalBot


class Raising(Bot):
    """Raises at every third question."""

    asked = 0

    def choose(self, turn: Turn) -> int:
        """Choose the first option, or raise."""
        self.asked += 1
        if self.asked % 3 == 0:
            raise ZeroDivisionError("a third time")
        return 0


class Returning(Bot):
    """Always returns the same, whatever it is."""

    def __init__(self, value: Any) -> None:  # noqa: ANN401 (garbage)
        self.value = value

    def choose(self, turn: Turn) -> Any:  # noqa: ANN401 (garbage)
        """Return it."""
        return self.value


class Thoughtful(Careful):
    """`careful`, but async."""

    async def choose(self, turn: Turn) -> int | list[int]:  # type: ignore[override]
        """Think like `careful`."""
        return super().choose(turn)


class Listening(Careful):
    """`careful`, which keeps what it hears."""

    catch = Order.ASK
    late_call = Order.ASK

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.rounds: list[RoundResult] = []
        self.games: list[GameResult] = []
        self.matches: list[MatchResult] = []
        self.kinds: set[str] = set()
        self.seen = 0

    def on_connect(self, name: str) -> None:
        """Keep its name."""
        self.names.append(name)

    def choose(self, turn: Turn) -> int | list[int]:
        """Think like `careful`, and never call."""
        self.kinds.add(turn.kind)
        self.seen += len(turn.events)
        turn.no_call()
        return super().choose(turn)

    def on_round_end(self, result: RoundResult) -> None:
        """Keep it."""
        self.rounds.append(result)

    def on_game_end(self, result: GameResult) -> None:
        """Keep it."""
        self.games.append(result)

    def on_match_end(self, result: MatchResult) -> None:
        """Keep it, and raise."""
        self.matches.append(result)
        raise LookupError("after the end")


class Rude(LocalBot):
    """A client that does without the SDK: from question number `first` on its answers are illegal."""

    __slots__ = ("asked", "first")

    def __init__(self, name: str, first: int = 0) -> None:
        super().__init__(name, Careful())
        self.asked = 0
        self.first = first

    def answer(self, turn: Turn) -> Picked:
        """Answer, or pick what is not there."""
        self.asked += 1
        return Picked((999,), call=False, color=0) if self.asked > self.first else super().answer(turn)
