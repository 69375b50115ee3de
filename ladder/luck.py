"""Luck taken out of results: what chance gave, weighed, centred, subtracted. Pure.

Every game comes with what chance gave each entrant, by term (docs/ratings.md): all terms have mean zero whatever the
bots do, once the mean over the table is taken away. The correction of an entrant is L = sum of beta x (its term - the
mean of the table), with partners sharing the mean of their team; its corrected score is S - L. L sums to zero over a
table, so corrected scores sum to what scores do; they may leave 0 to 1 and are never cut. The weights are fixed
before the games they are used on: other weights cost precision and never make a rating wrong.

A term of its own is `h`, the score of the house on the same cards (`ladder/house.py`) less what it usually scores in
that seat. Weights have it only where a ladder's own games showed that it pays.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Final

from ladder.house import HouseScores, UsualScores

if TYPE_CHECKING:
    from ladder.bradley_terry import Floats

MICRO: Final = 1_000_000
DIGITS: Final = 6
"""Decimals of a weight."""
HOUSE_TERM: Final = "h"
"""The last term of weights that regard house games."""


class BadCorrectionError(ValueError):
    """A file of weights that cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class Correction:
    """The weights for one ruleset, as they are shipped or were fitted."""

    name: str
    """Rules and seats, as `uno-classic-2`."""
    ruleset: str
    """Hash of the rules."""
    beta: Mapping[str, float]
    """Weight by term, in the order in which the game lists its terms."""
    rounds: int = 0
    """How many rounds they were fitted on."""
    variance: float = 1.0
    """Of a rating with luck taken out, over that with it, on fields that they were not fitted on."""
    house: UsualScores | None = None
    """Whose games the last term is about; None: there is no such term."""

    @classmethod
    def of(cls, text: str) -> Correction:
        """The weights that a file says.

        Raises:
            BadCorrectionError: it is not one, or its version is not that of its content.
        """
        try:
            content: dict[str, Any] = json.loads(text)
            beta = {str(term): float(weight) for term, weight in content["beta"].items()}
            variance = float(content["variance"])
            house = UsualScores.of(content["house"]) if content.get("house") else None
            found = cls(content["name"], content["ruleset"], beta, int(content["rounds"]), variance, house)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise BadCorrectionError(f"not a file of weights: {error!r}") from error
        if not 0 < variance <= 1:
            raise BadCorrectionError(f"{found.name}: variance is {variance}, and a share is more than 0 and at most 1")
        if content.get("lc_version") != found.version:
            raise BadCorrectionError(f"{found.name}: lc_version is {content.get('lc_version')}, not {found.version}")
        if (found.terms[-1:] == (HOUSE_TERM,)) != (house is not None):
            raise BadCorrectionError(f"{found.name}: the term {HOUSE_TERM} is the last one where there is a house")
        return found

    @property
    def terms(self) -> tuple[str, ...]:
        """The terms, in order."""
        return tuple(self.beta)

    @property
    def version(self) -> str:
        """Names what is computed: 16 hex digits of SHA-256 over terms, weights, and the house and its usual scores."""
        content: list[object] = [[term, round(weight, DIGITS)] for term, weight in self.beta.items()]
        if self.house is not None:
            content.append([self.house.house, self.house.mu])
        return sha256(json.dumps(content, separators=(",", ":")).encode()).hexdigest()[:16]

    def text(self) -> str:
        """As a file."""
        return json.dumps(self.fields(), indent=2) + "\n"

    def fields(self) -> dict[str, object]:
        """As plain values."""
        house = {"house": {"house": self.house.house, "mu": self.house.mu}} if self.house else {}
        return {
            "name": self.name,
            "ruleset": self.ruleset,
            "rounds": self.rounds,
            "variance": self.variance,
            "beta": {term: round(weight, DIGITS) for term, weight in self.beta.items()},
            **house,
            "lc_version": self.version,
        }

    def luck(self, given: Sequence[Sequence[int]], teams: Sequence[object] | None = None) -> list[float]:
        """L by entrant of one game; it sums to zero.

        Args:
            given: what chance gave, by entrant and term, in millionths.
            teams: by entrant; None: everybody alone.
        """
        weights = list(self.beta.values())
        return [sum(w * x for w, x in zip(weights, row, strict=True)) for row in centred(given, teams)]

    def of_match(
        self,
        terms: Sequence[str],
        games: Sequence[Sequence[Sequence[int]] | None],
        teams: Sequence[object] | None,
        house: HouseScores | None = None,
    ) -> list[list[float] | None] | None:
        """L by game and entrant of a match; None for a game that was never dealt.

        None for all of it where a term of these weights is not among what is known of the match.

        Args:
            terms: of what chance gave.
            games: by game, entrant and term, in millionths.
            teams: by entrant; None: everybody alone.
            house: what the house scored on the same cards, where that is known.
        """
        found = self.given(terms, games, house)
        if found is None:
            return None
        return [None if game is None else self.luck(game, teams) for game in found]

    def given(
        self,
        terms: Sequence[str],
        games: Sequence[Sequence[Sequence[int]] | None],
        house: HouseScores | None = None,
    ) -> list[list[list[int]] | None] | None:
        """What chance gave by the terms of these weights; arguments and None as in `of_match`."""
        free = [term for term in self.beta if self.house is None or term != HOUSE_TERM]
        if not set(free) <= set(terms):
            return None
        places = [terms.index(term) for term in free]
        rows = [None if game is None else [[row[place] for place in places] for row in game] for game in games]
        if self.house is None:
            return rows
        beyond = self.house.beyond(house)
        if beyond is None or len(beyond) != len(rows):
            return None
        return [
            None if game is None or more is None else [[*row, one] for row, one in zip(game, more, strict=True)]
            for game, more in zip(rows, beyond, strict=True)
        ]


def centred(given: Sequence[Sequence[int]], teams: Sequence[object] | None = None) -> list[list[float]]:
    """What chance gave, by entrant and term, in ones: the team's mean minus that of the table."""
    seats = range(len(given))
    mates = [
        [j for j in seats if (teams is None and i == j) or (teams is not None and teams[i] == teams[j])] for i in seats
    ]
    shared = [[sum(given[j][term] for j in group) / len(group) for term in range(len(given[0]))] for group in mates]
    means = [sum(column) / len(given) for column in zip(*shared, strict=True)]
    return [[(x - mean) / MICRO for x, mean in zip(row, means, strict=True)] for row in shared]


def weights(gifts: Floats, surprises: Floats) -> Floats:
    """Least squares: the weights by which what chance gave explains best what nobody expected.

    Args:
        gifts: one row an entrant and game, centred; one column a term.
        surprises: score minus expected score of that entrant in that game.
    """
    import numpy as np  # all that is made with weights needs none

    found, *_ = np.linalg.lstsq(gifts, surprises, rcond=None)
    return np.asarray(found, dtype=np.float64)
