"""What `lastcard sprt` asks of a tournament: kept in its description, so that it is judged by nothing else."""

from __future__ import annotations

from dataclasses import dataclass

from ladder.errors import InvalidFieldError
from ladder.sprt import BadBoundsError, Bounds

__all__ = ["Judged"]


@dataclass(frozen=True, slots=True)
class Judged:
    """By what a comparison of two versions is judged."""

    elo0: float
    """By H0 the new version is stronger by so many Elo a game."""
    elo1: float
    """By H1."""
    luck: bool = False
    """Whether it goes by scores with luck taken out."""

    @classmethod
    def by(cls, bounds: Bounds, *, luck: bool) -> Judged:
        """Return it of these bounds."""
        return cls(float(bounds.elo0), float(bounds.elo1), luck)

    @property
    def bounds(self) -> Bounds:
        """Both hypotheses.

        Raises:
            InvalidFieldError: they cannot be tested.
        """
        try:
            return Bounds(self.elo0, self.elo1)
        except BadBoundsError as error:
            value, allowed = error.value, error.allowed
            raise InvalidFieldError(error.reason, str(error), field="sprt", value=value, allowed=allowed) from error

    @property
    def options(self) -> str:
        """The options of `lastcard sprt` that ask the same."""
        return f"--bounds {','.join(self.bounds.typed)}{' --luck' if self.luck else ''}"

    @property
    def words(self) -> str:
        """The same for people."""
        return f"bounds {','.join(self.bounds.typed)}, luck {'taken out' if self.luck else 'left in'}"

    def __str__(self) -> str:
        """Return the bounds as people type them, and that luck is taken out."""
        return f"{','.join(self.bounds.typed)}{' with luck taken out' if self.luck else ''}"
