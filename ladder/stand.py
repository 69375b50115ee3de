"""Where a tournament stands at one moment, as it is shown as JSON."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["Stand"]


@dataclass(frozen=True, slots=True)
class Stand:
    """What everybody may know of a tournament beside its description; moments in ms since 1970, 0: not yet."""

    state: str
    reason: str
    meetings: int
    """Of each pairing or table; 0: not known yet."""
    entrants: tuple[str, ...]
    missing: tuple[str, ...]
    other_versions: tuple[str, ...]
    not_offering: tuple[str, ...]
    matches: int
    """Of the schedule; 0 where its entrants are not fixed yet."""
    created: int
    done: int
    lost: int
    replayed: int
    parked: int
    voids: tuple[tuple[str, int], ...]
    """Why matches are void that were not played again, and how many for each reason."""
    games_done: int
    games_per_second: float
    eta_s: float | None
    commitment: str
    deal_seed: bytes
    """Empty before the end."""
    created_ms: int
    started_ms: int
    ended_ms: int
