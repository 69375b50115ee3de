"""The link between a bot and a referee: one stream, kept up."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from lastcard.bot import Bot
from lastcard.errors import ExitCode
from lastcard.link.loop import Link
from lastcard.link.player import player
from lastcard.processes import SIGNALS
from lastcard.settings import Settings
from lastcard.status import LOG, Screen

__all__ = ["play"]


async def play(bot: Bot, settings: Settings, screen: Screen | None = None) -> int:
    """Play until SIGINT or SIGTERM; returns the exit code.

    Raises:
        RefusedError: the referee does not want this bot.
        UnreachableError: no referee answered for as long as patience lasts.

    """
    run = Run(bot, settings)
    with run.signals():
        await run.until_stopped(screen)
    return run.code


class Run:
    """One run of a bot, from the first dial to the signal that ends it."""

    def __init__(self, bot: Bot, settings: Settings) -> None:
        """Prepare to play."""
        self.code: int = ExitCode.DONE
        self._player = player(bot, self._fail)
        self._link = Link(self._player, settings)
        self._failure: BaseException | None = None
        self._task: asyncio.Task[None] | None = None

    async def until_stopped(self, screen: Screen | None) -> None:
        """Play, with the live line on `screen`."""
        self._task = asyncio.ensure_future(self._link.run())
        live = asyncio.ensure_future(self._show(screen)) if screen and screen.live else None
        try:
            await asyncio.wait([self._task])
            if not self._task.cancelled():
                self._task.result()
        finally:
            self._task.cancel()
            self._player.thinker.stop()
            if live and screen:
                live.cancel()
                screen.clear()
        if self._failure:
            raise self._failure

    async def _show(self, screen: Screen) -> None:
        while True:
            screen.show(self._player.status.line())
            await asyncio.sleep(1)

    def _fail(self, error: BaseException) -> None:
        """End the run with what a bot raised in order to end it."""
        self._failure = error
        self._link.stop()

    def _stop(self, code: int) -> None:
        """Stop in good order; asked again, at once."""
        if self.code and self._task:
            self._task.cancel()
        self.code = code
        LOG.info("stopping")
        self._link.stop()

    @contextmanager
    def signals(self) -> Iterator[None]:
        """Stop on SIGINT and SIGTERM while this lasts."""
        loop = asyncio.get_running_loop()
        for number, code in SIGNALS.items():
            loop.add_signal_handler(number, self._stop, code)
        try:
            yield
        finally:
            for number in SIGNALS:
                loop.remove_signal_handler(number)
