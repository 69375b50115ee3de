"""Forecasts of rounds that are not over, and what ends are worth."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from referee import formats
from referee.bots.search import features
from referee.bots.search.goal import Goal
from referee.bots.search.outlook import LOOKS, MORE, WEIGHTS, Outlook
from referee.bots.search.player import player_of
from referee.rules.presets import PRESETS
from referee.rules.round import Round
from referee.rules.scoring import RoundEnd
from referee.rules.vocabulary import RoundEnding
from tests.rules.playing import start

FORMATS = ("uno-classic-2", "uno-classic-4", "uno-house-2", "uno-official-4", "spin-4", "dos-2", "dos-4", "duo")


def test_every_preset_has_weights_for_what_counts_in_it() -> None:
    """For two seats, and for more where so many can play."""
    assert set(LOOKS) == set(PRESETS)
    for (preset, seats), weights in WEIGHTS.items():
        names = features.FAMILY if LOOKS[preset].features is features.family else features.MATCHING
        assert len(weights) == len(names)
        assert seats in {2, MORE}


def played(name: str, seed: int) -> Round:
    """Return a round of a format that is not over yet, in the middle of a turn."""
    rules = formats.get(name).rules
    player = player_of(rules)
    round_ = start(rules, seed)
    turns = Random(seed).randrange(2, 8)
    while round_.result is None and (round_.turns < turns or round_.kind is not round_.TURN_KIND or round_.seat < 0):
        seat = round_.seat if round_.seat >= 0 else next(iter(round_.asked))
        round_.apply(seat, *player(round_, seat, round_.options(seat)))
    return round_


@pytest.mark.parametrize("name", FORMATS)
def test_forecasts_are_chances(name: str) -> None:
    """Of two seats they add up to one; of all seats half of the pairs are won."""
    rules = formats.get(name).rules
    for seed in range(20):
        round_ = played(name, seed)
        if round_.result is None:
            found = [Outlook(rules.preset, seat, rules.team_of).value(round_) for seat in range(rules.seats)]
            assert all(0 <= value <= 1 for value in found)
            assert sum(found) == pytest.approx(rules.seats / 2)


@pytest.mark.parametrize("name", ["uno-classic-2", "dos-2", "duo", "spin-2"])
def test_forecasts_come_true_more_often_than_not(name: str) -> None:
    """They are nearer to the end than an even guess."""
    rules = formats.get(name).rules
    player = player_of(rules)
    errors: list[float] = []
    for seed in range(250):
        round_ = played(name, seed)
        if round_.result is not None:
            continue
        value = Outlook(rules.preset, 0, rules.team_of).value(round_)
        while round_.result is None:
            seat = round_.seat if round_.seat >= 0 else next(iter(round_.asked))
            round_.apply(seat, *player(round_, seat, round_.options(seat)))
        errors.append((value - (round_.result.winner == 0)) ** 2)
    print(f"{name}: mean square {sum(errors) / len(errors):.3f}")
    assert sum(errors) / len(errors) < 0.245


def test_a_team_is_as_strong_as_both_its_hands() -> None:
    """A partner who is nearly out is worth as much as being so oneself."""
    rules = formats.get("uno-pairs-4").rules
    round_ = played("uno-pairs-4", 3)
    before = Outlook(rules.preset, 0, rules.team_of).value(round_)
    partner = 2
    assert rules.team_of[0] == rules.team_of[partner]
    del round_.hands[partner][1:]
    round_.masks[partner] = 1 << round_.hands[partner][0]
    assert Outlook(rules.preset, 0, rules.team_of).value(round_) > before


def test_whoever_left_is_behind() -> None:
    """Surely."""
    rules = formats.get("uno-classic-2").rules
    round_ = played("uno-classic-2", 1)
    round_.out.append(1)
    assert Outlook(rules.preset, 0, rules.team_of).value(round_) == pytest.approx(1)


def result(places: tuple[int, ...], points: tuple[int, ...] = ()) -> RoundEnd:
    """Return how a round ended."""
    zeros = (0,) * len(places)
    return RoundEnd(RoundEnding.OUT, places.index(1), points or zeros, zeros, places, ())


@pytest.mark.parametrize(
    ("name", "places", "value"),
    [
        pytest.param("uno-classic-2", (1, 2), 1.0, id="won"),
        pytest.param("uno-classic-2", (2, 1), 0.0, id="lost"),
        pytest.param("uno-classic-4", (2, 1, 4, 2), 0.5, id="one behind, one level"),
        pytest.param("uno-pairs-4", (2, 1, 2, 1), 0.0, id="lost with a partner"),
    ],
)
def test_a_round_is_worth_the_opponents_that_are_behind(name: str, places: tuple[int, ...], value: float) -> None:
    """A partner is none."""
    assert Goal(formats.get(name), 0, (0,) * len(places)).value(result(places)) == value


def test_in_a_game_to_a_target_a_lead_counts_until_the_target_is_reached() -> None:
    """In Duo the lower total is ahead."""
    long, low = formats.get("uno-classic-500-2"), formats.get("duo-200")
    ahead = Goal(long, 0, (200, 100)).value(result((1, 2), (50, 0)))
    assert 0.5 < ahead < 1
    assert Goal(long, 0, (480, 100)).value(result((1, 2), (50, 0))) == 1.0
    assert Goal(long, 1, (480, 100)).value(result((1, 2), (50, 0))) == 0.0
    assert Goal(low, 0, (10, 90)).value(result((1, 2), (0, 20))) > 0.5
    assert Goal(low, 0, (190, 90)).value(result((2, 1), (20, 0))) == 0.0


def test_only_games_of_one_round_are_forecast() -> None:
    """Of a longer game the points are wanted, and with rules that have no weights nothing is known."""
    classic = formats.get("uno-classic-2")
    assert Goal(classic, 0, (0, 0)).turns < Goal(formats.get("uno-classic-500-2"), 0, (0, 0)).turns
    other = replace(classic, rules=replace(classic.rules, preset="unheard-of"))
    assert Goal(other, 0, (0, 0)).turns > 1000
