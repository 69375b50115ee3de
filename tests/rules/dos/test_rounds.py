"""A thousand random rounds of DOS, with options drawn at random: nothing is lost and every round ends."""

from collections import Counter
from random import Random

import pytest

from referee.rules.dos.round import DosRound
from referee.rules.games import resolve
from referee.rules.round import Round
from referee.rules.vocabulary import DecisionKind, RoundEnding
from tests.rules.playing import play, some_options, start

ROUNDS = 1000
NUMBERS = {
    "hand_size": (1, 2, 7, 7, 7, 20),
    "row_min": (1, 2, 2, 3, 5),
    "double_color_draw": (0, 1, 1, 3),
    "call_penalty": (0, 1, 2),
    "max_turns_per_round": (1, 7, 1000),
}


@pytest.mark.slow
def test_random_rounds_conserve_cards_and_end() -> None:
    """Cards, slots, debts and answers are in order before every act; all decisions and endings are met."""
    met = Counter[object]()

    def look(now: Round) -> None:
        assert isinstance(now, DosRound)
        assert now.everything() == now.facts.deck
        assert len(now.slots) == len(now.row)
        assert list(now.slots) == sorted(set(now.slots))
        assert now.next_slot > max(now.slots, default=-1)
        assert (now.bonus > 0) == (now.kind is DecisionKind.DOS_PLACE_BONUS and now.seat >= 0)
        assert now.bonus < len(now.hands[now.turn]) or not now.bonus or not now.dos.mandatory
        assert all(now.hands[seat] for seat in now.seats_in())
        met.update(now.asked.values())

    for seed in range(ROUNDS):
        rng = Random(seed)
        round_ = start(resolve("dos", some_options("dos", rng, NUMBERS), 2 + seed % 3), seed)
        result = play(round_, rng, look).result
        assert result is not None
        assert round_.everything() == round_.facts.deck
        assert sum(points > 0 for points in result.points) <= 1
        assert min(result.points) >= 0
        met[result.ending] += 1
    assert set(met) >= {
        DecisionKind.DOS_TURN,
        DecisionKind.DOS_AFTER_DRAW,
        DecisionKind.DOS_PLACE_BONUS,
        DecisionKind.CALL_WINDOW,
        RoundEnding.OUT,
        RoundEnding.TURN_LIMIT,
    }


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_rounds_of_seats_that_never_match_end_too(seats: int) -> None:
    """Drawing and placing all the time empties the draw pile; then every turn sheds a card (A5)."""
    round_ = start(resolve("dos", {"call_mode": "OFF"}, seats), seats)
    while round_.result is None:
        round_.apply(round_.seat, *round_.default(round_.seat))
    assert round_.result.ending is RoundEnding.OUT
    assert round_.turns < 130
