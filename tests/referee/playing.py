"""Plays matches without a network, for tests: random legal answers, every record kept."""

from collections.abc import Callable
from random import Random

from referee import formats
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.table import Table

SEED = bytes(range(32))
CALLED = 32


def spec(name: str = "uno-classic-2", meetings: int = 2, *, with_nonces: bool = False) -> MatchSpec:
    """Return a match of this format between bots a@1, b@1 and so on."""
    played = formats.get(name)
    entrants = tuple(f"{chr(97 + n)}@1" for n in range(played.seats))
    return MatchSpec("cup.1.1.0", played, entrants, meetings, with_nonces)


def play_game(play: MatchPlay, game: int, rng: Random, see: Callable[[Table], None] = lambda _table: None) -> bytes:
    """Play one game to its end with random answers; `see` looks at the table before each. Returns the records."""
    table = play.start(game)
    log = b""
    while game in play.tables:
        if table.round_over:
            log += play.end_round(table)
            continue
        see(table)
        seat = rng.choice(sorted(table.round.asked))
        pick = int(rng.random() * max(1, len(table.round.options(seat)) - 1))
        log += play.act(table, seat, pick, CALLED if rng.random() < 0.8 else 0, 0, 0, rng.randrange(200))
    return log


def play_match(chosen: MatchSpec, seed: int = 1) -> tuple[MatchPlay, list[bytes]]:
    """Play a match to its end; returns it with its log, one entry a game and the closing."""
    rng = Random(seed)
    play = MatchPlay(chosen, SEED)
    entries = []
    if chosen.with_nonces:
        entries.append(b"".join(play.set_nonce(e, rng.randbytes(16)) for e in range(len(chosen.entrants))))
    entries += [play_game(play, game, rng) for game in range(chosen.games)]
    entries.append(play.close()[0])
    return play, entries
