"""What a deal was worth: how the house's own bot does on the same cards, in every seat, over some games.

The shipped correction of luck does without it (docs/ratings.md): the same deck, the same reshuffles and the same spins,
played by one heuristic that errs now and then, so that what is left is the cards.
"""

from collections.abc import Mapping
from typing import Final

from lastcard.turn import Turn
from referee.bots.careful import Careful
from referee.bots.uniform import Random
from referee.local.local_bot import LocalBot
from referee.local.local_match import LocalMatch
from referee.match import MatchPlay
from referee.match_spec import MatchSpec

ASTRAY: Final = 10
"""One decision in so many is taken at random."""


class Erring(Careful):
    """`careful`, at random now and then."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._astray = Random(seed)

    def choose(self, turn: Turn) -> int | list[int]:
        """Return the best option, or any."""
        return self._astray.choose(turn) if self.dice(turn) // 7 % ASTRAY == 0 else super().choose(turn)


def house_scores(
    spec: MatchSpec, seed: bytes, nonces: Mapping[int, bytes | None], game: int, count: int
) -> tuple[int, ...]:
    """Return the mean score of the house on the cards of a game, in the seat of each entrant, in millionths.

    Args:
        spec: the match.
        seed: its seed.
        nonces: of the entrants, as far as they came.
        game: index of the game in the match.
        count: how many games the house plays; with an odd number scores round to the nearest.
    """
    entrants = len(spec.entrants)
    sums = [0] * entrants
    for number in range(count):
        ranks = _ranks(spec, seed, nonces, game, number)
        for entrant, rank in enumerate(ranks):
            sums[entrant] += sum(1 + (rank < other) - (rank > other) for e, other in enumerate(ranks) if e != entrant)
    most = 2 * count * (entrants - 1)
    return tuple((2 * 1_000_000 * total + most) // (2 * most) for total in sums)


def _ranks(spec: MatchSpec, seed: bytes, nonces: Mapping[int, bytes | None], game: int, number: int) -> tuple[int, ...]:
    """Return the places, by entrant, of one game among house bots."""
    play = MatchPlay(spec, seed)
    for entrant in list(play.missing_nonces):
        play.set_nonce(entrant, nonces.get(entrant))
    bots = [LocalBot(name, Erring(number)) for name in spec.entrants]
    LocalMatch(play, bots).play_one(game)
    result = play.results[game]
    assert result is not None
    return result.ranks
