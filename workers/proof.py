"""What it is called when a log proves nothing: those who look at results know it, and those who rate them."""

from __future__ import annotations

__all__ = ["UnprovenResultError"]


class UnprovenResultError(Exception):
    """The log of a match does not lead to the result that stands beside it."""
