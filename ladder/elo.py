"""Live Elo in integer micro-points: pairwise, zero-sum, with a K that falls with experience.

One Elo is 1,000,000 micro-points, so ratings are exact and their sum is conserved to the last digit. The script
`ladder/store/lua/rate.lua` computes the same numbers, operation by operation; a change here is a change there.

The rated unit is the meeting: all games of the same bots in every seating. Within a meeting everything is computed
from the ratings and the experience before it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

MICRO: Final = 1_000_000
SCALE: Final = 400.0
"""Points of difference at which the stronger side is expected to score 10 : 1."""
CLAMP: Final = 25.0
"""Differences are cut at this many times the scale, so that the power never overflows."""
MIN_SEATS: Final = 2
MAX_SEATS: Final = 10


class BadMeetingError(ValueError):
    """A meeting that cannot be rated: too few bots, lists of unequal length, a rank out of range."""


@dataclass(frozen=True, slots=True)
class EloConfig:
    """How fast ratings move: K(n) = max(kmin, k0 * n0 / (n0 + n)) after n rated meetings.

    Everything is in thousandths (`init` in micro-points): 32, 2 and 20 are `32_000`, `2_000` and `20_000`.
    """

    k0_milli: int = 32_000
    kmin_milli: int = 2_000
    n0_milli: int = 20_000
    init: int = 1500 * MICRO

    def __post_init__(self) -> None:
        if min(self.k0_milli, self.kmin_milli, self.n0_milli) <= 0:
            raise ValueError("k0, kmin and n0 must be positive")

    def k_milli(self, meetings: int) -> int:
        """K of a bot with so many rated meetings, in thousandths of a point, rounded down."""
        falling = self.k0_milli * self.n0_milli // (self.n0_milli + 1000 * meetings)
        return max(self.kmin_milli, falling)


TO_A_TARGET: Final = EloConfig(64_000, 4_000, 10_000)
"""Where games are many rounds, to a target: there the same difference of strength is several times the Elo."""

Ranks = Sequence[int]
"""Finishing places of one game by entrant, 1 the best; ties share a place."""


def expected(difference: float) -> float:
    """Expected score of a bot whose opponent is `difference` points above it, 0 to 1."""
    steps = max(-CLAMP, min(CLAMP, difference / SCALE))
    return 1.0 / (1.0 + math.pow(10.0, steps))


def halves(games: Sequence[Ranks], one: int, other: int) -> int:
    """Score of entrant `one` against `other` over the games, counted in half points."""
    return sum(1 + (ranks[one] < ranks[other]) - (ranks[one] > ranks[other]) for ranks in games)


def meeting(
    config: EloConfig,
    ratings: Sequence[int],
    played: Sequence[int],
    games: Sequence[Ranks],
    teams: Sequence[object] | None = None,
) -> list[int]:
    """Changes in micro-points by entrant for one meeting; they sum to zero.

    Args:
        config: K and its decay.
        ratings: Micro-points by entrant, before the meeting.
        played: Rated meetings by entrant, before the meeting.
        games: Places by entrant, one row a game.
        teams: Team by entrant; mates do not play against each other. None: everybody alone.

    Raises:
        BadMeetingError: The lists do not fit together or a place is out of range.
    """
    check(len(ratings), games, teams)
    seats = len(ratings)
    changes = [0] * seats
    k_milli = [config.k_milli(meetings) for meetings in played]
    for i in range(seats):
        for j in range(i + 1, seats):
            if teams is not None and teams[i] == teams[j]:
                continue
            score = halves(games, i, j) / (2 * len(games))
            surprise = score - expected((ratings[j] - ratings[i]) / MICRO)
            pair_k = (k_milli[i] + k_milli[j]) // 2
            change = _half_away(pair_k * 1000 * surprise / (seats - 1))
            changes[i] += change
            changes[j] -= change
    return changes


def check(seats: int, games: Sequence[Ranks], teams: Sequence[object] | None = None) -> None:
    """Raises `BadMeetingError` unless a meeting of so many bots with these games can be rated."""
    if not MIN_SEATS <= seats <= MAX_SEATS:
        raise BadMeetingError(f"a meeting has {MIN_SEATS} to {MAX_SEATS} bots, not {seats}")
    if not games:
        raise BadMeetingError("a meeting has at least one game")
    if teams is not None and len(teams) != seats:
        raise BadMeetingError(f"{len(teams)} teams for {seats} bots")
    for ranks in games:
        if len(ranks) != seats or not all(1 <= rank <= MAX_SEATS for rank in ranks):
            raise BadMeetingError(f"places {list(ranks)} do not fit {seats} bots; each is 1 to {MAX_SEATS}")


def _half_away(value: float) -> int:
    """Nearest integer, halves away from zero; written as the script writes it."""
    return math.floor(value + 0.5) if value >= 0 else -math.floor(-value + 0.5)
