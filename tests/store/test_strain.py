"""What stops referees from taking more on: memory, disk, and logs that wait for the archive."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest
from redis.exceptions import ResponseError

from ladder.store import Store
from ladder.store.client import Link
from ladder.store.keys import Keys
from ladder.store.local import Fsync, start
from ladder.store.strain import MIB, Strain, measure
from tests.patience import until_true
from tests.store.scenes import Host, plan, result_text

EASY = Strain(memory=100 * MIB, memory_limit=1024 * MIB, unarchived=MIB, disk_free=50_000 * MIB, disk=100_000 * MIB)


@pytest.mark.parametrize(
    ("strain", "words"),
    [
        pytest.param(EASY, "", id="all is well"),
        pytest.param(replace(EASY, memory=717 * MIB), "uses 70% of its 1024 MiB", id="memory"),
        pytest.param(replace(EASY, memory=716 * MIB), "", id="just enough memory"),
        pytest.param(replace(EASY, memory=10**12, memory_limit=0), "", id="a store that does not say its limit"),
        pytest.param(replace(EASY, disk_free=2_047 * MIB), "only 2047 MiB are free", id="a large disk"),
        pytest.param(replace(EASY, disk_free=2_048 * MIB), "", id="a large disk, just enough"),
        pytest.param(replace(EASY, disk_free=99 * MIB, disk=1_000 * MIB), "only 99 MiB are free", id="a small disk"),
        pytest.param(replace(EASY, disk_free=100 * MIB, disk=1_000 * MIB), "", id="a small disk, just enough"),
        pytest.param(replace(EASY, disk_free=0, disk=0), "", id="a disk elsewhere"),
        pytest.param(
            replace(EASY, disk=0, unwritten=("its copy",)), "could not write its copy: see its log", id="wrote not"
        ),
        pytest.param(replace(EASY, unarchived=1_025 * MIB), "1025 MiB of logs wait for the archive", id="no archive"),
    ],
)
def test_reasons(strain: Strain, words: str) -> None:
    """Each limit by itself, on both sides of it; the sentence says what to do."""
    found = strain.reasons()
    assert len(found) == bool(words)
    assert words in "".join(found)


@pytest.mark.parametrize(
    ("strain", "halts"),
    [
        pytest.param(replace(EASY, memory=870 * MIB), False, id="84.96 percent"),
        pytest.param(replace(EASY, memory=871 * MIB), True, id="85.06 percent"),
        pytest.param(replace(EASY, memory=10**12, memory_limit=0), False, id="a store that does not say its limit"),
        pytest.param(replace(EASY, disk_free=0, unarchived=2_000 * MIB), False, id="anything but memory"),
    ],
)
def test_games_stand_still_above_85_percent_of_memory(strain: Strain, *, halts: bool) -> None:
    """What else is full stops claims only: a disk that is full ends the store, and then nothing runs anyway."""
    assert strain.halts is halts
    assert any("games stand still above 85%" in said for said in strain.reasons()) is halts


def test_a_store_is_measured(store: Store, tmp_path: Path) -> None:
    """Memory and disk are those of the machine, logs are weighed."""
    before = measure(store.link, store.keys, tmp_path / "not" / "there" / "yet")
    assert 0 < before.memory < before.memory_limit
    assert 0 < before.disk_free < before.disk
    assert before.unarchived == 0
    store.matches.plan([plan("cup.1.1.0")], 5)
    host = Host(store)
    head = host.append(host.claim("cup.1.1.0").head, bytes(50_000), "cup.1.1.0")
    host.close(head, result_text([[[1, 2], [2, 1]]]), "cup.1.1.0")
    store.matches.settle("cup.1.1.0")
    after = measure(store.link, store.keys)
    assert 50_000 < after.unarchived < 200_000
    assert (after.disk, after.disk_free) == (0, 0)


@pytest.mark.slow
def test_a_store_that_could_not_write_its_files_says_so_from_elsewhere(tmp_path: Path) -> None:
    """How full its disk is it does not say; that it could not write shows until it can again."""
    with start(tmp_path, fsync=Fsync.EVERYSEC) as server, Link(server.url, role="test") as link:
        assert measure(link, Keys()).unwritten == ()
        folder = next(tmp_path.rglob("appendonly*.manifest")).parent
        folder.rename(folder.with_name("away"))
        folder.write_text("", "ascii")  # where a folder should be
        with pytest.raises(ResponseError):
            link.read("BGREWRITEAOF")
        assert measure(link, Keys()).unwritten == ("that file anew",)
        assert "could not write that file anew" in "".join(measure(link, Keys()).reasons())
        folder.unlink()
        folder.with_name("away").rename(folder)

        def mended() -> bool:
            with suppress(ResponseError):  # it is already at it
                link.read("BGREWRITEAOF")
            return measure(link, Keys()).unwritten == ()

        until_true(mended)
