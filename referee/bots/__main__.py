"""Runs a house bot against a referee: `python -m referee.bots NAME --server ADDR --token-file FILE [--seed N]`."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from lastcard.bot import run
from lastcard.console import exit_code, print_error
from lastcard.errors import LastcardError
from referee.bots import BOTS, make


def main(argv: Sequence[str] | None = None) -> int:
    """Play until stopped; returns an exit code only where the bot could not even begin.

    Raises:
        SystemExit: when it ends, with the exit code of any bot.
    """
    parser = argparse.ArgumentParser(prog="python -m referee.bots", description="Run a house bot.")
    parser.add_argument("name", metavar="NAME", help=", ".join(BOTS))
    parser.add_argument("--server", metavar="HOST:PORT", help="a referee, or several with commas")
    parser.add_argument("--token-file", metavar="FILE", type=Path, help="file that holds the bot's token")
    parser.add_argument("--seed", metavar="N", type=int, default=0, help="of its decisions (default: 0)")
    typed = parser.parse_args(argv)
    try:
        bot = make(typed.name, typed.seed, Ready(say))
    except LastcardError as error:
        print_error(error, program=parser.prog)
        return exit_code(error)
    run(bot, typed.server, token_file=typed.token_file, argv=())
    return 0


class Ready:
    """Says once that a referee has welcomed the bot (docs/architecture.md 3.1)."""

    def __init__(self, say: Callable[[str], object]) -> None:
        self._say = say
        self._said = False

    def __call__(self, name: str) -> None:
        """Say that the referee knows the bot as `name@n`; after a reconnect nothing more is said."""
        if not self._said:
            self._said = True
            self._say(f"READY {json.dumps({'bot': name})}")


def say(line: str) -> None:
    """Write a line to stdout at once."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
