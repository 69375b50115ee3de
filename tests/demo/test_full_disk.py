"""A process that ends because its disk is full is started again until there is room, and its supervisor says why."""

from __future__ import annotations

import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from ladder.store.server import find_program
from tests.demo.namespaces import needs_namespaces
from tests.patience import PATIENCE_S, PAUSE_S, until
from workers.house import restarts
from workers.house.part import Part, Stage
from workers.house.supervisor import FULL, LAST_WORDS, PartFailedError, Supervisor, hint_of

pytestmark = pytest.mark.slow

WORKS = """
import pathlib, sys, time
print("READY {}", flush=True)
with open(sys.argv[1], "a") as starts:
    starts.write("start\\n")
if not pathlib.Path(sys.argv[2]).exists():
    sys.exit(sys.argv[3])
time.sleep(3600)
"""
NO_ROOM = "Error writing to the AOF file: No space left on device\nCan't recover from AOF write error. Exiting..."


@pytest.mark.parametrize(
    ("words", "given_up"), [pytest.param(NO_ROOM, False, id="no room"), pytest.param("a bug", True, id="anything else")]
)
async def test_who_has_no_room_is_not_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: str, *, given_up: bool
) -> None:
    """Beyond the number of crashes after which everything else would be ended; it is said each time."""
    monkeypatch.setattr(restarts, "FIRST_S", 0.001)
    starts, room, said = tmp_path / "starts", tmp_path / "room", list[str]()
    command = (sys.executable, "-c", WORKS, str(starts), str(room), words)
    part = Part("store", command, Stage.STORE, start_s=PATIENCE_S, grace_s=PATIENCE_S)

    async def run() -> None:
        async with Supervisor(tmp_path / "logs", said.append) as running:
            await running.start(part)
            await until(lambda: len(starts.read_text("utf-8").splitlines()) > restarts.MOST + 1)
            room.touch()
            await until(lambda: said[-1] == "store runs again." and running.children["store"].exit_code is None)

    if given_up:
        with pytest.raises(PartFailedError, match="a bug"):
            await run()
        return
    await run()
    crashes = [one for one in said if "is started again in" in one]
    assert len(crashes) > restarts.MOST
    assert all(FULL in one for one in crashes)


@needs_namespaces
def test_the_last_words_of_a_store_whose_disk_is_full_are_understood(tmp_path: Path) -> None:
    """A real one, which writes through, on a disk of 2 MiB."""
    disk, socket = tmp_path / "disk", tmp_path / "s"
    disk.mkdir()
    options = f"--port 0 --unixsocket {socket} --dir {disk} --appendonly yes --appendfsync always --save ''"
    script = f"mount -t tmpfs -o size=2m none {disk} && exec {shlex.quote(str(find_program().path))} {options}"
    words = ("unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script)
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as store:
        try:
            _fill(socket)
            said, _ = store.communicate(timeout=PATIENCE_S)
        finally:
            store.kill()
    assert store.returncode == 1
    assert hint_of(said.splitlines()[-LAST_WORDS:]) == FULL, said[-2_000:]


def _fill(socket: Path) -> None:
    """Write until the server is gone."""
    store = Redis(unix_socket_path=str(socket), retry=Retry(NoBackoff(), 0))
    while not _answers(store):
        time.sleep(PAUSE_S)
    with pytest.raises(RedisError):
        _write(store)


def _write(store: Redis) -> None:
    for number in range(1_000):
        store.set(f"key {number}", bytes(10_000))


def _answers(store: Redis) -> bool:
    try:
        return bool(store.ping())
    except RedisError:
        return False
