"""A store that still loads its files has what another would lack: nobody is told to do without it."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from ladder.store.checks import check
from ladder.store.client import Link
from ladder.store.errors import StoreLoadingError, StoreUnavailableError
from ladder.store.local import LOAD_SECONDS, Fsync, own_url, start
from ladder.store.lone_copy import copy_alone
from ladder.store.server import find_program
from tests.patience import until
from tests.store.slow_store import ENTRIES, ever_loading, loading_store, loads
from workers.house import doctor
from workers.house.doors import Doors
from workers.house.folder import StateFolder
from workers.house.house import HousePlan, operator_token, start_store, store_part
from workers.house.supervisor import Supervisor

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def loading(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Run a store that loads for a minute; returns its URL."""
    with loading_store(tmp_path_factory.mktemp("store")) as url:
        yield url


def prepared(root: Path, store_url: str | None) -> HousePlan:
    """Return a plan whose folder is there."""
    folder = StateFolder(root)
    folder.prepare()
    return HousePlan(folder, Doors.standard(), store_url=store_url)


def test_up_waits_for_a_given_store_and_offers_no_empty_one(
    loading: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its own words are that it loads; who unset its URL would get a house without anything."""
    monkeypatch.setattr("ladder.store.store.check", partial(check, loading_s=0.0))
    with pytest.raises(StoreLoadingError, match="try again when it has") as late:
        operator_token(prepared(tmp_path, loading), loading, {})
    assert "unset" not in str(late.value)


def test_up_offers_a_store_where_the_given_one_is_away(tmp_path: Path) -> None:
    """Nobody answers there."""
    url = "redis://127.0.0.1:1/0"
    with pytest.raises(StoreUnavailableError, match=r"refused; start it, or unset LASTCARD_REDIS_URL"):
        operator_token(prepared(tmp_path, url), url, {})


def test_doctor_says_to_wait(tmp_path: Path) -> None:
    """Not to unset the URL."""
    with ever_loading() as url:
        found = doctor.store(url, tmp_path)
    assert (found.status, found.fix) == (doctor.Status.FAILED, "wait until it has, and look again")


def test_a_store_may_load_as_long_as_a_copy_may(tmp_path: Path) -> None:
    """Else a house whose copy was just loaded would never come up."""
    plan = prepared(tmp_path, None)
    assert store_part(plan, find_program(), own_url(plan.folder.store)).start_s == LOAD_SECONDS


SLOWLY = "--key-load-delay 1000 --loading-process-events-interval-bytes 1024"
"""A minute for all, with answers on the way."""


async def test_who_interrupts_the_loading_of_a_copy_does_not_wait_for_it(tmp_path: Path) -> None:
    """What loads it ends, nothing is made of the copy, and the next `lastcard up` begins again."""
    plan = prepared(tmp_path, None)
    with start(tmp_path / "old", fsync=Fsync.EVERYSEC) as server, Link(server.url, role="test") as link:
        link.read_all([["SET", f"key-{number}", number] for number in range(ENTRIES)])
    plan.folder.store.mkdir(exist_ok=True)
    copy = Path(shutil.copy(tmp_path / "old" / "dump.rdb", plan.folder.store))
    slow = tmp_path / "slow-server"
    slow.write_text(f'#!/bin/sh\nexec {find_program().path} "$@" {SLOWLY}\n')
    slow.chmod(0o755)
    program, url = replace(find_program(), path=slow), own_url(plan.folder.store)
    async with Supervisor(plan.folder.logs, print) as supervisor:
        starting = asyncio.create_task(start_store(plan, program, url, supervisor))
        await until(lambda: loads(url))
        starting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await starting
        await asyncio.get_running_loop().shutdown_default_executor()
    assert copy_alone(plan.folder.store) == copy
