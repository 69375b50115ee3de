from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ladder.store import Store
from ladder.store.local import Fsync, LocalStore, start
from workers.house.house import Undertaker, opened
from workers.house.part import Part, Stage

pytestmark = pytest.mark.slow


@pytest.fixture
def local(tmp_path: Path) -> Iterator[LocalStore]:
    with start(tmp_path, fsync=Fsync.EVERYSEC) as running:
        yield running


def part(stage: Stage) -> Part:
    return Part("some-process", ("true",), stage)


async def test_the_beat_of_a_dead_referee_is_taken_away(local: LocalStore) -> None:
    """Others go on with its matches at once and do not wait for the beat to run out."""
    with Store.open(local.url, role="test") as store:
        store.matches.beat("ref-1", {"capacity": 1}, fresh=True)
        store.matches.beat("ref-2", {"capacity": 1}, fresh=True)
        await Undertaker(lambda: opened(local.url, {}), print)(part(Stage.REFEREE), {"incarnation": "ref-1"})
        assert list(store.matches.referees()) == ["ref-2"]


async def test_other_processes_leave_no_beat(local: LocalStore) -> None:
    """Only referees have one."""
    with Store.open(local.url, role="test") as store:
        store.matches.beat("ref-1", {"capacity": 1}, fresh=True)
        await Undertaker(lambda: opened(local.url, {}), print)(part(Stage.WORKER), {"incarnation": "ref-1"})
        assert list(store.matches.referees()) == ["ref-1"]


async def test_a_store_that_is_away_is_no_reason_to_fail(local: LocalStore) -> None:
    """The beat runs out by itself; that is said."""
    local.stop()
    said: list[str] = []
    await Undertaker(lambda: opened(local.url, {}), said.append)(part(Stage.REFEREE), {"incarnation": "ref-1"})
    assert "runs out by itself" in said[0]
