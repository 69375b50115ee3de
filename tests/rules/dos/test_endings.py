"""How a round of DOS ends: the limit of turns, who deals next, a whole game, rulesets that cannot be dealt."""

from random import Random

import pytest

from referee.rules.dos.round import DosRound
from referee.rules.errors import InvalidOptionError, UnknownOptionError
from referee.rules.game import Game
from referee.rules.games import resolve
from referee.rules.scoring import RoundEnd
from referee.rules.vocabulary import MatchEnding, RoundEnding
from tests.rules.dos.tables import act, table
from tests.rules.playing import play, source


def result(round_: DosRound) -> RoundEnd:
    """The result of a round that is over."""
    assert round_.result is not None
    return round_.result


@pytest.mark.parametrize(
    ("second", "winner", "points", "places"),
    [
        pytest.param("B5", 1, (0, 4 + 15, 0), (2, 1, 3), id="the one lowest hand"),
        pytest.param("R9", None, (0, 0, 0), (1, 1, 3), id="a tie for the lowest"),
    ],
)
def test_at_the_limit_the_lowest_hand_wins(
    second: str, winner: int | None, points: tuple[int, ...], places: tuple[int, ...]
) -> None:
    """It scores what each other hand holds more; a tie scores nothing, so that stalling never pays (A6)."""
    round_ = table("G8 B9", second, "W2", draw="", max_turns_per_round=1)
    act(round_, "0 DRAW", "0 PLACE cards=G8")
    ended = result(round_)
    assert (ended.ending, ended.winner) == (RoundEnding.TURN_LIMIT, winner)
    assert (ended.points, ended.places) == (points, places)


def test_at_the_limit_hands_that_left_count_in_full() -> None:
    """A leaver's hand is added to the winner's points (D 12); who left is last."""
    round_ = table("G8 Y6", "B5", "W2", "Y9", draw="", max_turns_per_round=2)
    act(round_, "0 DRAW", "0 PLACE cards=Y6", "3 FORFEIT", "1 DRAW", "1 PLACE cards=Y9")
    ended = result(round_)
    assert (ended.left, ended.winner) == ((8, 5, 20, 9), 1)
    assert (ended.points, ended.places) == ((0, 3 + 15 + 9, 0, 0), (2, 1, 3, 4))


def test_at_the_limit_seats_of_earlier_rounds_do_not_count() -> None:
    """A seat that left before this round holds nothing and takes nothing from the winner."""
    round_ = DosRound(resolve("dos", {"max_turns_per_round": 4}, 3), source(3).round(1), 0, [1])
    while round_.result is None:
        act(round_, f"{min(round_.asked)} DEFAULT")
    ended = result(round_)
    assert ended.winner is not None
    assert sum(ended.points) == abs(ended.left[0] - ended.left[2]) > 0
    assert ended.places[1] == 3


def test_the_last_turn_of_the_limit_is_completed() -> None:
    """Its window happens, and going out in it counts."""
    round_ = table("B3 G9 Y8", "G8", max_turns_per_round=1)
    assert act(round_, "0 MATCH matches=0:B3")["ask"] == {"0": "CALL_WINDOW", "1": "CALL_WINDOW"}
    act(round_, "0 PASS", "1 CATCH")
    assert result(round_).ending is RoundEnding.TURN_LIMIT
    round_ = table("B3", "G8", max_turns_per_round=1)
    act(round_, "0 MATCH matches=0:B3")
    assert result(round_).ending is RoundEnding.OUT


@pytest.mark.parametrize(
    ("options", "dealer"),
    [
        pytest.param({}, 2, id="the winner (000)"),
        pytest.param({"next_dealer": "LEFT"}, 0, id="the seat left of the dealer"),
    ],
)
def test_who_deals_next(options: dict[str, object], dealer: int) -> None:
    """Seat 3 has dealt and seat 2 wins."""
    round_ = table("G9 Y4 G4", "G8 B8 R8", "B3", "Y1", **options)
    act(round_, "0 DRAW", "0 DEFAULT", "1 DRAW", "1 DEFAULT")
    assert round_.dealer == 3
    act(round_, "2 MATCH matches=0:B3")
    assert round_.next_dealer() == dealer


def test_without_a_winner_the_deal_passes_to_the_left() -> None:
    """Seat 0 has dealt, seat 1 left, and seats 2 and 3 tie for the lowest hand at the limit (D 13)."""
    round_ = table("W2", "G8", "R9", "G9", draw="", max_turns_per_round=2, turn=1)
    act(round_, "1 FORFEIT", "2 DRAW", "2 PLACE cards=G8")
    assert round_.dealer == 0
    assert result(round_).winner is None
    assert round_.next_dealer() == 2


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_game_goes_to_its_target(seats: int) -> None:
    """The first total of at least the target ends it, and nobody can tie: one seat scores a round."""
    game = Game(resolve("dos", {"target_score": 120}, seats), source(seats), 0)
    rng = Random(seats)
    while not game.over:
        before = max(game.scores)
        play(game.round, rng)
        assert before < 120
        game.advance()
    assert game.result is not None
    if game.result.ending is MatchEnding.TARGET:
        assert max(game.scores) >= 120
        assert game.result.winners == (game.scores.index(max(game.scores)),)


@pytest.mark.parametrize(
    ("seats", "options", "message"),
    [
        pytest.param(4, {"hand_size": 27}, "1 to 26 with 4 seats", id="hands larger than the deck"),
        pytest.param(
            4, {"hand_size": 26, "row_min": 5}, "1 to 25 with 4 seats and row_min 5", id="no cards for the row"
        ),
        pytest.param(3, {"row_min": 106}, "1 to 105 with 3 seats", id="no cards for hands"),
        pytest.param(5, {}, "2 to 4", id="five seats"),
        pytest.param(2, {"row_min": 0}, "a whole number from 1", id="no row"),
        pytest.param(2, {"wild_points": [20]}, "a list of 2 whole numbers from 0: W2, #", id="points of one wild"),
        pytest.param(2, {"final_draw": "NEVER"}, "DOUBLE_ONLY, ANY_COLOR", id="no such word"),
    ],
)
def test_rulesets_that_cannot_be_played_are_refused(seats: int, options: dict[str, object], message: str) -> None:
    """The error says what is allowed."""
    with pytest.raises(InvalidOptionError, match=message.replace("(", r"\(")):
        resolve("dos", options, seats)


@pytest.mark.parametrize(
    ("seats", "options"),
    [(4, {"hand_size": 26}), (4, {"hand_size": 26, "row_min": 4}), (3, {"hand_size": 1, "row_min": 105})],
)
def test_the_largest_deals_are_played(seats: int, options: dict[str, object]) -> None:
    """The whole deck may be dealt; then there is nothing to draw, and the round ends all the same."""
    round_ = DosRound(resolve("dos", options, seats), source(seats).round(0), 0)
    assert len(round_.everything()) == 108
    assert play(round_, Random(1)).result is not None


def test_dos_has_no_teams() -> None:
    """An option of other games is unknown here."""
    with pytest.raises(UnknownOptionError, match="row_min"):
        resolve("dos", {"team_of": [0, 1, 0, 1]}, 4)
