"""A bot for tests, and what it is to play one against the peer."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from lastcard.bot import Bot
from lastcard.link.player import Player
from lastcard.option import Option
from lastcard.turn import Turn

Playing = Callable[..., AbstractAsyncContextManager[tuple[Player, "asyncio.Task[None]"]]]


class Greedy(Bot):
    """Puts down the dearest card, and remembers what it was told."""

    def __init__(self) -> None:
        self.news: list[object] = []

    def choose(self, turn: Turn) -> Option:
        return max(turn.options, key=lambda option: option.points)

    def on_connect(self, name: str) -> None:
        self.news.append(name)

    def on_round_end(self, result: object) -> None:
        self.news.append(result)

    on_game_end = on_match_end = on_round_end
