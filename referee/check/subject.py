"""The bot that is examined, as a process: `python -m referee.check.subject module:Class`, or any command."""

import asyncio
import os
import shlex
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

from lastcard.bot import run
from lastcard.console import exit_code, print_error
from lastcard.errors import InputError, LastcardError
from lastcard.garbage import never_at_the_end
from lastcard.troubles import TROUBLES
from referee.bots.find import find

TOKEN: Final = "lcb1_check_check"  # noqa: S105 (the examining referee takes any)
END_S: Final = 5.0
LOOK_S: Final = 0.02


class Subject:
    """Starts the bot when it is needed; `command` empty: somebody else does.

    It leads a process group of its own, so that whatever it starts ends with it.
    """

    def __init__(self, command: Sequence[str], log: IO[bytes], troubles: Path) -> None:
        self.command = command
        self._log = log
        self._troubles = troubles
        self._told = 0
        self._process: asyncio.subprocess.Process | None = None

    async def start(self, server: str) -> None:
        """Run it against the referee at `server`, unless it runs.

        Raises:
            InputError: there is no such program.
        """
        if not self.command or (self._process and self._process.returncode is None):
            return
        await self.stop()  # what it started may have outlived it
        env = {name: value for name, value in os.environ.items() if not name.startswith("LASTCARD_TOKEN")}
        env |= {"LASTCARD_SERVER": server, "LASTCARD_TOKEN": TOKEN, TROUBLES: str(self._troubles)}
        starting = asyncio.ensure_future(asyncio.create_subprocess_exec(
            *self.command, env=env, stdin=asyncio.subprocess.DEVNULL, stdout=self._log, stderr=self._log,
            start_new_session=True,
        ))  # fmt: skip
        try:
            self._process = await asyncio.shield(starting)
        except asyncio.CancelledError:
            self._process = await starting  # it runs, and is to be stopped
            raise
        except OSError as error:
            sentence = f"{self.command[0]} cannot be run: {error.strerror}; give a command that starts your bot"
            raise InputError("NO_PROGRAM", sentence, field="run", value=shlex.join(self.command)) from None

    async def end(self) -> None:
        """Wait until it ends by itself; for ever where somebody else runs it."""
        if self._process is None:
            await asyncio.Event().wait()
        else:
            await self._process.wait()

    @property
    def ended(self) -> int | None:
        """Its exit code, if it has ended."""
        return self._process.returncode if self._process else None

    def trouble(self) -> str:
        """Return the first thing that its own code raised since this was asked before; "" if nothing did.

        Only a bot on the library says so.
        """
        try:
            said = self._troubles.read_text("utf-8").splitlines()
        except FileNotFoundError:
            return ""
        new, self._told = said[self._told :], len(said)
        return new[0] if new else ""

    async def stop(self) -> None:
        """End it, with all that it has started, and wait for that."""
        process, self._process = self._process, None
        if process is None:
            return
        _signal(process.pid, signal.SIGTERM)
        try:
            async with asyncio.timeout(END_S):
                await process.wait()
                while _signal(process.pid, 0):  # noqa: ASYNC110  (a deadline, too)
                    await asyncio.sleep(LOOK_S)
        except TimeoutError:
            pass
        finally:
            _signal(process.pid, signal.SIGKILL)
        await process.wait()


def _signal(group: int, number: int) -> bool:
    """Send a signal to a process group; returns whether there is one that may be sent it."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def of(text: str, seed: int) -> list[str]:
    """Return the command that runs the bot `text`: a house bot, or `module:Class`."""
    return [sys.executable, "-m", "referee.check.subject", text, str(seed)]


def main(argv: Sequence[str]) -> int:
    """Run a bot until it is stopped."""
    text, seed = argv
    sys.path.insert(0, str(Path.cwd()))
    try:
        bot = find(text, int(seed))
    except LastcardError as error:
        print_error(error)
        return exit_code(error)
    run(bot, argv=())
    return 0


if __name__ == "__main__":
    never_at_the_end()
    sys.exit(main(sys.argv[1:]))
