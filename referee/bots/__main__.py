"""Runs a house bot: `python -m referee.bots NAME --server ADDR --token-file FILE [--seed N] [--formats NAMES]`."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from lastcard.bot import MOST_FORMATS, run
from lastcard.console import exit_code, print_error
from lastcard.errors import InputError, LastcardError
from lastcard.garbage import never_at_the_end
from lastcard.names import typed
from referee.bots import BOTS, make
from referee.bots.base import format_of, playable
from referee.formats import builtin_formats

NEAR: Final = 5
"""So many names that come near are said."""


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
    parser.add_argument(
        "--formats",
        metavar="NAME[,NAME…]",
        help=f"the formats that it offers, {MOST_FORMATS} at most (default: the built-in ones, fresh, -fast and "
        "-mirrored, and those of LASTCARD_FORMATS)",
    )
    options = parser.parse_args(argv)
    try:
        bot = make(options.name, options.seed, Ready(say))
        bot.formats = offered(options.formats)
    except LastcardError as error:
        print_error(error, program=parser.prog)
        return exit_code(error)
    run(bot, options.server, token_file=options.token_file, argv=())
    return 0


def offered(wish: str | None) -> tuple[str, ...]:
    """Return the formats that were asked for, with commas between; without a wish all that the house plays.

    Raises:
        InputError: one is not known or empty, or they are more than a bot may offer.
    """
    names = playable() if wish is None else tuple(dict.fromkeys(typed(wish, "formats", "uno-classic-2,dos-4")))
    if len(names) > MOST_FORMATS:
        message = f"a bot offers 1 to {MOST_FORMATS} formats, not {len(names)}: name some with --formats"
        raise InputError("BAD_FORMATS", message, field="formats", value=len(names), allowed=(f"1-{MOST_FORMATS}",))
    for name in names:
        if format_of(name) is None:
            raise _unknown(name)
    return names


def _unknown(name: str) -> InputError:
    known = [*playable(), *(f"{format_name}-field" for format_name in builtin_formats.offered())]
    near = get_close_matches(name, known, n=NEAR, cutoff=0.5) or known[:NEAR]
    message = (
        f"there is no format {name!r}; there are, for example, {', '.join(near)}; `lastcard formats list` lists them, "
        f"and each built-in one is there also with -fast and then with -mirrored or -field"
    )
    return InputError("UNKNOWN_FORMAT", message, field="formats", value=name, allowed=near)


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
    never_at_the_end()
    sys.exit(main())
