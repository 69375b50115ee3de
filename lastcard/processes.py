"""One process, or several that share the work of one bot, each with its own copy of it.

Each of several runs the author's script once more from the top, so that it works for any bot, also for a lambda.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from threading import Thread
from time import monotonic
from typing import Final

from lastcard.bot import Bot
from lastcard.errors import ExitCode, InputError
from lastcard.settings import Settings
from lastcard.status import LOG, screen
from lastcard.waiting import happens

SIGNALS: Final = {signal.SIGINT: ExitCode.INTERRUPTED, signal.SIGTERM: ExitCode.TERMINATED}
PART: Final = "LASTCARD_PROCESS"  # "2/4" in the second of four
FINAL: Final = frozenset(ExitCode) - {ExitCode.NEGATIVE}  # a process that ends so was not broken
STEADY_S: Final = 10.0  # a process that breaks sooner would break again
AGAIN_S: Final = 1.0


def start(bot: Bot, settings: Settings) -> int:
    """Play in as many processes as are wanted; returns the exit code."""
    os.environ.setdefault("GRPC_VERBOSITY", "ERROR")  # gRPC's own log says nothing to a bot's author
    part = os.environ.get(PART, "")
    shown = screen(verbose=settings.verbose, part=part)
    count = settings.processes or bot.processes
    if count > 1 and not part:
        return asyncio.run(Crew(count).run())
    if part:
        Thread(target=follow_parent, name="lastcard-parent", daemon=True).start()
    from lastcard.link import play

    return asyncio.run(play(bot, settings, shown))


def follow_parent() -> None:
    """Stop this process when its standard input ends: its parent holds the other side."""
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def script() -> list[str]:
    """Return the command that runs this script once more.

    Raises:
        InputError: it was typed into a terminal, so there is no script.

    """
    arguments = sys.orig_argv[1:]
    if not arguments or arguments[-1] == "-" or hasattr(sys, "ps1"):
        raise InputError("NO_SCRIPT", "more than one process needs the bot in a file, not in a terminal", field="bot")
    return [sys.executable, *arguments]


class Crew:
    """Processes that run the same script."""

    def __init__(self, count: int) -> None:
        """Prepare `count` processes."""
        self.command = script()
        self.count = count
        self.code: int | None = None
        self._stopped = asyncio.Event()
        self._children: dict[int, asyncio.subprocess.Process] = {}

    async def run(self) -> int:
        """Keep all processes running until one ends for good or a signal comes; returns the exit code."""
        loop = asyncio.get_running_loop()
        for number, code in SIGNALS.items():
            loop.add_signal_handler(number, self._stop, code)
        async with asyncio.TaskGroup() as group:
            for place in range(self.count):
                group.create_task(self._keep(place))
        return self.code or ExitCode.DONE

    def _stop(self, code: int) -> None:
        """Tell every process to stop; the first code is the one that counts."""
        if self.code is None:
            self.code = code
        self._stopped.set()
        for child in self._children.values():
            if child.returncode is None:
                child.send_signal(signal.SIGINT if code == ExitCode.INTERRUPTED else signal.SIGTERM)

    async def _keep(self, place: int) -> None:
        """Run process `place`, and again after a crash, until all is stopped."""
        while not self._stopped.is_set():
            began = monotonic()
            code = await self._one(place)
            if code in FINAL or self._stopped.is_set():
                self._stop(code)
                return
            if monotonic() - began < STEADY_S:
                LOG.error("process %d of %d crashed at once (exit code %d); stopping", place + 1, self.count, code)
                self._stop(ExitCode.NEGATIVE)
                return
            LOG.error("process %d of %d crashed (exit code %d); starting it again", place + 1, self.count, code)
            await happens(self._stopped, AGAIN_S)

    async def _one(self, place: int) -> int:
        """Run process `place` once; returns its exit code."""
        child = await asyncio.create_subprocess_exec(
            *self.command,
            stdin=asyncio.subprocess.PIPE,
            env=os.environ | {PART: f"{place + 1}/{self.count}"},
            start_new_session=True,
        )
        self._children[place] = child
        if self._stopped.is_set():
            child.terminate()
        return await child.wait()
