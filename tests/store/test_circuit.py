"""A server that does not answer is left alone for a while."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ladder.store.circuit import FAILURES, PAUSE_S, Circuit
from ladder.store.client import Link
from ladder.store.errors import StoreUnavailableError
from ladder.store.local import Fsync, LocalStore, start
from workers.house import ports


class Clock:
    """Time that a test moves."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LocalStore]:
    with start(tmp_path, fsync=Fsync.EVERYSEC, port=ports.free(1)[0]) as running:
        yield running


def said(link: Link) -> str:
    """Ask, and return what is wrong."""
    try:
        link.ping()
    except StoreUnavailableError as error:
        return str(error)
    return ""


@pytest.mark.slow
def test_a_store_that_is_gone_is_asked_once_a_while_until_it_is_back(tmp_path: Path, server: LocalStore) -> None:
    """Five calls find out for themselves, later ones are told at once; the first that is answered opens it to all."""
    clock, port = Clock(), int(server.url.split(":")[2].split("/")[0])
    with Link(server.url, role="test", retries=0, circuit=Circuit(clock)) as link:
        assert said(link) == ""
        server.stop()
        assert all("asked again soon" not in said(link) for _ in range(FAILURES))
        assert all("asked again soon" in said(link) for _ in range(3))
        link.close()  # asks nobody
        clock.now += PAUSE_S
        found, others = said(link), [said(link) for _ in range(3)]
        assert "asked again soon" not in found
        assert found
        assert all("asked again soon" in one for one in others)
        with start(tmp_path, fsync=Fsync.EVERYSEC, port=port):
            assert "asked again soon" in said(link)
            clock.now += PAUSE_S
            assert [said(link) for _ in range(3)] == ["", "", ""]


@pytest.mark.slow
def test_a_store_that_refuses_has_answered(server: LocalStore) -> None:
    """One that is full, or asked for something else, is there: reads go on."""
    with Link(server.url, role="test", retries=0, circuit=Circuit()) as link:
        link.load()
        link.read("CONFIG", "SET", "maxmemory", "1")
        for _ in range(2 * FAILURES):
            with pytest.raises(StoreUnavailableError, match="takes no writes"):
                link.read("SET", "a", "b")
        assert link.text("a") is None
