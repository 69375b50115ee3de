"""Moments for people, to the second, with their time zone. Pure."""

from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

__all__ = ["moment"]


def moment(milliseconds: int, zone: str = "UTC") -> str:
    """Return a moment to the second in a time zone, UTC beside it; a zone that is not known here is left out."""
    in_utc = datetime.fromtimestamp(milliseconds // 1000, UTC)
    utc = f"{in_utc:%Y-%m-%d %H:%M:%S} UTC"
    try:
        there = in_utc.astimezone(ZoneInfo(zone))
    except (KeyError, ValueError, OSError):
        return utc
    return utc if zone == "UTC" else f"{there:%Y-%m-%d %H:%M:%S} {zone} ({utc})"
