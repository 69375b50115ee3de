"""What applying matches led to."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Applied:
    """The match was applied just now."""

    seq: int
    """Its number in the log of the ladder."""
    deltas: tuple[int, ...]
    """Micro-points by entrant, over all its meetings."""


@dataclass(frozen=True, slots=True)
class Duplicate:
    """The match had been applied before; nothing was changed."""

    seq: int


@dataclass(frozen=True, slots=True)
class SumCheck:
    """Ratings only move between bots: their sum is that of the entry ratings."""

    ratings: int
    """Sum in micro-points."""
    entries: int
    """Sum of all entry ratings in micro-points."""

    @property
    def equal(self) -> bool:
        """Whether nothing was created or lost."""
        return self.ratings == self.entries
