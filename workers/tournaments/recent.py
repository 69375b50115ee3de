"""What was played of a format lately, as far as the ledger tells how long it took."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from ladder.results import absent
from ladder.store.rows import PLAYED, MatchRow
from ladder.store.store import Store
from ladder.store.unread import CAUSES
from workers.tournaments.forecast import LEAST_GAMES, Measured, played

__all__ = ["Recent", "recent"]

LOOKED_AT: Final = 100
"""Tournaments among which those of the format are looked for that tell something."""
TOURNAMENTS: Final = 3
"""Of these, the newest so many count."""
MATCHES: Final = 200
"""Of each of them, and of those outside of tournaments."""
KEPT_MS: Final = 2_000


@dataclass(frozen=True, slots=True)
class Recent:
    """Looks a format up, at most every two seconds; may be used by several threads."""

    store: Store
    now_ms: Callable[[], int]
    _kept: dict[str, tuple[int, tuple[Measured, ...]]] = field(default_factory=dict)

    def __call__(self, format_name: str) -> tuple[Measured, ...]:
        """Return what was measured of a format."""
        now_ms = self.now_ms()
        at_ms, found = self._kept.get(format_name, (now_ms - KEPT_MS, ()))
        if now_ms - at_ms >= KEPT_MS:
            found = recent(self.store, format_name)
            self._kept[format_name] = (now_ms, found)
        return found


def recent(store: Store, format_name: str) -> tuple[Measured, ...]:
    """Return what the last tournaments of a format tell, of those that tell anything; else its other matches."""
    found = tuple(islice(_tournaments(store, format_name), TOURNAMENTS))
    if found:
        return found
    newest = store.matches.page(limit=MATCHES).rows
    outside = _measured(row for row in newest if row.format == format_name and not row.tournament)
    return (outside,) if outside else ()


def _tournaments(store: Store, format_name: str) -> Iterator[Measured]:
    rows, _ = store.tournaments.page(LOOKED_AT)
    for row in rows:
        if row.games_done < LEAST_GAMES or json.loads(row.spec).get("format") != format_name:
            continue
        if one := _measured(store.matches.page(tournament=row.name, limit=MATCHES).rows):
            yield one


def _measured(matches: Iterable[MatchRow]) -> Measured | None:
    """Return what these matches tell, without those that were decided because somebody was not there."""
    rows = [row for row in matches if row.state in PLAYED and row.begun_ms and _was_whole(row)]
    bots = {bot for row in rows for bot in row.entrants}
    return played(sum(row.games_done for row in rows), [(row.begun_ms, row.ended_ms) for row in rows], len(bots))


def _was_whole(row: MatchRow) -> bool:
    """Return whether everybody came; of a match whose result cannot be read nobody knows."""
    try:
        return not absent(json.loads(row.result))
    except CAUSES:
        return False
