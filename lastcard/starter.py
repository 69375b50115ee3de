"""`lastcard bot new NAME`: a first bot and its test, ready to run."""

from __future__ import annotations

import argparse
from keyword import iskeyword
from pathlib import Path
from typing import Final, NoReturn

from lastcard.errors import ExitCode, InputError
from lastcard.names import BOT as BOT_NAME
from lastcard.names import BOT_RULE

USED: Final = frozenset({"Bot", "Turn"})  # names that the file has already

BOT: Final = '''"""{name}: a bot for lastcard."""

from lastcard import Bot, Turn, run


class {title}(Bot):
    """Plays the dearest card that it may."""

    formats = ("uno-classic-2",)  # what it plays: `lastcard formats list`
    version = "1"  # change this when the bot plays differently: it is rated anew

    def choose(self, turn: Turn):
        # turn.options are all the things you may do now; return one of them (or its index).
        # Each option: act ("PLAY", "DRAW", …), card ("R5", "W4", …), color (of a wild), points (what leaves your hand).
        # The table: turn.hand, turn.top, turn.color, turn.counts (cards by seat), turn.seat, turn.direction,
        # turn.events (since your last turn), turn.past (all of this round), turn.seconds_left.
        return max(turn.options, key=lambda option: option.points)


if __name__ == "__main__":
    run({title}())
'''

TEST: Final = '''"""What {name} shall do; run with `python -m unittest`."""

import unittest

from bot import {title}
from lastcard.practice import turn


class {title}Test(unittest.TestCase):
    def test_it_gets_rid_of_the_dearest_card(self):
        asked = turn("PLAY R5", "PLAY RD", "DRAW", hand="R5 RD B2", top="R9", color="R")
        self.assertEqual(str({title}().choose(asked)), "PLAY RD")


if __name__ == "__main__":
    unittest.main()
'''

NEXT: Final = """\
Wrote {folder}/bot.py and {folder}/test_bot.py. Next:
  cd {folder} && python -m unittest
      does it do what it shall?
  lastcard bot register {name} --token-file {name}.token
      get its token, once
  python bot.py --server HOST:PORT --token-file {name}.token
      play; without --server where LASTCARD_SERVER says
"""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are ours."""

    def error(self, message: str) -> NoReturn:
        """Refuse what was typed.

        Raises:
            InputError: always.

        """
        raise InputError("USAGE", f"{message}; `{self.prog} --help` shows how it is used")


def new(arguments: list[str]) -> int:
    """Write a first bot into a new folder; returns the exit code.

    Raises:
        InputError: the name cannot be a bot's, or the folder is not empty.

    """
    parser = Parser(prog="lastcard bot new", description="Write a first bot and its test.")
    parser.add_argument("name", metavar="NAME", help=BOT_RULE)
    parser.add_argument("--dir", type=Path, help="folder to make (default: the name)")
    typed = parser.parse_args(arguments)
    if not BOT_NAME.fullmatch(typed.name):
        message = f"{typed.name!r} cannot be the name of a bot: {BOT_RULE}"
        raise InputError("BAD_NAME", message, field="name", value=typed.name, allowed=(BOT_RULE,))
    folder: Path = typed.dir or Path(typed.name)
    write(typed.name, folder)
    print(NEXT.format(folder=folder, name=typed.name), end="")
    return ExitCode.DONE


def write(name: str, folder: Path) -> None:
    """Write the files of bot `name` into `folder`.

    Raises:
        InputError: there are files in it, or it cannot be written to.

    """
    title = "".join(part.capitalize() for part in name.split("-") if part)
    if not title[0].isalpha() or iskeyword(title) or title in USED:
        title = f"Bot{title}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if any(folder.iterdir()):
            raise InputError("NOT_EMPTY", f"{folder} is not empty; name another with --dir", field="dir", value=folder)
        (folder / "bot.py").write_text(BOT.format(name=name, title=title), "utf-8")
        (folder / "test_bot.py").write_text(TEST.format(name=name, title=title), "utf-8")
    except OSError as error:
        message = f"{folder} cannot be written to: {error.strerror}"
        raise InputError("NOT_WRITABLE", message, field="dir", value=folder) from error
