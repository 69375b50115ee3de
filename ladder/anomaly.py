"""Findings of a look through the results of a ladder: what honest bots hardly ever do, and how it is told. Pure.

A finding says that something is not explained by the strengths of those who played: it is a reason to look, and proves
nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

LEAST_GAMES: Final = 400
"""Games with known luck below which their slope says nothing."""
TOO_MUCH: Final = 0.8
"""A slope of what nobody expected on luck below this: too much is taken out, or something else than luck."""
TOO_LITTLE: Final = 1.2
"""Above this weights of the ladder's own would take more out; that is no fault."""
SURE: Final = 3.0
"""Standard errors that a slope lies below that."""


class Kind(StrEnum):
    """What was looked for."""

    DUEL = "duel"
    """One of two scores more against the other than ratings explain."""
    HELP = "help"
    """A bot scores more against all others while a certain one sits at the table."""
    ORDER = "order"
    """On one deal played in all seatings a bot scores more in the game that ends last: it remembers the first."""
    START = "start"
    """On deals that many tables share a bot scores more where its table begins later: it has heard of them."""
    SHARED = "shared"
    """An owner's bots score more on deals that a certain other owner has, too."""
    REUSE = "reuse"
    """A deal was dealt twice to the same owner, or two matches have one seed."""
    CALIBRATION = "calibration"
    """What is taken out as luck is not what luck did."""


@dataclass(frozen=True, slots=True)
class Anomaly:
    """One finding."""

    kind: Kind
    who: tuple[str, ...]
    """Versions of bots, owners, or matches, as the kind says; none where it is about the whole ladder."""
    effect: float
    """In score a game; of `calibration` the slope; of `reuse` 0."""
    z: float
    """Deviations of chance; of `reuse` 0."""
    samples: int
    """Meetings, deals or games that say so."""

    def sentence(self) -> str:
        """Return it for people."""
        return SENTENCES[self.kind](self)

    def shape(self) -> dict[str, Any]:
        """Return it as JSON."""
        numbers = {"effect": round(self.effect, 4), "z": round(self.z, 2), "samples": self.samples}
        return {"kind": self.kind.value, "who": list(self.who), **numbers, "message": self.sentence()}

    @classmethod
    def of(cls, fields: Mapping[str, Any]) -> Anomaly:
        """Return the finding that was written as JSON."""
        who = tuple(map(str, fields["who"]))
        return cls(Kind(fields["kind"]), who, float(fields["effect"]), float(fields["z"]), int(fields["samples"]))


def _measured(one: Anomaly, unit: str) -> str:
    return f"({one.effect:+.3f} a game, z {one.z:+.1f}, {one.samples} {unit})"


SENTENCES: Final[Mapping[Kind, Callable[[Anomaly], str]]] = {
    Kind.DUEL: lambda one: (
        f"{one.who[0]} scores more against {one.who[1]} than their ratings explain {_measured(one, 'meetings')}"
    ),
    Kind.HELP: lambda one: (
        f"{one.who[0]} scores more against all others while {one.who[1]} is at the table {_measured(one, 'meetings')}"
    ),
    Kind.ORDER: lambda one: (
        f"{one.who[0]} scores more in the last game of a deal than in the first {_measured(one, 'meetings')}"
    ),
    Kind.START: lambda one: (
        f"{one.who[0]} scores more where its table begins a shared deal later {_measured(one, 'deals')}"
    ),
    Kind.SHARED: lambda one: (
        f"bots of {one.who[0]} score more on deals that {one.who[1]} has, too {_measured(one, 'games')}"
    ),
    Kind.REUSE: lambda one: f"a deal was used twice: {', '.join(one.who)}",
    Kind.CALIBRATION: lambda one: (
        f"what is taken out as luck is too much: slope {one.effect:.2f}, wanted about 1 ({one.samples} games)"
    ),
}


@dataclass(frozen=True, slots=True)
class Calibration:
    """How what nobody expected hangs on the luck that is taken out; 1 is right."""

    slope: float
    se: float
    games: int

    @property
    def refit_pays(self) -> bool:
        """Whether weights of the ladder's own would take more out."""
        return self.slope > TOO_LITTLE

    def anomaly(self) -> Anomaly | None:
        """Return the finding, where it is one."""
        if self.games < LEAST_GAMES or self.slope + SURE * self.se >= TOO_MUCH:
            return None
        return Anomaly(Kind.CALIBRATION, (), self.slope, (self.slope - TOO_MUCH) / self.se, self.games)
