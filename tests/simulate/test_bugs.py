"""The simulation finds what it is there for: mistakes planted on purpose, each by the invariant that it breaks."""

import re
from pathlib import Path

import pytest

from tests.simulate.bugs import BUGS, Bug
from tests.simulate.far_bugs import FAR_BUGS
from tests.simulate.found import FOUND
from tests.simulate.run import run

pytestmark = pytest.mark.slow

PAGE = Path(__file__).parents[2] / "docs" / "simulation.md"
PLANTED = (*BUGS, *FOUND)
TOLD = (*PLANTED, *FAR_BUGS)


@pytest.mark.slow
@pytest.mark.parametrize("bug", PLANTED, ids=lambda bug: bug.name)
def test_a_planted_bug_is_found(bug: Bug) -> None:
    """Within so many seeds, from 0 on, by the invariant that it breaks."""
    with bug.plant():
        for seed in bug.seeds:
            if any(problem.invariant is bug.breaks for problem in run(seed, bug.weather).problems):
                return
    pytest.fail(f"{bug.name}: {bug.within} seeds did not break {bug.breaks}")


@pytest.mark.parametrize("bug", TOLD, ids=lambda bug: bug.name)
def test_the_page_tells_what_a_bug_breaks_and_after_how_many_seeds(bug: Bug) -> None:
    row = re.search(rf"^\| {re.escape(bug.name)} \|.*$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert row, f"docs/simulation.md has no row for {bug.name}"
    cells = [cell.strip() for cell in row[0].strip("|").split("|")]
    assert cells[1] == bug.story
    assert cells[2:4] == [f"`{bug.breaks}`", str(bug.within)]
