"""The bot that is examined, as a process: `python -m referee.check.subject module:Class`, or any command."""

import asyncio
import os
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Final

from lastcard.bot import run
from lastcard.console import exit_code, print_error
from lastcard.errors import InputError, LastcardError
from referee.bots.find import find

TOKEN: Final = "lcb1_check_check"  # noqa: S105 (the examining referee takes any)
END_S: Final = 5.0


class Subject:
    """Starts the bot when it is needed; `command` empty: somebody else does."""

    def __init__(self, command: Sequence[str], log: IO[bytes]) -> None:
        self.command = command
        self._log = log
        self._process: asyncio.subprocess.Process | None = None

    async def start(self, server: str) -> None:
        """Run it against the referee at `server`, unless it runs.

        Raises:
            InputError: there is no such program.
        """
        if not self.command or (self._process and self._process.returncode is None):
            return
        env = {name: value for name, value in os.environ.items() if not name.startswith("LASTCARD_TOKEN")}
        env |= {"LASTCARD_SERVER": server, "LASTCARD_TOKEN": TOKEN}
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self.command, env=env, stdin=asyncio.subprocess.DEVNULL, stdout=self._log, stderr=self._log
            )
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

    async def stop(self) -> None:
        """End it, and wait for that."""
        process, self._process = self._process, None
        if process is None or process.returncode is not None:
            return
        process.terminate()
        try:
            async with asyncio.timeout(END_S):
                await process.wait()
        except TimeoutError:
            process.kill()
            await process.wait()


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
    sys.exit(main(sys.argv[1:]))
