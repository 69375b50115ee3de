"""Names that callers give: what they may look like, and which existing names come near a wrong one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Final

from ladder.errors import InvalidFieldError
from lastcard.names import BOT, BOT_RULE, TOURNAMENT, TOURNAMENT_RULE, VERSION, VERSION_RULE

FORMAT: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,62}[a-z0-9]")
MATCH: Final = re.compile(r"[a-z0-9][a-z0-9.-]{0,126}[a-z0-9]")
MOST: Final = 10
SAID: Final = 3
"""Of these, so many are in the sentence."""


def checked(pattern: re.Pattern[str], value: str, field: str) -> str:
    """Return a name if it is of its form.

    Raises:
        InvalidFieldError: it is not.
    """
    if not pattern.fullmatch(value):
        allowed = _WORDS[pattern]
        sentence = f"{field} must be {allowed}; it is {value!r}"
        raise InvalidFieldError("BAD_NAME", sentence, field=field, value=value, allowed=[allowed])
    return value


def nearest(name: str, known: Iterable[str]) -> list[str]:
    """Return the known names that come near, best first; where none does, the first ones."""
    names = list(known)
    return get_close_matches(name, names, n=MOST, cutoff=0.5) or sorted(names)[:MOST]


def offered(near: Sequence[str]) -> str:
    """Return how a sentence about an unknown name goes on: with some of the names that come near."""
    return f"; there are, for example, {', '.join(near[:SAID])}" if near else ""


_WORDS: Final = {
    BOT: BOT_RULE,
    VERSION: VERSION_RULE,
    TOURNAMENT: TOURNAMENT_RULE,
    FORMAT: "2 to 64 of a-z, 0-9 and hyphens, and no hyphen at either end",
    MATCH: "2 to 128 of a-z, 0-9, hyphens and dots, and neither hyphen nor dot at either end",
}
