"""What ratings do not explain: its deviation is one where they explain all, whatever games have in common."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray

from ladder.bradley_terry import Outcomes, fit
from ladder.residuals import deviations
from ladder.scoreline import score_of

ELO = np.array([0.0, 20.0, -30.0, 60.0, 10.0, -60.0, 35.0, -35.0])
Z = NDArray[np.float64]


def played(
    chance: np.random.Generator, bots: int, meetings: int, together: float, circle: float = 0.0, apart: float = 1.0
) -> Outcomes:
    """Return a round robin of two seats; the two games of a meeting are won by chance that hangs together so much.

    Args:
        chance: Decides.
        bots: Of different strengths.
        meetings: Of each pair.
        together: Correlation of the two games: about -0.5 on one deal, 0 on fresh ones.
        circle: Score by which each of the first three is better against one of the others, and worse against another.
        apart: Their strengths are so many times `ELO`.
    """
    pairs, scores = [*combinations(range(bots), 2)], []
    for a, b in pairs:
        score = score_of(apart * float(ELO[a] - ELO[b]))
        score += circle * {(0, 1): 1, (1, 2): 1, (0, 2): -1}.get((a, b), 0)
        both = score**2 + together * score * (1 - score)
        scores.append(chance.choice(3, meetings, p=[1 - 2 * score + both, 2 * (score - both), both]))
    one, other = np.repeat(np.array(pairs), meetings, axis=0).T
    numbers = np.arange(len(one))
    names = tuple(f"b{number}" for number in range(bots))
    return Outcomes.from_arrays(
        names, numbers, one, other, np.concatenate(scores).astype(float), np.full(len(one), 2.0)
    )


def four_seats(chance: np.random.Generator, legs: int) -> Outcomes:
    """Return meetings of four games at four seats; whoever has a good meeting has it in all games."""
    found = Outcomes(tuple(f"b{number}" for number in range(8)))
    for _ in range(legs):
        seated = chance.permutation(8)
        for table in (seated[:4], seated[4:]):
            fate = ELO[table] / 150 + chance.gumbel(size=4)
            games = [tuple((-(fate + chance.gumbel(size=4))).argsort().argsort() + 1) for _ in range(4)]
            found.add([f"b{one}" for one in table], games)
    return found


def z_of(outcomes: Outcomes) -> Z:
    return np.array(deviations([*combinations(outcomes.bots, 2)], fit(outcomes), outcomes))


@pytest.mark.parametrize(
    ("bots", "meetings", "together"),
    [
        pytest.param(8, 50, -0.5, id="mirrored"),
        pytest.param(8, 50, 0.0, id="fresh"),
        pytest.param(8, 50, 0.3, id="a bad day lasts a meeting"),
        pytest.param(4, 20, -0.5, id="few bots, mirrored"),
        pytest.param(8, 3, -0.5, id="few meetings, mirrored"),
    ],
)
def test_its_deviation_is_one_where_strengths_explain_all(bots: int, meetings: int, together: float) -> None:
    """Over some tournaments; and no more than one pair in a hundred is flagged. Seed 7."""
    chance = np.random.default_rng(7)
    found = np.concatenate([z_of(played(chance, bots, meetings, together)) for _ in range(480 // bots)])
    assert abs(found.mean()) < 0.05
    assert found.std() == pytest.approx(1.0, abs=0.06)
    assert np.mean(np.abs(found) > 3) < 0.01


def test_its_deviation_is_one_at_four_seats() -> None:
    """Where the games of a meeting hang together, and a meeting decides six pairs at once. Seed 8."""
    chance = np.random.default_rng(8)
    found = np.concatenate([z_of(four_seats(chance, 40)) for _ in range(40)])
    assert found.std() == pytest.approx(1.0, abs=0.06)
    assert np.mean(np.abs(found) > 3) < 0.01


def test_a_circle_is_found_on_mirrored_deals() -> None:
    """Three bots, each 12 % better against the next one, are flagged mostly; by independent games seldom. Seed 9."""
    chance, circle = np.random.default_rng(9), [("b0", "b1"), ("b1", "b2"), ("b0", "b2")]
    found, independent = [], []
    for _ in range(60):
        outcomes = played(chance, 8, 50, -0.5, circle=0.12, apart=0.0)
        fitted = fit(outcomes)
        found.append(max(map(abs, deviations(circle, fitted, outcomes))))
        _, one, other, score, _ = outcomes.columns()
        expected = np.array([fitted.expected(a, b) for a, b in circle])
        mean = np.array([score[(one == int(a[1])) & (other == int(b[1]))].sum() / 100 for a, b in circle])
        independent.append(np.abs((mean - expected) / np.sqrt(expected * (1 - expected) / 100)).max())
    assert np.mean(np.array(found) > 3) > 0.8
    assert np.mean(np.array(independent) > 3) < 0.5


def test_a_pair_is_turned_round_with_its_sign() -> None:
    """`b` against `a` is as far below as `a` against `b` is above. Seed 10."""
    outcomes = played(np.random.default_rng(10), 4, 10, 0.0)
    there, back = (deviations([pair], fit(outcomes), outcomes)[0] for pair in (("b0", "b1"), ("b1", "b0")))
    assert there == -back != 0.0


def test_what_each_pair_alone_decides_is_always_explained() -> None:
    """In a gauntlet a rating follows from the games of its pair, so no score is odd; nor is one of no games."""
    outcomes = Outcomes(("a", "b", "c"))
    for _ in range(20):
        outcomes.add(("a", "b"), [(1, 2), (1, 2)])
        outcomes.add(("a", "c"), [(1, 2), (2, 1)])
    assert deviations([("a", "b"), ("a", "c"), ("b", "c")], fit(outcomes), outcomes) == [0.0] * 3
    assert deviations([("a", "b")], fit(Outcomes(("a", "b"))), Outcomes(("a", "b"))) == [0.0]


def test_luck_that_is_taken_out_of_ratings_is_still_in_the_score() -> None:
    """Ratings that know the luck of the games make the residual no wider than it is: deviation one. Seed 11."""
    chance, found = np.random.default_rng(11), []
    for _ in range(60):
        raw = played(chance, 8, 30, 0.0)
        meeting, one, other, score, games = raw.columns()
        expected = np.array([score_of(elo) for elo in ELO[one] - ELO[other]])
        luck = 0.5 * (score - games * expected) + chance.normal(0, 0.3, len(score))
        taken = Outcomes.from_arrays(raw.bots, meeting, one, other, score - luck, games)
        found += deviations([*combinations(raw.bots, 2)], fit(taken), raw, taken)
    assert np.std(found) == pytest.approx(1.0, abs=0.06)


@pytest.mark.parametrize("meetings", [2, 5, 50])
def test_who_wins_everything_is_no_miracle(meetings: int) -> None:
    """Against one that loses all of its games, and against one that now and then wins elsewhere."""
    found = Outcomes(("good", "fair", "gone"))
    for number in range(meetings):
        found.add(["good", "fair"], [(1, 2), (2, 1) if number % 2 else (1, 2)])
        found.add(["good", "gone"], [(1, 2), (1, 2)])
        found.add(["fair", "gone"], [(1, 2), (1, 2)])
    assert max(map(abs, z_of(found))) < 1.5
    for number in range(meetings):
        found.add(["fair", "gone"], [(1, 2), (2, 1) if number == 0 else (1, 2)])
    assert max(map(abs, z_of(found))) < 1.5
