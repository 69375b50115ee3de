"""What a deal was worth: how the house's own bot does on the same cards, in every seat, over some games.

The same deck, the same reshuffles and the same spins, played by one heuristic that errs now and then, so that what is
left is the cards. What it scores in a seat on any deal (`ladder/luck/house/*.json`) is no luck and goes off it later.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from lastcard.secret import Secret
from lastcard.turn import Turn
from referee import logbook
from referee.bots.careful import Careful
from referee.bots.uniform import Random
from referee.local.local_bot import LocalBot
from referee.local.local_match import LocalMatch
from referee.logbook import ActRecord, NonceRecord, RoundRecord
from referee.match import MatchPlay
from referee.match_spec import MatchSpec

HOUSE: Final = "careful-1"
"""Who plays them. Whatever changes a move of `Erring` gets a new name here, and its usual scores are measured anew."""
GAMES: Final = 16
"""On the cards of one round."""
ASTRAY: Final = 10
"""One decision in so many is taken at random."""
MICRO: Final = 1_000_000


class Erring(Careful):
    """`careful`, at random now and then."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._astray = Random(seed)

    def choose(self, turn: Turn) -> int | list[int]:
        """Return the best option, or any."""
        return self._astray.choose(turn) if self.dice(turn) // 7 % ASTRAY == 0 else super().choose(turn)


@dataclass(frozen=True, slots=True)
class HousePlay:
    """What the house scored on the cards of a match.

    Attributes:
        house: who played, and how many games on the cards of a round.
        games: by game, the mean score of the house in the seat of each entrant, in millionths; None where no cards were
            dealt.
    """

    house: str
    games: tuple[tuple[int, ...] | None, ...]


def house_name() -> str:
    """Return who plays, and how many games on the cards of a round: scores of one name can be compared."""
    return f"{HOUSE}/{GAMES}"


def house_play(spec: MatchSpec, seed: bytes | Secret, entries: Iterable[bytes]) -> HousePlay:
    """Return what the house scores on the cards of a closed match; twice the same is the same.

    Args:
        spec: the match; a game of it is one round.
        seed: its seed.
        entries: its log, of which only the nonces, and which games were played, are looked at.

    Raises:
        CorruptLogError: an entry cannot be read.
    """
    nonces, dealt = dict[int, bytes | None](), set[int]()
    for entry in entries:
        for record in logbook.records(entry):
            if isinstance(record, NonceRecord):
                nonces.setdefault(record.entrant, record.nonce)
            elif isinstance(record, ActRecord | RoundRecord):
                dealt.add(record.game)
    games = (house_scores(spec, seed, nonces, game) if game in dealt else None for game in range(spec.games))
    return HousePlay(house_name(), tuple(games))


def house_scores(
    spec: MatchSpec, seed: bytes | Secret, nonces: Mapping[int, bytes | None], game: int, count: int = GAMES
) -> tuple[int, ...]:
    """Return the mean score of the house on the cards of a game, in the seat of each entrant, in millionths.

    Args:
        spec: the match.
        seed: its seed.
        nonces: of the entrants, as far as they came.
        game: index of the game in the match.
        count: how many games the house plays; with an odd number scores round to the nearest.
    """
    sums = [0] * len(spec.entrants)
    for number in range(count):
        for entrant, scored in enumerate(halves(spec, house_game(spec, seed, nonces, game, number))):
            sums[entrant] += scored
    most = 2 * count * rivals(spec)
    return tuple((2 * MICRO * total + most) // (2 * most) for total in sums)


def house_game(
    spec: MatchSpec, seed: bytes | Secret, nonces: Mapping[int, bytes | None], game: int, number: int
) -> tuple[int, ...]:
    """Return the places, by entrant, of one game among house bots; `number` is what they decide by."""
    play = MatchPlay(spec, seed)
    for entrant in list(play.missing_nonces):
        play.set_nonce(entrant, nonces.get(entrant))
    bots = [LocalBot(name, Erring(number)) for name in spec.entrants]
    LocalMatch(play, bots).play_one(game)
    result = play.results[game]
    assert result is not None
    return result.ranks


def halves(spec: MatchSpec, ranks: Sequence[int]) -> tuple[int, ...]:
    """Return twice the number of opponents that each entrant was ahead of, ties counting one."""
    teams = spec.format.rules.team_of
    return tuple(
        sum(1 + (rank < other) - (rank > other) for e, other in enumerate(ranks) if teams[e] != teams[entrant])
        for entrant, rank in enumerate(ranks)
    )


def rivals(spec: MatchSpec) -> int:
    """Return how many opponents an entrant has."""
    teams = spec.format.rules.team_of
    return sum(team != teams[0] for team in teams)
