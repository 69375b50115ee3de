"""Games of several rounds: scores, the end, and places."""

from random import Random
from typing import Any

import pytest

from referee.rules import scoring
from referee.rules.game import Game
from referee.rules.games import resolve
from referee.rules.options import Rules
from referee.rules.scoring import RoundEnd
from referee.rules.vocabulary import MatchEnding, RoundEnding
from tests.rules.playing import play, source


class Ended:
    """A round that is over, with the result that a test wants."""

    def __init__(self, result: RoundEnd) -> None:
        self.result = result
        self.events = bytearray()

    def next_dealer(self) -> int:
        """Whoever."""
        return 0


def counted(rules: Rules, results: list[RoundEnd]) -> Game:
    """A game in which rounds of these results were counted, of which only the last one ends it."""
    game = Game.unbegun(rules, source(1))
    for index, result in enumerate(results):
        assert game.result is None
        game.round_index = index
        game.round = Ended(result)  # type: ignore[assignment]
        game.settle()
    return game


def out(winner: int | None, points: tuple[int, ...], places: tuple[int, ...], left: tuple[int, ...] = ()) -> RoundEnd:
    """The result of a round; `left` are the seats that left."""
    ending = RoundEnding.OUT if winner is not None else RoundEnding.BLOCKED
    return RoundEnd(ending, winner, points, (0,) * len(points), places, left)


@pytest.mark.parametrize(
    ("options", "results", "ending", "places"),
    [
        pytest.param({"rounds": 2}, [out(0, (9, 0), (1, 2)), out(1, (0, 8), (2, 1))], "ROUNDS", (1, 2), id="points"),
        pytest.param(
            {"rounds": 3},
            [out(0, (4, 0, 0), (1, 2, 3)), out(0, (4, 0, 0), (1, 2, 3)), out(1, (0, 8, 0), (3, 1, 2))],
            "ROUNDS",
            (1, 2, 3),
            id="equal points, more rounds won",
        ),
        pytest.param(
            {"rounds": 2},
            [out(0, (8, 0, 0), (1, 2, 3)), out(1, (0, 8, 0), (3, 1, 2))],
            "ROUNDS",
            (1, 1, 3),
            id="a tie for the first place is shared, whatever the last round",
        ),
        pytest.param(
            {"rounds": 2},
            [out(0, (8, 0, 0), (1, 2, 3)), out(0, (8, 0, 0), (1, 3, 2))],
            "ROUNDS",
            (1, 3, 2),
            id="below the first place the last round decides",
        ),
        pytest.param(
            {"target_score": 10, "scoring": "POINTS_LOW"},
            [out(0, (0, 2, 3), (1, 2, 3)), out(0, (0, 10, 1), (1, 3, 2))],
            "TARGET",
            (1, 3, 2),
            id="the lowest total wins",
        ),
        pytest.param(
            {"target_score": 10, "scoring": "POINTS_LOW", "max_rounds": 2},
            [out(0, (0, 12, 0), (1, 3, 1)), out(2, (0, 4, 0), (1, 3, 1))],
            "MAX_ROUNDS",
            (1, 3, 1),
            id="tied for the lowest: another round until the last",
        ),
        pytest.param(
            {"target_score": 50, "max_rounds": 1}, [out(0, (9, 0), (1, 2))], "MAX_ROUNDS", (1, 2), id="rounds run out"
        ),
        pytest.param(
            {"rounds": 1}, [out(None, (0, 0, 0), (2, 1, 3))], "ROUNDS", (2, 1, 3), id="one round has its own places"
        ),
        pytest.param(
            {"target_score": 10},
            [out(0, (4, 0, 0), (1, 2, 3), (2,)), out(1, (0, 30, 0), (2, 1, 3), (2, 0))],
            "FORFEIT",
            (2, 1, 3),
            id="the last seat in the game is first, who left earlier is worse",
        ),
        pytest.param(
            {"rounds": 2},
            [out(2, (0, 0, 30), (2, 3, 1), ()), out(1, (0, 2, 0), (2, 1, 3), (2,))],
            "ROUNDS",
            (2, 1, 3),
            id="a seat that left is last with the most points",
        ),
    ],
)
def test_the_end_of_a_game_and_its_places(
    options: dict[str, Any], results: list[RoundEnd], ending: str, places: tuple[int, ...]
) -> None:
    """Totals, then rounds won, then below the first place the last round (D 8); who left is last (D 15)."""
    rules = resolve("classic", {"target_score": 0, **options}, len(places))
    game = counted(rules, results)
    assert game.result is not None
    assert game.result.ending is MatchEnding[ending]
    assert game.result.places == places
    assert game.result.winners == tuple(seat for seat, place in enumerate(places) if place == 1)
    assert game.result.rounds == len(results)


def test_a_team_shares_points_and_places() -> None:
    """Partners have the same points and the same place; losing teams are ranked by the sum of hands (D 9, D 11)."""
    team_of = (0, 1, 2, 0, 1, 2)
    assert scoring.winner_takes((0, 5, 1, 9, 5, 1), 0, team_of) == (12, 0, 0, 12, 0, 0)
    assert scoring.everybody_adds((0, 5, 1, 9, 5, 1), 0, team_of) == (0, 10, 2, 0, 10, 2)
    assert scoring.round_places((0, 5, 1, 9, 5, 1), 0, (), team_of) == (1, 5, 3, 1, 5, 3)


def test_a_team_is_lost_when_all_its_seats_left() -> None:
    """One partner that left is ranked with the other; a lost team's place comes from the last of them (D 11)."""
    team_of = (0, 1, 0, 1)
    assert scoring.round_places((4, 3, 2, 0), None, (3,), team_of) == (3, 1, 3, 1)
    assert scoring.round_places((4, 3, 2, 0), None, (3, 1), team_of) == (1, 3, 1, 3)
    assert scoring.lost_at((3, 0, 1), team_of) == {1: 2}


def test_nobody_wins_a_blocked_round() -> None:
    """Without a winner nobody scores, but where everybody adds everybody does (D 10)."""
    assert scoring.winner_takes((4, 3), None, (0, 1)) == (0, 0)
    assert scoring.everybody_adds((4, 3), None, (0, 1)) == (4, 3)


def test_a_game_deals_until_it_is_over() -> None:
    """Rounds follow each other with the deal passing to the left, and points add up to the scores."""
    rules = resolve("classic", {"target_score": 100}, 3)
    game = Game(rules, source(4), 2)
    rng = Random(4)
    dealers, totals = [], [0, 0, 0]
    while not game.over:
        dealers.append(game.round.dealer)
        ended = play(game.round, rng).result
        assert ended is not None
        totals = [total + points for total, points in zip(totals, ended.points, strict=True)]
        game.advance()
        assert game.scores == totals
    assert dealers[0] == 2
    assert game.result is not None
    assert game.result.scores == tuple(totals)


def test_the_first_dealer_is_drawn_where_nobody_names_one() -> None:
    """Without a first dealer chance decides."""
    dealers = {Game(resolve("classic", {}, 4), source(seed)).round.dealer for seed in range(40)}
    assert dealers == {0, 1, 2, 3}
