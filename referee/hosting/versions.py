"""Which matches this release plays: by the version of their rules, the format of their log, and their ruleset."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from ladder.store import Store
from ladder.store.logs import logger
from ladder.store.rows import UNPLAYED, MatchRow
from referee import formats
from referee.logbook import LOG_FORMAT
from referee.rules.options import RULES_VERSION

RULES: Final = (RULES_VERSION,)
"""A release plays the matches of the one before it to their end: it lists that one's version, too, where it differs."""
LOGS: Final = (LOG_FORMAT - 1, LOG_FORMAT)

log = logger("referee.hosting.versions")


def announced() -> dict[str, object]:
    """Return what a beat says of them."""
    return {"rules": list(RULES), "logs": list(LOGS)}


def lacks(row: MatchRow) -> str:
    """Return why this release does not play a match; empty: it does."""
    if row.rules_version not in RULES:
        return f"rules version {row.rules_version}"
    if row.log_format not in LOGS:
        return f"log format {row.log_format}"
    return _lack(row.format, row.ruleset)


@lru_cache(1_024)
def _lack(format_name: str, ruleset: str) -> str:
    try:
        known = formats.get(format_name).rules.hash
    except formats.UnknownFormatError:
        return f"format {format_name}"
    return "" if known == ruleset else f"ruleset {ruleset} of format {format_name}"


def unsupported(rows: Iterable[MatchRow]) -> dict[str, int]:
    """Return what these matches ask for that this release lacks, and how many of them do."""
    return dict(sorted(Counter(why for row in rows if (why := lacks(row))).items()))


def check(store: Store) -> dict[str, int]:
    """Say which matches that are still to be played are none for this release; returns that as `unsupported`."""
    lacking = unsupported(row for row in store.matches.readable(store.matches.open_ids()) if row.state in UNPLAYED)
    if lacking:
        log.error("unsupported_matches", plays=announced(), lacks=lacking)
    return lacking
