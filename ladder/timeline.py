"""Which weights take luck out of which matches of a ladder: the shipped ones, and from some number on its own. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ladder.luck import Correction


@dataclass(frozen=True, slots=True)
class Change:
    """New weights of a ladder."""

    from_seq: int
    """Number of the first match that they are used on."""
    upto_seq: int
    """Number of the last match that they were fitted on; 0: they were not, they are the shipped ones again."""
    matches: int
    """How many they were fitted on."""
    correction: Correction
    factor: float | None = None
    gain: float | None = None
    """What they are worth, as in `ladder.refit.Refit`."""
    at_ms: int = 0
    """When that was found."""


@dataclass(frozen=True, slots=True)
class Timeline:
    """All weights of a ladder."""

    shipped: Correction
    changes: Sequence[Change] = ()
    """By `from_seq`."""
    earlier: Sequence[Correction] = ()
    """Those that earlier releases shipped, the newest first."""

    def at(self, seq: int) -> Correction:
        """Return the weights for the match of this number; 0, of one that no ladder counts: the shipped ones."""
        held = (change.correction for change in reversed(self.changes) if seq and change.from_seq <= seq)
        return next(held, self.shipped)

    def of(self, seq: int, terms: Sequence[str]) -> Correction:
        """Return the weights for a match of whose luck these terms are known.

        Where the shipped ones hold, they are those of the release that computed the luck: the newest without a term
        that it did not know. So what was published keeps its weights.
        """
        found = self.at(seq)
        if found is not self.shipped:
            return found
        return next((one for one in (found, *self.earlier) if set(one.terms) <= set(terms)), found)

    @property
    def newest(self) -> Correction:
        """The weights for the next match."""
        return self.changes[-1].correction if self.changes else self.shipped

    @property
    def versions(self) -> tuple[str, ...]:
        """The versions of all weights, the earliest first; of those that hold again each once."""
        every = (*reversed(self.earlier), self.shipped, *(change.correction for change in self.changes))
        return tuple(dict.fromkeys(correction.version for correction in every))

    @property
    def fitted(self) -> int:
        """How many times the ladder fitted weights of its own."""
        return sum(change.upto_seq > 0 for change in self.changes)
