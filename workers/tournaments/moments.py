"""Moments for people, to the second, with their time zone, as far as this machine knows it."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

__all__ = ["moment"]


def moment(milliseconds: int, zone: str = "UTC") -> str:
    """Return a moment to the second in a time zone, UTC beside it; of a zone that is not known here it says so."""
    in_utc = datetime.fromtimestamp(milliseconds // 1000, UTC)
    utc = f"{in_utc:%Y-%m-%d %H:%M:%S} UTC"
    try:
        there = in_utc.astimezone(ZoneInfo(zone))
    except (KeyError, ValueError, OSError):
        return f"{utc} ({zone} is not known here)"
    return utc if zone == "UTC" else f"{there:%Y-%m-%d %H:%M:%S} {zone} ({utc})"
