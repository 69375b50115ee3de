"""A tournament in which who beats whom goes in a circle: no strengths explain it."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import Any, Final

from ladder.residuals import ALIKE
from tests.ladder_house import House

NAME: Final = "circle"
BOTS: Final = ("rock", "paper", "scissors", "well")
"""Each of the first three beats one of the others in all games; the last one scores a half against everybody."""
MEETINGS: Final = 16
BEATEN: Final = {"rock": "scissors", "scissors": "paper", "paper": "rock"}
"""Winner to loser."""
_ALL: Final = 6 * MEETINGS
_SHOWN: Final = 3 * MEETINGS / 8
_LEFT: Final = MEETINGS / 4
Z: Final = MEETINGS / sqrt(_ALL / (_ALL - 3) * (MEETINGS * _SHOWN + ALIKE * _LEFT) / (MEETINGS + ALIKE))
"""By how many deviations each pair of the circle is off, by `ladder.residuals` on paper. All ratings are equal.

A pair's information is m/2 (m meetings of two games, a quarter each), that of all is m/2 times the Laplacian of K4,
with m/4 of a pair's left beside the ratings. Of each pair of the circle, which is m off, the squares of its meetings
and what the ratings took of them cancel, and the others leave 3m/8; of each even pair they leave m/8. So all pairs
together show as much as is left, and both are averaged as m meetings to ALIKE; three ratings were fitted to them all.
"""


class CircleHouse(House):
    """Writes what is said of the circle as results, whatever chance says."""

    def game(self, entrants: Sequence[str], seats: list[int]) -> dict[str, Any]:
        """Return one game: of two that are even, who sits first wins."""
        names = [bot.partition("@")[0] for bot in entrants]
        first = next((at for at, name in enumerate(names) if BEATEN.get(name) in names), seats[0])
        ranks = [1 if at == first else 2 for at in range(2)]
        return super().game(entrants, seats) | {"ranks": ranks}


def play_circle(house: House) -> None:
    """Register, seat and enter four bots, and play all their matches."""
    circle = CircleHouse(house.store, house.format)
    circle.clock_ms = house.clock_ms
    versions = circle.register(*BOTS)
    circle.enter(versions)
    circle.connect(*versions)
    pairs = [(a, b) for at, a in enumerate(versions) for b in versions[at + 1 :]]
    circle.tournament(NAME, versions, len(pairs), MEETINGS)
    for number, pair in enumerate(pairs, 1):
        circle.play(circle.match(f"{NAME}.{number}.1.0", pair, MEETINGS, NAME))
