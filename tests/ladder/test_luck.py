"""Luck as numbers: centred, weighed, taken out of scores without changing what they sum to."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.bradley_terry import Outcomes, fit
from ladder.luck import BadCorrectionError, Correction, centred, weights

MICRO = 1_000_000
TAKEN = Correction("uno-classic-2", "r" * 16, {"f1": 0.5, "l3": 0.25}, 100)
TEAMS = st.sampled_from([None, (0, 1), (0, 1, 2), (0, 1, 0, 1), (0, 0, 1, 1)])


def test_partners_share_their_luck_and_the_table_has_none() -> None:
    """4, 1, 2, 1 in seats 0 to 3, teams 0 and 2 against 1 and 3."""
    given_ = [[4 * MICRO], [MICRO], [2 * MICRO], [MICRO]]
    assert centred(given_, (0, 1, 0, 1)) == [[1.0], [-1.0], [1.0], [-1.0]]


def test_alone_everybody_has_luck_of_its_own() -> None:
    """The mean of the table is taken off."""
    assert centred([[3 * MICRO], [0], [0]]) == [[2.0], [-1.0], [-1.0]]


@given(TEAMS, st.data())
def test_luck_sums_to_zero(teams: Sequence[int] | None, data: st.DataObject) -> None:
    """Over every table, with and without teams; partners have the same."""
    seats = 3 if teams is None else len(teams)
    amounts = st.lists(st.integers(-5 * MICRO, 5 * MICRO), min_size=2, max_size=2)
    luck = TAKEN.luck(data.draw(st.lists(amounts, min_size=seats, max_size=seats)), teams)
    assert sum(luck) == pytest.approx(0, abs=1e-9)
    for team in set(teams or ()):
        assert len({round(luck[seat], 9) for seat in range(seats) if teams and teams[seat] == team}) == 1


@given(TEAMS, st.data())
def test_taking_luck_out_keeps_sums_of_scores(teams: Sequence[int] | None, data: st.DataObject) -> None:
    """A table gives as many points as before, and an entrant's mean score is lower by just its luck."""
    seats = 3 if teams is None else len(teams)
    bots = [f"b{seat}" for seat in range(seats)]
    amounts = st.lists(st.integers(-MICRO, MICRO), min_size=2, max_size=2)
    luck = TAKEN.luck(data.draw(st.lists(amounts, min_size=seats, max_size=seats)), teams)
    places = data.draw(st.permutations(range(1, seats + 1)))
    raw, corrected = Outcomes(bots), Outcomes(bots)
    raw.add(bots, [places], teams)
    corrected.add(bots, [places], teams, luck)
    scores = [_scores(outcomes, seats) for outcomes in (raw, corrected)]
    rivals = [sum(teams is None or teams[k] != teams[seat] for k in range(seats) if k != seat) for seat in range(seats)]
    for seat in range(seats):
        assert scores[1][seat] == pytest.approx(scores[0][seat] - rivals[seat] * luck[seat], abs=1e-9)


def _scores(outcomes: Outcomes, seats: int) -> list[float]:
    """Return by entrant the sum of its scores against its opponents."""
    _, one, other, score, games = outcomes.columns()
    sums = np.bincount(one, score, seats) + np.bincount(other, games - score, seats)
    return [float(value) for value in sums]


def test_a_file_of_weights_reads_as_it_was_written() -> None:
    """Names, weights and version."""
    assert Correction.of(TAKEN.text()) == TAKEN
    assert TAKEN.terms == ("f1", "l3")


def test_other_weights_are_another_version() -> None:
    """The version names what is computed, and nothing else."""
    assert Correction("x", "y", {"f1": 0.5, "l3": 0.25}, 7).version == TAKEN.version
    others = [{"f1": 0.5, "l3": 0.26}, {"l3": 0.25, "f1": 0.5}, {"f1": 0.5, "l2": 0.25}, {"f1": 0.5}]
    assert len({Correction("x", "y", beta).version for beta in others} | {TAKEN.version}) == 5


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("[]", id="a list"),
        pytest.param('{"name": "x"}', id="half of it"),
        pytest.param(json.dumps(json.loads(TAKEN.text()) | {"beta": {"f1": 1.0, "l3": 0.25}}), id="changed weights"),
        pytest.param(json.dumps(json.loads(TAKEN.text()) | {"beta": {"f1": "much"}}), id="weights in words"),
    ],
)
def test_a_file_that_is_not_what_it_says_is_refused(text: str) -> None:
    """Whoever changes weights must say so by their version."""
    with pytest.raises(BadCorrectionError):
        Correction.of(text)


def test_weights_are_found_again() -> None:
    """Least squares on surprises that luck explains, beside noise: 20,000 rounds, seed 1."""
    chance = np.random.default_rng(1)
    gifts = chance.normal(0, 1, (20_000, 3))
    surprises = gifts @ np.array([0.2, 0.0, -0.1]) + chance.normal(0, 0.4, 20_000)
    assert weights(gifts, surprises) == pytest.approx([0.2, 0.0, -0.1], abs=0.01)


def test_luck_taken_out_makes_intervals_narrower() -> None:
    """Scores that are mostly luck: what is left tells the ratings with a third of the variance. Seed 2."""
    chance = np.random.default_rng(2)
    raw, corrected = Outcomes("ab"), Outcomes("ab")
    for _ in range(2000):
        luck = float(chance.choice([-0.4, 0.4]))
        won = chance.random() < 0.55 + luck
        places = [[1, 2] if won else [2, 1]]
        raw.add("ab", places)
        corrected.add("ab", places, None, [luck, -luck])
    one, other = fit(corrected), fit(raw)
    assert one.ci95("a") < 0.65 * other.ci95("a")
    assert one.elo["a"] - one.elo["b"] == pytest.approx(35, abs=one.difference("a", "b")[1] * 1.5)


def test_the_luck_of_a_match_takes_its_terms_by_name() -> None:
    """Terms that have no weight are left out, their order does not matter, and without a term there is no luck."""
    games = [((40_000, 7, 0), (0, 7, 80_000)), None]
    found = TAKEN.of_match(("f1", "l9", "l3"), games, None)
    assert found is not None
    assert found[0] == pytest.approx([0.0, 0.0])
    assert found[1] is None
    turned = TAKEN.of_match(("l3", "f1"), [((0, 40_000), (0, 0))], None)
    assert turned is not None
    assert turned[0] == pytest.approx([0.01, -0.01])
    assert TAKEN.of_match(("f1",), [((0,), (0,))], None) is None
