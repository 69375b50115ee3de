"""Rows as CSV."""

from __future__ import annotations

import io

import pytest

from ladder.shapes import csv_table
from ladder.tables import PairResult, Table
from ladder.web.render import elo, fixed, signed
from workers.engine import lower_is_better
from workers.tournaments.tournament_text import show_pairs


@pytest.mark.parametrize(
    ("value", "cell"),
    [
        pytest.param(14.100000000000001, "14.1", id="no digits that come of adding"),
        pytest.param(-0.0, "0.0", id="no minus before zero"),
        pytest.param(-1e-12, "0.0", id="nor before what rounds to it"),
        pytest.param(1500.123456789, "1500.123456789", id="nine digits"),
        pytest.param(True, "true", id="true"),
        pytest.param(False, "false", id="false"),
        pytest.param(None, '""', id="nothing"),
        pytest.param(7, "7", id="a whole number"),
        pytest.param([17, 3], "17;3", id="a list"),
        pytest.param("=1+1", "'=1+1", id="no formula"),
    ],
)
def test_cells_of_csv(value: object, cell: str) -> None:
    """As JSON has them, and safe to open in a spreadsheet."""
    assert csv_table(["it"], [{"it": value}]) == f"it\r\n{cell}\r\n"


def test_what_rounds_to_zero_has_no_minus() -> None:
    """In commands and on pages; what does not keeps its sign."""
    shown = io.StringIO()
    show_pairs(Table(pairs=(PairResult("a@1", "b@1", 0.4999, -0.01, 30.0, 100),)), shown)
    row = next(line.split() for line in shown.getvalue().splitlines() if line.lstrip().startswith("a@1"))
    assert (row[4], row[8]) == ("+0.0", "+0")
    assert (signed(-0.04, 1), fixed(-0.04), elo(-0.4)) == ("+0.0", "0.0", "0")
    assert (signed(-0.06, 1), fixed(-0.06)) == ("\N{MINUS SIGN}0.1", "\N{MINUS SIGN}0.1")


@pytest.mark.parametrize(
    ("name", "low"),
    [
        pytest.param("duo", True, id="duo"),
        pytest.param("duo-200", True, id="to a target"),
        pytest.param("duo-fast-mirrored", True, id="whatever follows"),
        pytest.param("uno-classic-500-2", False, id="uno"),
        pytest.param("dos-200-2", False, id="dos"),
        pytest.param("gone", False, id="a format that nobody knows"),
    ],
)
def test_where_points_count_against_a_bot(name: str, low: bool) -> None:
    """As the rules have it, and a table says so."""
    assert lower_is_better(name) is low
