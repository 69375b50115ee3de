"""Reasons, which people type and others read: on terminals, on pages, in the audit. Pure."""

from __future__ import annotations

import unicodedata
from typing import Final

from lastcard.names import UNSEEN

__all__ = ["ALL_ABSENT", "MOST_REASON", "cancelled", "kept", "told", "worded"]

MOST_REASON: Final = 200
ALL_ABSENT: Final = "all_absent"
WORDS: Final = {
    ALL_ABSENT: "none of its bots was there",
    "unsupported": "no referee has supported its version for ten minutes",
    "engine_mismatch": "its log does not fit the rules of this release",
}
"""Reasons that the service gives in one word, which stays as it is in JSON; on terminals and pages in these."""
STANDS: Final = "LNPS"
"""Categories of Unicode that are seen by themselves; marks are put on something."""


def told(text: str) -> str:
    """Return a reason as one line that does nothing to a terminal; empty where nothing of it can be seen.

    What controls a terminal, turns the direction of writing or takes no room becomes a space.
    """
    seen = "".join(one if one.isprintable() and one not in UNSEEN else " " for one in text)
    line = " ".join(seen.split())
    return line if any(unicodedata.category(one)[0] in STANDS for one in line) else ""


def kept(text: str) -> str:
    """Return a reason as it is kept: what `told` shows, up to so many letters."""
    return told(text)[:MOST_REASON].rstrip()


def cancelled(tournament: str) -> str:
    """Return the reason for which a match is void that was not over when its tournament was cancelled."""
    return f"tournament {tournament} was cancelled"


def worded(reason: str) -> str:
    """Return why a match is void, or parked, as people read it: a reason that somebody typed stays as it is."""
    return WORDS.get(reason, reason)
