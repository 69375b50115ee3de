"""What a count of scores says: the reference, and what can be told from nothing or everything."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ladder.scoreline import Scoreline, elo_of, percent, score_of
from tests.ladder.reference import reference

REFERENCE = reference("ref_los")
GAMES = [pytest.param(row, id=f"{row['wins']}-{row['draws']}-{row['losses']}") for row in REFERENCE["wdl"]]
PAIRS = [pytest.param(row, id="-".join(map(str, row["counts_LL_LD_split_WD_WW"]))) for row in REFERENCE["pentanomial"]]


@pytest.mark.parametrize("row", GAMES)
def test_games_equal_the_reference(row: dict[str, float]) -> None:
    """Score, variance, Elo with interval, and likelihood of superiority."""
    line = Scoreline.counted((int(row["losses"]), int(row["draws"]), int(row["wins"])))
    assert line.score == pytest.approx(row["score"], abs=1e-12)
    assert line.variance == pytest.approx(row["var"], abs=1e-12)
    assert line.elo == (None if row["elo"] is None else pytest.approx(row["elo"], abs=1e-9))
    assert line.los == (None if row["los_normal"] is None else pytest.approx(row["los_normal"], abs=1e-12))
    assert line.interval == (None if row["elo_ci95"] is None else pytest.approx(row["elo_ci95"], abs=1e-9))


@pytest.mark.parametrize("row", PAIRS)
def test_pairs_equal_the_reference(row: dict[str, list[int] | float]) -> None:
    """Counted by pair, the spread is that of pairs."""
    counts = row["counts_LL_LD_split_WD_WW"]
    assert isinstance(counts, list)
    line = Scoreline.counted(counts)
    assert line.score == pytest.approx(row["score"], abs=1e-12)
    assert line.variance == pytest.approx(row["var_per_pair"], abs=1e-12)
    assert line.elo == pytest.approx(row["elo"], abs=1e-9)
    assert line.los == pytest.approx(row["los"], abs=1e-12)
    assert line.ci95 == pytest.approx(row["elo_err95"], abs=1e-9)


@given(st.floats(-900, 900))
def test_elo_and_score_are_inverse(elo: float) -> None:
    """In both directions."""
    assert elo_of(score_of(elo)) == pytest.approx(elo, abs=1e-6)
    assert score_of(elo) + score_of(-elo) == pytest.approx(1)


@pytest.mark.parametrize(
    ("counts", "score"),
    [
        pytest.param((0, 0, 0), 0.5, id="nothing was played"),
        pytest.param((7, 0, 0), 0.0, id="everything was lost"),
        pytest.param((0, 0, 0, 0, 9), 1.0, id="everything was won"),
    ],
)
def test_what_cannot_be_told_is_none(counts: tuple[int, ...], score: float) -> None:
    """No strength and no interval follows from it."""
    line = Scoreline.counted(counts)
    assert line.score == score
    assert (line.elo, line.interval, line.ci95, line.los) == (None, None, None, None)


def test_an_interval_may_have_no_end() -> None:
    """One loss in a few games: the other side may be as strong as it likes."""
    line = Scoreline.counted((1, 0, 9))
    assert line.interval is not None
    assert math.isinf(line.interval[1])
    assert line.ci95 is None


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        pytest.param(0.999993, ">99.9%", id="nearly sure"),
        pytest.param(0.0001, "<0.1%", id="hardly"),
        pytest.param(0.999, "99.9%", id="as sure as is said"),
        pytest.param(0.001, "0.1%", id="as unsure"),
        pytest.param(0.5, "50.0%", id="even"),
        pytest.param(None, "-", id="nobody knows"),
    ],
)
def test_a_likelihood_is_never_told_as_certain(chance: float | None, words: str) -> None:
    """However many games were played."""
    assert percent(chance) == words
