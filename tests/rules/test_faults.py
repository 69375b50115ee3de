"""Faults that nothing else would notice: each of these tests kills a mutant that had survived (docs/mutation.md)."""

from random import Random

import pytest

from referee.rules.game import Game
from referee.rules.games import resolve
from referee.rules.scoring import round_places
from referee.rules.vocabulary import EventKind
from tests.rules.family import act, table
from tests.rules.playing import play, source
from tests.rules.watching import public


def test_a_penalty_is_not_drawn_until_something_fits() -> None:
    """Where turns draw until a card fits, who owes two draws two, also if the first of them fits (C22)."""
    round_ = table("classic", "RD R1 R2", "Y1 Y2", draw="R5 R6 R7 R8", draw_until_max=5)
    assert act(round_, "0 PLAY RD")["hands"] == [2, 4]


def test_of_those_that_left_the_earlier_is_the_worse() -> None:
    """Places of a round: the winner, who stayed, who left last, who left first (D 9)."""
    assert round_places((5, 6, 7, 0), 3, [1, 0], (0, 1, 2, 3)) == (3, 4, 2, 1)
    assert round_places((5, 6, 7, 0), 3, [0, 1], (0, 1, 2, 3)) == (4, 3, 2, 1)


@pytest.mark.parametrize("seed", range(3))
def test_a_round_is_won_by_both_partners(seed: int) -> None:
    """Rounds won, which decide between equal totals, are those of the team (D 8, D 11)."""
    game = Game(resolve("classic", {"target_score": 0, "rounds": 3, "team_of": [0, 1, 0, 1]}, 4), source(seed), 3)
    play(game.round, Random(seed))
    game.settle()
    assert game.last is not None
    assert game.last.winner is not None
    assert game.rounds_won == [int(seat % 2 == game.last.winner % 2) for seat in range(4)]


@pytest.mark.parametrize(("dealer", "seats"), [(0, [1, 2, 0]), (1, [2, 0, 1]), (2, [0, 1, 2])])
def test_cards_are_dealt_from_the_left_of_the_dealer(dealer: int, seats: list[int]) -> None:
    """So it is told, too."""
    game = Game(resolve("classic", {}, 3), source(1), dealer)
    events = public(game.round)
    assert [seat for kind, seat in zip(events.kind, events.seat, strict=True) if kind == EventKind.DEALT] == seats
