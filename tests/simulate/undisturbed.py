"""A match as it goes when nothing goes wrong: no clock, no network, no log, the same seed and the same bots."""

from dataclasses import dataclass
from typing import TypeAlias

from lastcard.history import History, Match
from lastcard.secret import Secret
from referee.local.local_bot import ask
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.table import Table
from tests.simulate.choice import choose

CALLED = 32
Answers: TypeAlias = dict[tuple[int, int], list[int | tuple[int, ...]]]
"""By game and seat: the picks, one after the other."""


@dataclass(frozen=True, slots=True)
class Course:
    """How a match went.

    Attributes:
        answers: what each seat answered, game by game.
        digests: of the states at the ends of the rounds, by game.
    """

    answers: Answers
    digests: dict[int, list[bytes]]


def undisturbed(
    spec: MatchSpec, seed: Secret, nonces: dict[int, bytes | None], orders: dict[int, tuple[int, int, int]]
) -> Course:
    """Play a match of steady bots.

    Args:
        spec: the match.
        seed: its seed.
        nonces: by entrant.
        orders: standing orders by entrant.
    """
    play = MatchPlay(spec, seed)
    for entrant in play.missing_nonces:
        play.set_nonce(entrant, nonces[entrant])
    course = Course({}, {})
    for game in range(spec.games):
        table = play.start(game)
        while game in play.tables:
            if table.round_over:
                course.digests.setdefault(game, []).append(table.round.digest())
                play.end_round(table)
            else:
                _answer(play, table, orders, course)
    return course


def _answer(play: MatchPlay, table: Table, orders: dict[int, tuple[int, int, int]], course: Course) -> None:
    spec, current = play.spec, table.round
    seat = min(current.asked)
    entrant = spec.seating(table.index)[seat]
    turn = ask(current, seat, History("", seat, Match(format=spec.format.name)), spec.format.clock)
    key = f"{spec.entrants[entrant]}|{round_id(spec, table)}|{current.asked_at}|"
    picked = choose(turn.view, spec.format.name, key, orders[entrant])
    picks = picked.picks[0] if len(picked.picks) == 1 else picked.picks
    flags = picked.color | (CALLED if picked.call else 0)
    course.answers.setdefault((table.index, seat), []).append(picks)
    play.act(table, seat, picks, flags, 0, 0, 0)


def round_id(spec: MatchSpec, table: Table) -> str:
    """Return `<match>/<meeting>/<game>/<round>`."""
    meeting, game = divmod(table.index, len(spec.entrants))
    return f"{spec.id}/{meeting}/{game}/{table.game.round_index}"
