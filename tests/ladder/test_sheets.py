"""Sums of matches, each made once, and what is made of them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ladder.bradley_terry import Outcomes, fit
from ladder.elo import MICRO
from ladder.results import MatchResult
from ladder.sheets import Sheets
from ladder.tables import table
from tests.ladder.scenes import match_of

BOTS = ("a@1", "b@1", "c@1", "d@1")
LIVE = dict.fromkeys(BOTS, 1500 * MICRO)
LUCK = [[0.1, -0.1], None, [0.0, 0.0], [0.3, -0.3]]


def result(number: int, *entrants: str) -> MatchResult:
    """Return a match of two meetings, of which the first entrant wins three games of four at two seats."""
    seats = len(entrants)
    order = tuple(range(1, seats + 1))
    return match_of(number, entrants, ((order,) * seats, (order,) * (seats - 1) + (order[::-1],)), (7,) * seats)


RESULTS = [result(0, "a@1", "b@1"), result(1, "c@1", "a@1"), result(2, "b@1", "c@1"), result(3, "d@1", "b@1")]


def test_a_match_is_summed_up_once() -> None:
    """Asked for again it is the same object; another result under its id is another one, and so is other luck."""
    sheets, match = Sheets(), RESULTS[0]
    assert sheets.of(match) is sheets.of(match)
    assert sheets.corrected(match, LUCK) is sheets.corrected(match, LUCK)
    assert sheets.of(replace(match, points=(1, 2))).counts != sheets.of(match).counts
    assert sheets.corrected(match, LUCK).luck == (0.4, -0.4)
    assert sheets.corrected(match, [[0.0, 0.0]] * 4).luck == (0.0, 0.0)


def test_without_luck_a_match_counts_as_it_was_played() -> None:
    """Nothing is known, and nothing is taken off."""
    sheets = Sheets()
    sheet = sheets.corrected(RESULTS[0], ())
    assert (sheet.games, sheet.luck) == (0, ())
    assert sheet.outcomes is sheets.of(RESULTS[0]).outcomes


def test_a_table_of_kept_sums_is_that_of_new_ones() -> None:
    """Match by match with what was kept, luck or none: the numbers are the same to the last bit."""
    sheets = Sheets()
    for count in range(1, len(RESULTS) + 1):
        results = RESULTS[:count]
        luck = {one.match: LUCK for one in results}
        assert table(BOTS, results, LIVE, None, sheets) == table(BOTS, results, LIVE)
        assert table(BOTS, results, LIVE, luck, sheets) == table(BOTS, results, LIVE, luck)
    sheets.forget([RESULTS[1].match])
    left = [one for one in RESULTS if one is not RESULTS[1]]
    assert table(BOTS, left, LIVE, None, sheets) == table(BOTS, left, LIVE)


def test_joined_meetings_are_those_of_the_parts() -> None:
    """Tables of two and of four, each with bots and meetings numbered by itself: the fit is that of all in one."""
    parts, whole = [], Outcomes(BOTS)
    for one in (*RESULTS, result(4, *reversed(BOTS))):
        part = Outcomes(one.entrants)
        for games in one.ranks:
            part.add(one.entrants, games)
            whole.add(one.entrants, games)
        parts.append(part)
    joined = Outcomes.joined(BOTS, parts)
    assert all(map(np.array_equal, joined.columns(), whole.columns()))
    assert joined.overlap == whole.overlap
    found, expected = (fit(outcomes, clustered=True) for outcomes in (joined, whole))
    assert found.elo == expected.elo
    assert np.array_equal(found.covariance, expected.covariance)
    assert fit(Outcomes.joined(BOTS[:2], [])).elo == {"a@1": 0.0, "b@1": 0.0}


def test_meetings_are_added_after_a_look() -> None:
    """Columns that were asked for meanwhile change nothing."""
    looked, whole = Outcomes(BOTS), Outcomes(BOTS)
    for one in RESULTS:
        for games in one.ranks:
            for outcomes in (looked, whole):
                outcomes.add(one.entrants, games)
            looked.columns()
    assert all(map(np.array_equal, looked.columns(), whole.columns()))
    assert [len(column) for column in whole.columns()] == [8] * 5
