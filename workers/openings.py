"""Since when referees are there without a break: what lasts while nobody can play is at nobody's expense.

A referee begins anew after each time in which it, or the store, was away. No bot can come in before, and no table is
played on: deadlines of bots and of tables count from then.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["open_since", "openings"]


def openings(beats: Mapping[str, Mapping[str, object]], now_ms: int) -> dict[str, int]:
    """Return since when each living referee is there, in ms since 1970; 0 where it does not say so.

    Args:
        beats: Living referees, and what they say of themselves.
        now_ms: Wall time.
    """
    return {name: min(_open_ms(said), now_ms) for name, said in beats.items()}


def open_since(beats: Mapping[str, Mapping[str, object]], now_ms: int) -> int:
    """Return since when bots can come in somewhere; now where no referee lives."""
    return min(openings(beats, now_ms).values(), default=now_ms)


def _open_ms(said: Mapping[str, object]) -> int:
    found = said.get("open_ms")
    return found if isinstance(found, int) else 0
