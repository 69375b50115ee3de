"""Tables of tournaments with luck taken out, once enough of it is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ladder.corrected import ENOUGH, fitted, known, mean_luck, rows, settled
from ladder.elo import MICRO
from ladder.results import MatchResult
from ladder.tables import table

BOTS = ("a@1", "b@1")
LIVE = dict.fromkeys(BOTS, 1500 * MICRO)


def results(count: int) -> list[MatchResult]:
    """Return matches of one meeting, in which `a` wins the first game and two of three second ones."""
    return [
        MatchResult(
            match=f"cup.{n}",
            format="uno-classic-2",
            ruleset="r" * 16,
            entrants=BOTS,
            teams=(0, 1),
            ranks=(((1, 2), (1, 2) if n % 3 else (2, 1)),),
            points=(0, 0),
            rounds=(2, 2),
            faults=(0, 0),
        )
        for n in range(count)
    ]


def luck(count: int, each: float = 0.1) -> dict[str, list[list[float] | None]]:
    """Return that `a` was lucky in every game of the first matches."""
    return {f"cup.{n}": [[each, -each], [each, -each]] for n in range(count)}


def test_where_luck_stays_in_the_rating_is_that_of_the_games() -> None:
    """No luck, no provisional mark for want of it."""
    row = table(BOTS, results(60), LIVE).standings[0]
    assert (row.bot, row.luck, row.provisional) == ("a@1", None, False)
    assert row.raw_elo == row.elo


def test_luck_is_taken_out_once_enough_of_it_is_known() -> None:
    """The lucky one is rated lower, the raw rating stands beside, and the means say how much it was."""
    raw = {row.bot: row for row in table(BOTS, results(60), LIVE).standings}
    rows = {row.bot: row for row in table(BOTS, results(60), LIVE, luck(60)).standings}
    assert rows["a@1"].elo < raw["a@1"].elo
    assert rows["a@1"].raw_elo == pytest.approx(raw["a@1"].elo)
    assert [rows[bot].luck for bot in BOTS] == pytest.approx([0.1, -0.1])
    assert not rows["a@1"].provisional
    assert sum(row.elo for row in rows.values()) == pytest.approx(3000)


@pytest.mark.parametrize(
    ("there", "taken"),
    [pytest.param(57, True, id="95 of 100"), pytest.param(56, False, id="less"), pytest.param(0, False, id="none")],
)
def test_until_then_the_rating_is_raw_and_provisional(there: int, taken: bool) -> None:
    """Nothing is taken out of a part of the games only."""
    row = table(BOTS, results(60), LIVE, luck(there)).standings[0]
    assert (row.luck is not None, row.provisional) == (taken, not taken)


def test_a_match_that_was_never_dealt_is_not_waited_for() -> None:
    """Somebody never came: there are results, but no cards and no luck."""
    walkovers = [replace(result, match=f"none.{result.match}", rounds=(0, 0)) for result in results(60)]
    row = table(BOTS, [*results(60), *walkovers], LIVE, luck(60)).standings[0]
    assert (row.luck is not None, row.provisional) == (True, False)


def test_the_difference_of_a_pair_is_that_of_the_corrected_ratings() -> None:
    """Scores are those of the games all the same."""
    found = table(BOTS, results(60), LIVE, luck(60))
    (pair,) = found.pairs
    elo = {row.bot: row.elo for row in found.standings}
    assert pair.elo == pytest.approx(elo["a@1"] - elo["b@1"])
    assert pair.score == pytest.approx(1 - 20 / 120)


def test_a_game_without_luck_counts_as_it_was_played() -> None:
    """It is missing in the share that is known, and in the mean."""
    found: dict[str, list[list[float] | None]] = {"cup.0": [[0.2, -0.2], None]}
    assert known(results(1), found) == 0.5 < ENOUGH
    assert mean_luck(results(1), found) == pytest.approx({"a@1": 0.2, "b@1": -0.2})


def test_who_has_just_come_moves_nobody_on_a_ladder() -> None:
    """The centre is the mean of the settled: only who met the newcomer has a reason to move, and not the scale."""
    old = [*results(200), *(replace(one, match=f"rev.{one.match}", entrants=("b@1", "a@1")) for one in results(150))]
    fresh = replace(results(1)[0], match="new", entrants=("new@1", "b@1"))
    before = fitted(BOTS, old)
    after = fitted((*BOTS, "new@1"), [*old, fresh])
    assert settled(before, old) == settled(after, [*old, fresh]) == frozenset(BOTS)
    centred = after.around(settled(after, [*old, fresh]))
    assert [centred.elo[bot] for bot in BOTS] == pytest.approx([before.elo[bot] for bot in BOTS], abs=2.0)
    assert centred.elo["a@1"] + centred.elo["b@1"] == pytest.approx(0.0, abs=1e-9)
    assert settled(fitted(BOTS, results(2)), results(2)) == frozenset(BOTS)


@pytest.mark.parametrize("each", [0.3, 0.5, 0.763, 1.0])
def test_a_score_that_no_strength_explains_is_not_fitted(each: float) -> None:
    """Less its luck a bot of two meetings has scored more than all: it is rated as it played, and is provisional."""
    bots = ("a@1", "b@1", "new@1")
    settled_ones = [replace(one, match=f"old.{number}") for number, one in enumerate(results(60))]
    fresh = [
        replace(results(1)[0], match=f"new.{number}", entrants=("new@1", "a@1"), ranks=((first, second),))
        for number, (first, second) in enumerate((((1, 2), (1, 2)), ((1, 2), (2, 1))))
    ]
    taken = {one.match: [[0.05, -0.05], [0.05, -0.05]] for one in settled_ones}
    taken |= {one.match: [[-each, each], [-each, each]] for one in fresh}
    played = [*settled_ones, *fresh]
    found = rows(bots, played, taken)[1]
    assert abs(found["new@1"].elo - 1500) < 400
    assert found["new@1"].elo == pytest.approx(rows(bots, played, {**taken, "new.0": [], "new.1": []})[1]["new@1"].elo)
    assert [found[bot].provisional for bot in bots] == [False, False, True]
    assert found["a@1"].luck == pytest.approx(0.05)
