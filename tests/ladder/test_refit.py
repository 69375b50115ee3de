"""Weights that a ladder fits on its own rounds: what they are, when, and whether house games join them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from ladder.house import HouseScores, HouseTable, UsualScores
from ladder.luck import HOUSE_TERM, Correction
from ladder.refit import GAIN, Played, Refit, Schedule, refit
from ladder.results import MatchResult
from ladder.timeline import Change, Timeline

pytestmark = pytest.mark.slow

MICRO = 1_000_000
USUAL = UsualScores("careful-1/16", (0.52, 0.48))
SHIPPED = Correction("uno-classic-2", "r" * 16, {"f1": 0.02, "l3": 0.1}, 20_000)
TRUE = {"f1": 0.20, "l3": 0.10}
SCHEDULE = Schedule((400, 1_200), 400)


def ladder(rounds: int, *, seed: int = 1, of_house: float = 0.0, housed: bool = True) -> list[Played]:
    """Simulate matches of four games between four equal bots, whose results follow luck; `of_house`: its weight."""
    chance = np.random.default_rng(seed)
    played = []
    for number in range(rounds // 4):
        one, other = chance.choice(4, 2, replace=False).tolist()
        gifts, scores, ranks = [], [], []
        for game in range(4):
            given = chance.normal(0, 1, (2, 2))
            more = float(chance.normal(0, 0.3))
            pull = sum(w * (given[0][t] - given[1][t]) for t, w in enumerate(TRUE.values())) / 2 + of_house * more
            won = chance.random() < 0.5 + pull
            ranks.append((1, 2) if won else (2, 1))
            gifts.append(tuple(tuple(round(MICRO * x) for x in row) for row in given))
            usual = (USUAL.mu[(0 - game) % 2], USUAL.mu[(1 - game) % 2])
            scores.append((round(MICRO * (usual[0] + more)), round(MICRO * (usual[1] - more))))
        played.append(
            Played(
                result(f"m{number}", (f"b{one}@1", f"b{other}@1"), (tuple(ranks[:2]), tuple(ranks[2:]))),
                ("f1", "l3"),
                tuple(gifts),
                HouseScores(USUAL.house, tuple(scores)) if housed else None,
            )
        )
    return played


def result(match: str, entrants: tuple[str, str], ranks: tuple[tuple[tuple[int, ...], ...], ...]) -> MatchResult:
    """Return a match of a ladder."""
    return MatchResult(
        match=match, format="uno-classic-2", ruleset="r" * 16, entrants=entrants, teams=(0, 1), ranks=ranks,
        points=(0, 0), rounds=(4, 4), faults=(0, 0),
    )  # fmt: skip


def fitted(played: Sequence[Played], usual: UsualScores | None = USUAL) -> Refit:
    """Return what is fitted."""
    found = refit(SHIPPED, played, usual, SCHEDULE.sample)
    assert found is not None
    return found


def test_the_weights_are_those_by_which_results_follow_luck() -> None:
    """On 4,000 simulated rounds; and they leave less of the variance than there was."""
    found = fitted(ladder(4_000, housed=False))
    assert found.correction.beta == pytest.approx(TRUE, abs=0.03)
    assert found.correction.rounds == 4_000
    assert found.correction.house is None
    assert found.gain is None
    assert 0.6 < found.factor < 0.95


def test_house_games_join_where_they_pay() -> None:
    """Results that follow them, too, are explained by them; the version names who played and what is usual."""
    found = fitted(ladder(1_200, of_house=1.0))
    assert found.gain is not None
    assert found.gain >= GAIN
    assert found.correction.house == USUAL
    assert found.correction.beta[HOUSE_TERM] == pytest.approx(1.0, abs=0.25)
    other = replace(found.correction, house=replace(USUAL, mu=(0.53, 0.47)))
    assert other.version != found.correction.version
    assert Correction.of(found.correction.text()) == found.correction


def test_house_games_stay_out_where_they_do_not_pay() -> None:
    """Results that have nothing to do with them are explained no better; the weights are those of the free terms."""
    found = fitted(ladder(1_200))
    assert found.gain is not None
    assert found.gain < GAIN
    assert found.correction == fitted(ladder(1_200, housed=False)).correction


def test_of_too_few_house_games_nothing_is_concluded() -> None:
    """With them on half a sample they are not even judged."""
    played = ladder(1_200, of_house=1.0)
    few = [one if number < 50 else replace(one, house=None) for number, one in enumerate(played)]
    assert fitted(few).gain is None
    assert fitted(played, None).gain is None


def test_of_too_little_luck_nothing_is_fitted() -> None:
    """Of one match in ten it is unknown: the weights before go on."""
    played = [replace(one, terms=(), games=()) if n % 10 == 0 else one for n, one in enumerate(ladder(1_200))]
    assert refit(SHIPPED, played, USUAL, SCHEDULE.sample) is None


def test_the_same_rounds_give_the_same_weights() -> None:
    """To the last bit, however often."""
    played = ladder(1_200, of_house=1.0)
    assert fitted(played) == fitted(list(played))


def test_weights_are_due_after_so_many_rounds_and_on_no_later_ones() -> None:
    """The first matches that have as many, once for each time; none after the last."""
    played = ladder(1_240)
    assert SCHEDULE.basis(played[:99], 0) is None
    assert SCHEDULE.basis(played, 0) == played[:100]
    assert SCHEDULE.basis(played, 1) == played[:300]
    assert SCHEDULE.basis(played, 2) is None


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [(0, True), (399, True), (400, False), (799, False), (800, True), (1_199, True), (1_200, False)],
)
def test_the_house_plays_the_rounds_before_each_fit(rounds: int, expected: bool) -> None:
    """The sample before 400 and before 1,200 rounds; what comes later only where it paid."""
    assert SCHEDULE.sampled(rounds) is expected


def test_each_match_has_the_weights_that_held_when_it_was_rated() -> None:
    """A change is for later matches; what no ladder counts has the shipped ones."""
    own, later = (replace(SHIPPED, beta={"f1": weight, "l3": 0.1}) for weight in (0.3, 0.4))
    timeline = Timeline(SHIPPED, (Change(5, 4, 4, own), Change(9, 8, 8, later)))
    assert [timeline.at(seq) for seq in (0, 4, 5, 8, 9, 100)] == [SHIPPED, SHIPPED, own, own, later, later]
    assert (timeline.newest, timeline.fitted) == (later, 2)
    first = replace(SHIPPED, beta={"f1": 0.2})
    grown = Timeline(SHIPPED, timeline.changes, (first,))
    assert [grown.of(4, terms) for terms in (("f1", "l3", "l4"), ("f1",))] == [SHIPPED, first]
    assert [grown.of(5, terms) for terms in (("f1", "l3"), ("f1",))] == [own, own]
    assert grown.versions == (first.version, SHIPPED.version, own.version, later.version)
    back = Timeline(SHIPPED, (*timeline.changes, Change(20, 0, 0, SHIPPED)))
    assert (back.newest, back.fitted) == (SHIPPED, 2)


def test_what_the_house_usually_scores_goes_off_by_seat() -> None:
    """In the first game the first entrant sits first, in the second last; another house's scores are none."""
    scores = HouseScores(USUAL.house, ((600_000, 400_000), None, (600_000, 400_000)))
    turned = HouseScores(USUAL.house, (None, (600_000, 400_000)))
    assert USUAL.beyond(scores) == [(80_000, -80_000), None, (80_000, -80_000)]
    assert USUAL.beyond(turned) == [None, (120_000, -120_000)]
    assert USUAL.beyond(replace(scores, house="careful-2/16")) is None
    assert USUAL.beyond(None) is None


def test_a_table_says_what_its_sums_make() -> None:
    """A mean that is not that of the sums is refused."""
    table = HouseTable("uno-classic-2", "r" * 16, USUAL.house, 40_000, (40_800, 39_200), 1)
    assert table.mu == (0.51, 0.49)
    assert HouseTable.of(table.text()) == table
    with pytest.raises(ValueError, match="its sums make"):
        HouseTable.of(table.text().replace("0.51", "0.52"))
    assert not replace(table, rounds=19_999).known
