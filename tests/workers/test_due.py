"""What is due follows from the ledger's state and the time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.due import BATCH, MOST_BATCHES, Job, Stand, View, due, slot
from workers.tournaments.life import State


@pytest.mark.parametrize(
    ("view", "jobs"),
    [
        pytest.param(View(), (), id="nothing"),
        pytest.param(View(closed=("a", "b")), (Job("rate", (("a", "b"),)),), id="results wait"),
        pytest.param(
            View(tournaments=(Stand("spring", State.RUNNING),)), (Job("plan", ("spring",)),), id="a tournament runs"
        ),
        pytest.param(View(tournaments=(Stand("spring", State.SCHEDULED, 1001),)), (), id="its time has not come"),
        pytest.param(
            View(tournaments=(Stand("spring", State.SCHEDULED, 1000),)),
            (Job("plan", ("spring",)),),
            id="its time has come",
        ),
        pytest.param(View(tournaments=(Stand("spring", State.FINISHED),)), (), id="it is over"),
        pytest.param(
            View(closed=("a",), tournaments=(Stand("spring", State.RUNNING),)),
            (Job("rate", (("a",),)), Job("plan", ("spring",))),
            id="results go first",
        ),
    ],
)
def test_due_table(view: View, jobs: tuple[Job, ...]) -> None:
    """The table of what is due at one moment."""
    assert due(1000, view) == jobs


@given(st.integers(0, 2 * BATCH * MOST_BATCHES))
def test_batches_cover_the_oldest_results_once(count: int) -> None:
    """Every result is in one batch, oldest first, up to the most that one look hands out."""
    closed = tuple(map(str, range(count)))
    batches = [job.args[0] for job in due(0, View(closed=closed))]
    assert tuple(match for batch in batches for match in batch) == closed[: BATCH * MOST_BATCHES]
    assert all(len(batch) <= BATCH for batch in batches)


@given(st.integers(0, 2**43), st.integers(1, 60_000))
def test_a_slot_lasts_its_period(now_ms: int, period_ms: int) -> None:
    """Moments one period apart are in neighbouring slots."""
    assert slot(now_ms + period_ms, period_ms) == slot(now_ms, period_ms) + 1
