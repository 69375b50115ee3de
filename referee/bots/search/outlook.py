"""How a round will probably end, judged from where it stands, so that it need not be played out.

Each hand has a strength; how likely one seat ends before another is a logistic function of the difference. The weights
are fitted to rounds between quick players by `./dev soak outlook`: for each preset, for two seats and for more.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from referee.bots.search import features
from referee.rules.round import Round

GONE: Final = -50.0  # the strength of a team that left
MORE: Final = 3  # stands for every number of seats from three up

# By preset, and two seats or MORE; in the order of features.FAMILY, or MATCHING.
WEIGHTS: Final[dict[tuple[str, int], tuple[float, ...]]] = {
    ("classic", 2): (1.12, 2.55, 0.07, 1.86, -0.27, 0.32, 0.20, -0.22, 0.15, 4.36),
    ("classic", 3): (2.76, 2.59, 0.05, 1.43, 0.03, -0.18, -0.06, -0.22, -0.20, 5.32),
    ("uno", 2): (1.25, 2.53, 0.00, 1.88, -0.22, 0.16, 0.13, -0.24, 0.33, 4.20),
    ("uno", 3): (2.69, 3.27, 0.01, 1.55, 0.02, -0.33, -0.07, -0.26, -0.22, 5.35),
    ("official", 2): (1.44, 2.51, 0.22, 2.18, -0.27, 0.27, 0.22, -0.28, -0.03, 4.28),
    ("official", 3): (2.70, 2.68, 0.02, 1.55, 0.03, -0.21, -0.04, -0.25, -0.22, 5.29),
    ("spin", 2): (1.57, 1.87, 0.20, 1.09, -0.12, 0.03, 0.11, -0.11, 0.08, 4.30),
    ("spin", 3): (2.10, 1.76, -0.24, 0.72, -0.01, -0.20, 0.01, -0.10, 0.00, 5.30),
    ("duo", 2): (1.71, 2.41, 0.22, 1.70, -0.27, 0.00, 0.27, -0.17, 0.01, 4.31),
    ("dos", 2): (3.42, 3.08, 0.59, 0.45, -0.97, -0.47, 0.33, 1.80),
    ("dos", 3): (4.47, 1.62, -0.55, 0.86, -1.21, -0.80, 0.52, 2.01),
}


@dataclass(frozen=True, slots=True)
class Look:
    """How rounds of a preset are looked at.

    Attributes:
        features: what counts in a hand.
        turns: that are played before a forecast is worth more than playing on.
    """

    features: features.Features
    turns: int


FAMILY: Final = Look(features.family, 8)
# By preset; of others rounds are played out.
LOOKS: Final[dict[str, Look]] = {
    **dict.fromkeys(("classic", "uno", "official", "spin", "duo"), FAMILY),
    "dos": Look(features.matching, 4),
}


class Outlook:
    """Judges rounds of one preset for one seat.

    Attributes:
        turns: that are to be played before.
    """

    __slots__ = ("_features", "_mine", "_others", "_weights", "turns")

    def __init__(self, preset: str, seat: int, team_of: Sequence[int]) -> None:
        self._weights = WEIGHTS[preset, min(len(team_of), MORE)]
        self._features = LOOKS[preset].features
        self.turns = LOOKS[preset].turns
        teams = {team: [other for other, of in enumerate(team_of) if of == team] for team in team_of}
        self._mine = teams.pop(team_of[seat])
        self._others = list(teams.values())

    def value(self, round_: Round) -> float:
        """Return the share of opposing teams, or seats, that this one is likely to leave behind."""
        mine = self._strength(round_, self._mine)
        ahead = [1 / (1 + math.exp(self._strength(round_, seats) - mine)) for seats in self._others]
        return sum(ahead) / len(ahead)

    def _strength(self, round_: Round, seats: Sequence[int]) -> float:
        """The strength of a hand, or of all hands of a team together; nobody is weaker than a seat that left."""
        found = [
            sum([weight * value for weight, value in zip(self._weights, self._features(round_, seat), strict=True)])
            for seat in seats if seat not in round_.out
        ]  # fmt: skip
        if len(found) == 1:
            return found[0]
        return math.log(sum(map(math.exp, found))) if found else GONE
