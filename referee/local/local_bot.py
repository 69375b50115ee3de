"""A bot that plays in this process, and how it is asked: it sees what a remote bot sees."""

import asyncio
import inspect
from collections.abc import Callable
from typing import Any, Final

from lastcard.answer import Picked, compose, fallback
from lastcard.bot import Bot
from lastcard.history import History
from lastcard.turn import Turn
from lastcard.view import Decision
from referee.clock import ClockRule
from referee.orders import NUMBERS
from referee.rules import view
from referee.rules.round import Round

HOOKS: Final = ("on_connect", "on_round_end", "on_game_end", "on_match_end")


class LocalBot:
    """A bot with its name.

    Attributes:
        orders: its standing orders `catch`, `challenge`, `late_call`, as numbers of the protocol.
        hears: names of the callbacks that it overrides.
        errors: how often it raised, or returned what is no choice; it was answered for by the first option.
        first_error: the first of them.
    """

    __slots__ = ("_runner", "bot", "errors", "first_error", "hears", "name", "orders")

    def __init__(self, name: str, bot: Bot) -> None:
        self.name = name
        self.bot = bot
        self.orders = (NUMBERS[bot.catch], NUMBERS[bot.challenge], NUMBERS[bot.late_call])
        self.hears = frozenset(hook for hook in HOOKS if getattr(type(bot), hook) is not getattr(Bot, hook))
        self.errors = 0
        self.first_error: Exception | None = None
        self._runner: asyncio.Runner | None = None

    def answer(self, turn: Turn) -> Picked:
        """Return what the bot answers; whatever it raises is counted and answered by the first option."""
        try:
            chosen: Any = self.bot.choose(turn)
            return compose(turn, self._settled(chosen) if inspect.isawaitable(chosen) else chosen)
        except Exception as error:  # noqa: BLE001 (whatever a bot raises is its own fault, and counted)
            self._note(error)
            return fallback(turn)

    def tell(self, hook: str, news: Callable[[], object]) -> None:
        """Call a callback with its news, if the bot has it."""
        if hook not in self.hears:
            return
        try:
            value = getattr(self.bot, hook)(news())
            if inspect.isawaitable(value):
                self._settled(value)
        except Exception as error:  # noqa: BLE001 (as above)
            self._note(error)

    def close(self) -> None:
        """End the event loop of an async bot."""
        if self._runner is not None:
            self._runner.close()
            self._runner = None

    def _settled(self, value: Any) -> Any:  # noqa: ANN401 (a bot returns what it wants)
        """Return what an awaitable comes to."""
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner.run(_awaited(value))

    def _note(self, error: Exception) -> None:
        self.errors += 1
        self.first_error = self.first_error or error


async def _awaited(value: Any) -> Any:  # noqa: ANN401 (as it comes)
    return await value


def ask(current: Round, seat: int, history: History, clock: ClockRule) -> Turn:
    """Return the turn of an asked seat: the events since its last one and the open decision.

    Args:
        current: the round.
        seat: the seat.
        history: what it has seen of the round so far; the new events go into it.
        clock: tells how much time a remote bot would have; nobody measures it here.
    """
    known = len(history.kinds)
    history.add(known, *view.events(current, seat, known))
    seen = view.decision(current, seat)
    act, card, second, color, slot = seen.options
    least, most = seen.picks
    # By position, in the order of the fields: this is done for every decision, and names would double its cost.
    decision = Decision(
        seen.kind, seen.hand, act, card, color,
        seen.top, seen.color, seen.direction, seen.counts, seen.draw_pile, seen.discard_pile,
        seen.pending, seen.drawn, seen.row, seen.bonus, seen.turn_seat,
        second, slot, least, most, least == 0, clock.decision_ms, clock.bank_ms,
    )  # fmt: skip
    return Turn(decision, history, act=current.asked_at)
