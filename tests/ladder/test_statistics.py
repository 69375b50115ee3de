"""What docs/ratings.md promises of intervals, luck and sequential tests: simulated anew, and as it was measured."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.soak.statistics import FIGURES, QUICK, Promise, corrected, mirrored, sequential, shared

PAGE = Path(__file__).parents[2] / "docs" / "ratings.md"


@pytest.mark.slow
@pytest.mark.thorough
def test_promises_are_kept_in_a_small_simulation() -> None:
    """The quick version of `./dev soak statistics`, on 3,000 real rounds of each kind, with fixed seeds."""
    found = [*corrected(QUICK), *mirrored(QUICK), *shared(QUICK), *sequential(QUICK)]
    assert [(one.id, one.value, one.limits) for one in found if not one.kept] == []


def test_figures_stand_in_the_page() -> None:
    """Every figure of the last full run is in the table of the page as it was measured, and within its limits."""
    figures: dict[str, float] = json.loads(FIGURES.read_text("utf-8"))
    lines = [line for line in PAGE.read_text("utf-8").splitlines() if line.startswith("| `")]
    rows = {cells[1].strip("` "): cells for cells in (line.split("|") for line in lines)}
    assert {name: rows[name][3].strip() for name in figures} == {
        name: f"{value:.3f}" for name, value in figures.items()
    }


def test_limits_have_two_sides() -> None:
    """A figure is kept within its limits, ends included, and says what they are."""
    one = Promise("coverage", "of intervals", 0.93, 0.93, 0.97)
    assert (one.kept, one.limits) == (True, "0.93 to 0.97")
    assert not Promise("coverage", "of intervals", 0.929, 0.93, 0.97).kept
    assert Promise("factor", "of variance", 0.8, most=0.8).kept
    assert Promise("factor", "of variance", 0.8, most=0.8).limits == "at most 0.8"
    assert Promise("share", "of games", 0.8, least=0.5).limits == "at least 0.5"
