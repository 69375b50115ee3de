"""Moments of recorded games as scenarios: the runner plays them to the same table."""

import json
from random import Random

import pytest

from referee.rules import conformance
from referee.rules.branch import NoSuchMomentError, scenario, until
from referee.rules.games import resolve
from referee.rules.record import RecordedGame
from referee.rules.replay import DivergedError
from tests.rules.playing import AVAILABLE, play, source
from tests.rules.recording import played


@pytest.mark.parametrize("preset", AVAILABLE)
def test_moments_are_scenarios_that_pass(preset: str) -> None:
    """At any act of any round, scores of the rounds before included."""
    record = played(preset, rounds=2)
    for number, one in enumerate(record["rounds"], 1):
        for act in range(0, len(one["acts"]) + 1, 5):
            made = json.loads(json.dumps(scenario(record, number, act)))
            assert conformance.run(made) is None
            assert made["state"]["round_no"] == number


@pytest.mark.parametrize("preset", AVAILABLE)
def test_a_turn_is_told_without_what_led_to_it(preset: str) -> None:
    """Where just a turn is asked, the scenario has the table and no act."""
    record = played(preset)
    found = 0
    for act in range(0, len(record["rounds"][0]["acts"]) + 1, 3):
        *_, step = until(record, 1, act)
        round_ = step.game.round
        if round_.seat >= 0 and round_.kind.name.endswith("TURN"):
            made = scenario(record, 1, act)
            assert "do" not in made or made["do"] == []
            assert made["state"]["turn"] == round_.seat
            found += 1
    assert found


def test_another_way_from_there_is_another_game() -> None:
    """The acts of a fork may be changed: it goes on by the rules."""
    record = played("classic")
    made = scenario(record, 1, 0)
    made["do"] = [{"seat": 1, "act": "DRAW"}]
    made["expect"] = {"hands": [7, 8]}
    assert conformance.run(made) is None


def test_a_false_record_has_no_moments_behind_its_divergence() -> None:
    """Before it, it has."""
    record = played("classic")
    record["rounds"][0]["acts"][9] = {"seat": 0, "act": "KEEP"}
    assert scenario(record, 1, 9)
    with pytest.raises(DivergedError, match="round 1, act 10"):
        scenario(record, 1, 10)


@pytest.mark.parametrize(
    ("number", "act", "field", "allowed"),
    [(0, 0, "round", "1 to 1"), (2, 0, "round", "1 to 1"), (1, 999, "act", "0 to 21 in round 1")],
)
def test_moments_that_are_not_there(number: int, act: int, field: str, allowed: str) -> None:
    """The error says how far the record goes."""
    with pytest.raises(NoSuchMomentError) as caught:
        scenario(played("classic"), number, act)
    assert caught.value.field == field
    assert caught.value.allowed == (allowed,)


def test_after_a_seat_left_a_scenario_begins_with_the_deal() -> None:
    """A table that lacks a seat cannot be told; the acts that led to it can."""
    game = RecordedGame(resolve("classic", {"target_score": 0}, 3), source(1), 2)
    game.round.forfeit(2)
    play(game.round, Random(1))
    game.settle()
    made = scenario(json.loads(json.dumps(game.record())), 1, 12)
    assert made["state"]["start"] == "DEAL"
    assert made["do"][0] == {"seat": 2, "act": "FORFEIT"}
