"""What the last nightly look through the results of a ladder found, for pages, commands and the exporter."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from ladder.anomaly import Anomaly, Calibration, Kind
from ladder.results import MatchResult
from ladder.store.reports import NightReport
from ladder.store.rows import MatchRow
from ladder.store.store import Store
from lastcard.names import bot_of

MIRRORED: Final = "mirrored"


@dataclass(frozen=True, slots=True)
class Report:
    """One look."""

    at_ms: int
    matches: int
    """That were looked at."""
    followed: int
    """Of these, matches of which the course was looked at, too: those whose deals were dealt more than once."""
    anomalies: tuple[Anomaly, ...]
    calibration: Calibration | None
    """None: the luck of no match is known."""

    def text(self) -> str:
        """As it is kept: the same for the same content."""
        content = {
            "matches": self.matches,
            "followed": self.followed,
            "anomalies": [one.shape() for one in self.anomalies],
            "calibration": None if self.calibration is None else _numbers(self.calibration),
        }
        return json.dumps(content, sort_keys=True, separators=(",", ":"))

    @classmethod
    def of(cls, kept: NightReport) -> Report:
        """Return the report that was kept.

        Raises:
            ValueError, LookupError, TypeError: it says something else.
        """
        content = json.loads(kept.text)
        slope = content["calibration"]
        calibration = slope and Calibration(float(slope["slope"]), float(slope["se"]), int(slope["games"]))
        found = tuple(map(Anomaly.of, content["anomalies"]))
        return cls(kept.at_ms, int(content["matches"]), int(content["followed"]), found, calibration or None)


def report_of(store: Store, ladder_format: str) -> Report | None:
    """Return the last report of a ladder; None: there is none that can be read, which is said once."""
    kept = store.reports.get(ladder_format)
    if kept is None:
        return None
    found = store.reports.unread.passing([(f"{ladder_format} text", partial(Report.of, kept))])  # its row can be read
    return found[0] if found else None


def reused(rows: Iterable[MatchRow], owners: Mapping[str, str]) -> Iterator[Anomaly]:
    """Yield deals that were dealt twice where none may be: two groups of one seed, an owner twice in a group.

    Args:
        rows: Of matches that were dealt.
        owners: By `name@n`; the house has none.
    """
    groups: dict[str, list[MatchRow]] = {}
    seeds: dict[str, str] = {}
    for row in rows:
        name = row.group or row.id
        groups.setdefault(name, []).append(row)
        other = seeds.setdefault(row.commitment, name) if row.commitment else name
        if other != name:
            yield Anomaly(Kind.REUSE, (other, name), 0.0, 0.0, 1)
    for tables in groups.values():
        yield from _twice(tables, owners)


def _twice(tables: Sequence[MatchRow], owners: Mapping[str, str]) -> Iterator[Anomaly]:
    seen: dict[str, str] = {}
    for row in tables:
        for owner in {owners.get(bot, "") or bot for bot in row.entrants}:
            if owner in seen:
                yield Anomaly(Kind.REUSE, (seen[owner], row.id, owner), 0.0, 0.0, 1)
            seen[owner] = row.id


def owners_of(store: Store, results: Iterable[MatchResult]) -> dict[str, str]:
    """Return the owner of each version of a bot, "" of the house."""
    bots = sorted({bot for result in results for bot in result.entrants})
    found = store.registry.find(sorted({bot_of(bot) for bot in bots}))
    named = {name: "" if row.house else row.owner for name, row in found.items()}
    return {bot: named.get(bot_of(bot), "") for bot in bots}


def _numbers(slope: Calibration) -> dict[str, Any]:
    return {
        "slope": round(slope.slope, 4),
        "se": round(slope.se, 4),
        "games": slope.games,
        "refit_pays": slope.refit_pays,
    }
