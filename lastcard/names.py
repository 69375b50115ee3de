"""What names of bots and tournaments may look like: the same at the command line, at the ladder and in its store."""

from __future__ import annotations

import re
from typing import Final

from lastcard.errors import InputError

BOT: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{1,22}[a-z0-9])")
AT: Final = "@"
"""Between the name of a bot and the number of a version."""
VERSION: Final = re.compile(rf"{BOT.pattern}{AT}[1-9][0-9]{{0,8}}")
"""A version of a bot, `name@n`."""
TOURNAMENT: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{1,38}[a-z0-9])")
TOGETHER: Final = "+"
"""Between the names of bots that play as one side."""
BOT_RULE: Final = "3 to 24 of a-z, 0-9 and hyphens, and no hyphen at either end"
VERSION_RULE: Final = f"the name of a bot and the number of its version, like alpha@2; names are {BOT_RULE}"
TOURNAMENT_RULE: Final = "3 to 40 of a-z, 0-9 and hyphens, and no hyphen at either end"
MATCH_FORM: Final = (
    "a match is called TOURNAMENT.LEG.TABLE.PART, like spring.1.1.0; `lastcard bot log NAME` and the page of its "
    "tournament list matches"
)
"""How a sentence about an unknown match ends."""
UNSEEN: Final = frozenset("\u115f\u1160\u2800\u3164\uffa0")
"""Letters that nobody sees: fillers of Hangul, and the Braille cell without dots."""
ABSENCE: Final = "absent"
"""Kind of the fault of a bot that left a match without a word, or never came; all sides call it so."""

_REPLAY: Final = re.compile(r"(.+)\.r([2-9]|[1-9][0-9]+)")


def attempt_of(match: str) -> tuple[str, int]:
    """Return the match of which this one is an attempt, and which: `m.r3` is the third at `m`, and `m` the first."""
    found = _REPLAY.fullmatch(match)
    return (found[1], int(found[2])) if found else (match, 1)


def nth_attempt(match: str, number: int) -> str:
    """Return what the attempt of this number at a match is called."""
    return f"{match}.r{number}" if number > 1 else match


def bot_of(version: str) -> str:
    """Return the bot of a version, `name` of `name@n`; what has no number is the name itself."""
    return version.partition(AT)[0]


def typed(text: str, field: str = "bots", example: str = "random,careful") -> tuple[str, ...]:
    """Return what was typed with commas between: the names of bots, or of what else `--field` takes.

    Raises:
        InputError: a name is empty.
    """
    names = tuple(name.strip() for name in text.split(","))
    if not all(names):
        message = f"--{field} {text!r} has an empty name; write the {field} with commas between, as {example}"
        raise InputError(f"BAD_{field.upper()}", message, field=field, value=text)
    return names
