"""Where a bot thinks: on one worker thread, or on the event loop if its `choose` is async."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Sequence
from math import ceil
from queue import SimpleQueue
from threading import Thread
from time import monotonic
from typing import TYPE_CHECKING, Any, Final, Protocol

from lastcard.answer import Picked, compose, fallback
from lastcard.bot import Bot, Function
from lastcard.pace import A_THREAD, IN_TASKS
from lastcard.status import LOG, Tally
from lastcard.turn import Turn

if TYPE_CHECKING:
    from lastcard.link.memory import Round
    from lastcard.link.stream import Stream

SLICE_S: Final = 0.002  # answers are handed over when this much time has passed, else with the rest of their batch


class Thought:
    """One question on its way to its answer."""

    __slots__ = ("handle", "picked", "round", "stream", "think_ms", "turn")

    def __init__(self, stream: Stream, handle: int, round_: Round, turn: Turn) -> None:
        """Start without an answer."""
        self.stream = stream
        self.handle = handle
        self.round = round_
        self.turn = turn
        self.picked: Picked | None = None
        self.think_ms = 0

    def settle(self, picked: Picked, started: float) -> None:
        """Keep the answer; asked the same again after a failure, the bot says the same again."""
        self.picked = picked
        self.think_ms = max(1, ceil((monotonic() - started) * 1000))  # 0 would say nothing
        self.round.answered = (self.turn.act, picked)


class Errors(Tally):
    """Counts what a bot does wrong, and logs some of it in full."""

    def note(self, error: Exception, doing: str) -> None:
        """Count `error`, which happened in `doing`."""
        if self.add():
            LOG.error("error %d of this bot, in %s: %s", self.count, doing, error, exc_info=error)


class Thinker(Protocol):
    """Answers questions and takes news, in the order in which they come."""

    errors: Errors
    first_open: int
    """Questions that it is ready to have open at once, before it is known how fast the bot is."""

    def think(self, thoughts: Sequence[Thought]) -> None:
        """Answer all of `thoughts`; each is handed over with its answer."""

    def tell(self, callback: Callable[[Any], object], news: object) -> None:
        """Call `callback(news)` of the bot."""

    def stop(self) -> None:
        """Think no more."""


def thinker(bot: Bot, deliver: Callable[[list[Thought]], None], fail: Callable[[BaseException], None]) -> Thinker:
    """Return the thinker for `bot`; `deliver` gets answered thoughts and `fail` what ends the process, on the loop."""
    choose = bot.function if isinstance(bot, Function) else bot.choose
    kind = LoopThinker if inspect.iscoroutinefunction(choose) else ThreadThinker
    return kind(bot, deliver, fail)


class ThreadThinker:
    """Thinks on one worker thread, so that the stream is served meanwhile."""

    first_open = A_THREAD

    def __init__(
        self, bot: Bot, deliver: Callable[[list[Thought]], None], fail: Callable[[BaseException], None]
    ) -> None:
        """Start the thread; it dies with the process."""
        self.errors = Errors()
        self._bot = bot
        self._deliver = deliver
        self._fail = fail
        self._loop = asyncio.get_running_loop()
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        Thread(target=self._work, name="lastcard-bot", daemon=True).start()

    def think(self, thoughts: Sequence[Thought]) -> None:
        """Answer all of `thoughts`."""
        self._jobs.put(lambda: self._answer(thoughts))

    def tell(self, callback: Callable[[Any], object], news: object) -> None:
        """Call `callback(news)` after what was asked before."""
        self._jobs.put(lambda: self._tell(callback, news))

    def stop(self) -> None:
        """Let the thread end when it has done what it has."""
        self._jobs.put(None)

    def _work(self) -> None:
        try:
            while job := self._jobs.get():
                job()
        except BaseException as error:  # noqa: BLE001 (handed to the loop, which ends the process with it)
            self._on_loop(self._fail, error)

    def _answer(self, thoughts: Sequence[Thought]) -> None:
        done: list[Thought] = []
        since = monotonic()
        for thought in thoughts:
            if thought.stream.renewed:
                continue  # it comes again, and those that come before it must not wait for it
            self._think(thought)
            done.append(thought)
            if monotonic() - since > SLICE_S:
                self._on_loop(self._deliver, done)
                done, since = [], monotonic()
        if done:
            self._on_loop(self._deliver, done)

    def _think(self, thought: Thought) -> None:
        if known := thought.round.answer_to(thought.turn.act):
            thought.picked = known
            return
        started = monotonic()
        try:
            picked = compose(thought.turn, self._settled(self._bot.choose(thought.turn)))
        except Exception as error:  # noqa: BLE001 (whatever a bot raises is its own fault, and counted)
            self.errors.note(error, f"choose({thought.turn!r})")
            picked = fallback(thought.turn)
        thought.settle(picked, started)

    def _tell(self, callback: Callable[[Any], object], news: object) -> None:
        try:
            self._settled(callback(news))
        except Exception as error:  # noqa: BLE001 (as above)
            self.errors.note(error, getattr(callback, "__name__", "a callback"))

    def _settled(self, value: Any) -> Any:  # noqa: ANN401 (a bot returns what it wants)
        """Return `value`, or what it comes to if it is awaitable."""
        if not inspect.isawaitable(value):
            return value
        return asyncio.run_coroutine_threadsafe(awaited(value), self._loop).result()

    def _on_loop(self, call: Callable[[Any], None], argument: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(call, argument)


class LoopThinker:
    """Thinks in tasks on the event loop; as many at once as the referee has decisions open."""

    first_open = IN_TASKS

    def __init__(
        self, bot: Bot, deliver: Callable[[list[Thought]], None], fail: Callable[[BaseException], None]
    ) -> None:
        """Start with nothing to think about."""
        self.errors = Errors()
        self._bot = bot
        self._deliver = deliver
        self._fail = fail
        self._tasks: set[asyncio.Task[None]] = set()

    def think(self, thoughts: Sequence[Thought]) -> None:
        """Answer all of `thoughts`, each in its own time."""
        for thought in thoughts:
            self._start(self._think(thought))

    def tell(self, callback: Callable[[Any], object], news: object) -> None:
        """Call `callback(news)`."""
        self._start(self._tell(callback, news))

    def stop(self) -> None:
        """Cancel what is being thought."""
        for task in self._tasks:
            task.cancel()

    def _start(self, work: Any) -> None:  # noqa: ANN401 (a coroutine of this class)
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self._fail(error)

    async def _think(self, thought: Thought) -> None:
        if known := thought.round.answer_to(thought.turn.act):
            thought.picked = known
        else:
            started = monotonic()
            try:
                chosen: Any = self._bot.choose(thought.turn)
                picked = compose(thought.turn, await chosen)
            except Exception as error:  # noqa: BLE001 (whatever a bot raises is its own fault, and counted)
                self.errors.note(error, f"choose({thought.turn!r})")
                picked = fallback(thought.turn)
            thought.settle(picked, started)
        self._deliver([thought])

    async def _tell(self, callback: Callable[[Any], object], news: object) -> None:
        try:
            value = callback(news)
            if inspect.isawaitable(value):
                await value
        except Exception as error:  # noqa: BLE001 (as above)
            self.errors.note(error, getattr(callback, "__name__", "a callback"))


async def awaited(value: Awaitable[Any]) -> Any:  # noqa: ANN401 (as it comes)
    """Return what `value` comes to."""
    return await value
