"""Names that callers give: what they may look like, and which existing ones come near a wrong one."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from ladder.errors import InvalidFieldError

BOT: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{1,22}[a-z0-9])")
TOURNAMENT: Final = re.compile(r"[a-z0-9][a-z0-9-]{1,38}[a-z0-9]")
FORMAT: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,62}[a-z0-9]")
MATCH: Final = re.compile(r"[a-z0-9][a-z0-9.-]{0,126}[a-z0-9]")
MOST: Final = 10


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


_WORDS: Final = {
    BOT: "3 to 24 characters a-z, 0-9 and hyphens, not first or last",
    TOURNAMENT: "3 to 40 characters a-z, 0-9 and hyphens, not first or last",
    FORMAT: "2 to 64 characters a-z, 0-9 and hyphens, not first or last",
    MATCH: "2 to 128 characters a-z, 0-9, hyphens and dots, neither first nor last",
}
