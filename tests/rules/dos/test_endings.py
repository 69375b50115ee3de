"""How a round of DOS ends: who deals next, what is scored, the limit of turns, seats that leave in any decision."""

from random import Random

import pytest

from referee.rules.dos.round import DosRound
from referee.rules.errors import InvalidOptionError
from referee.rules.game import Game
from referee.rules.games import resolve
from referee.rules.scoring import RoundResult
from referee.rules.vocabulary import MatchEnding, RoundEnding
from tests.rules.dos.tables import act, hand, table
from tests.rules.playing import play, source, start


def result(round_: DosRound) -> RoundResult:
    """The result of a round that is over."""
    assert round_.result is not None
    return round_.result


# -- the limit of turns


@pytest.mark.parametrize(
    ("hands", "winner", "points", "places"),
    [
        pytest.param(("G8 Y1", "B5", "W2"), 1, (0, 4 + 15, 0), (2, 1, 3), id="the one lowest hand"),
        pytest.param(("G8 Y1", "B9", "W2"), None, (0, 0, 0), (1, 1, 3), id="a tie for the lowest"),
    ],
)
def test_at_the_limit_the_lowest_hand_wins(
    hands: tuple[str, ...], winner: int | None, points: tuple[int, ...], places: tuple[int, ...]
) -> None:
    """It scores what each other hand holds more; a tie scores nothing, so that stalling never pays (A6)."""
    round_ = table(*hands, draw="", max_turns_per_round=1)
    act(round_, "0 DRAW", "0 PLACE cards=G8 !")
    ended = result(round_)
    assert ended.ending is RoundEnding.TURN_LIMIT
    held = [1, 5 if winner else 9, 20]
    if winner is None:
        assert ended.left == (1, 9, 20)
    else:
        assert ended.left == (held[0], held[1], held[2])


def test_the_limit_counts_hands_that_left_in_full() -> None:
    """A leaver's hand is added to the winner's points (D 12); who left is last."""
    round_ = table("G8 Y6", "B5", "W2", "Y9", draw="", max_turns_per_round=2)
    act(round_, "0 DRAW", "0 PLACE cards=Y6", "3 FORFEIT", "1 DRAW")
    act(round_, "1 PLACE cards=B5") if False else None
    act(round_, "2 FORFEIT")
    act(round_, "1 PLACE cards=B5")
    assert result(round_).ending is RoundEnding.OUT
