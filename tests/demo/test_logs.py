"""Logs of processes that write and write: bounded while they run, and nothing of what is kept is torn."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from tests.demo import dummy
from tests.demo.processes import Journal
from tests.patience import PATIENCE_S, until, until_true
from workers.house.logs import Bounds, is_there, opened, trimmed
from workers.house.part import Part, Stage
from workers.house.supervisor import Supervisor

pytestmark = pytest.mark.slow

BOUNDS = Bounds(longest=2_000, kept=2, look_s=0.01)


def parts(folder: Path) -> list[str]:
    """Return the files of the log, by name."""
    return sorted(path.name for path in folder.iterdir() if "worker.log" in path.name)


def numbers(text: str) -> list[int]:
    """Return the numbers of the lines of a dummy."""
    return [int(line.removeprefix("line ")) for line in text.splitlines()]


def wrote(journal: Journal, times: int) -> bool:
    """Return whether it has written so often."""
    return len(journal.names("wrote")) == times


@pytest.mark.slow
async def test_a_log_is_bounded_while_its_process_writes(tmp_path: Path) -> None:
    """There are the log and a few older parts, newest first, and no line is torn; its last words are still told."""
    log, journal = tmp_path / "worker.log", Journal(tmp_path / "journal")
    log.touch(0o600)
    log.write_text("x" * 1_500, "ascii")  # of a run before this one
    command = (sys.executable, dummy.__file__, "worker", str(journal.path), "--lines", "100")
    part = Part("worker", command, Stage.WORKER, grace_s=PATIENCE_S, start_s=PATIENCE_S)
    async with Supervisor(tmp_path, print, bounds=BOUNDS) as running:
        await running.start(part)
        child, told = running.children["worker"], list[str]()
        for times in range(1, 10):
            child.send(signal.SIGUSR1)
            await until(partial(wrote, journal, times))
            await until(lambda: log.stat().st_size <= BOUNDS.longest)
            told += child.tail(1)
    assert "line 199\n" in told  # the first hundred went aside with the run before
    assert parts(tmp_path) == ["worker.log", "worker.log.1", "worker.log.2"]
    assert {(tmp_path / name).stat().st_mode & 0o777 for name in parts(tmp_path)} == {0o600}
    kept = [numbers((tmp_path / name).read_text("ascii")) for name in reversed(parts(tmp_path))]
    found = [number for part_ in kept for number in part_]
    assert found == sorted(set(found))
    assert found[-1] == 899


def test_what_is_set_aside_is_all_that_was_there(tmp_path: Path) -> None:
    """The log goes on at its begin, by the descriptor that its process has."""
    log = tmp_path / "worker.log"
    descriptor = opened(log, BOUNDS)
    for number in range(4):
        os.write(descriptor, f"{number}".encode() * 3_000)
        assert trimmed(descriptor, log, BOUNDS)
        assert not trimmed(descriptor, log, BOUNDS)
    os.write(descriptor, b"later")
    os.close(descriptor)
    assert [(tmp_path / name).read_bytes()[:5] for name in parts(tmp_path)] == [b"later", b"33333", b"22222"]
    assert log.stat().st_size == 5


def test_a_log_that_was_left_long_is_set_aside_at_the_start(tmp_path: Path) -> None:
    """As it was; what was set aside before moves on."""
    log = tmp_path / "worker.log"
    for letter in (b"a", b"b"):
        log.write_bytes(letter * 3_000)
        os.close(opened(log, BOUNDS))
    assert [(tmp_path / name).read_bytes()[:1] for name in parts(tmp_path)] == [b"", b"b", b"a"]


FULL = """
import os, resource, signal, sys
from pathlib import Path
from workers.house.logs import Bounds, trimmed
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
try:
    trimmed(os.open(sys.argv[1], os.O_RDWR | os.O_APPEND), Path(sys.argv[1]), Bounds(longest=2000))
except OSError as error:
    print(error.strerror)
"""


def test_where_no_copy_fits_the_log_stays(tmp_path: Path) -> None:
    """Nothing of it is lost, and no half copy is left."""
    log = tmp_path / "worker.log"
    log.write_bytes(b"x" * 3_000)
    done = subprocess.run([sys.executable, "-c", FULL, str(log)], capture_output=True, text=True, check=True)
    assert done.stdout == "File too large\n"
    assert log.stat().st_size == 3_000
    assert [path.name for path in tmp_path.iterdir()] == ["worker.log"]


KILLED = """
import os, signal, sys
from pathlib import Path
from workers.house.logs import Bounds, opened, trimmed
log, left = Path(sys.argv[1]), int(sys.argv[2])
descriptor = opened(log, Bounds(longest=2000))
for letter in b"abc":
    os.write(descriptor, bytes([letter]) * 1500)
def hook(event, arguments):
    global left
    left -= event in {"open", "os.rename", "os.truncate", "os.remove"}
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(hook)
trimmed(descriptor, log, Bounds(longest=2000))
left = 1
"""


def test_a_kill_while_a_log_is_cut_loses_nothing(tmp_path: Path) -> None:
    """Whatever it is about to do to files: what was written is in the log or beside it, and no half copy stays."""
    for left in range(20):
        folder = tmp_path / str(left)
        folder.mkdir()
        log = folder / "worker.log"
        (folder / "worker.log.1").write_bytes(b"older")
        done = subprocess.run([sys.executable, "-c", KILLED, str(log), str(left)], check=False)
        os.close(opened(log, replace(BOUNDS, kept=3)))  # killed just before the end, it stands there twice
        kept = [path.read_bytes() for path in folder.iterdir()]
        assert b"a" * 1_500 + b"b" * 1_500 + b"c" * 1_500 in kept, left
        assert b"older" in kept
        assert set(parts(folder)) <= {"worker.log", *(f"worker.log.{number}" for number in (1, 2, 3))}
        if not done.returncode:
            break
    assert left >= 4  # it opens the copy, moves what is older, moves the copy, and empties the log


def test_who_writes_faster_than_its_log_is_copied_does_not_make_an_endless_copy(tmp_path: Path) -> None:
    """Beyond what was there as much is taken as a log may be long; the rest is lost, and the log is short again."""
    log, fresh, begin = tmp_path / "worker.log", tmp_path / ".worker.log.new", 32 * 1024 * 1024
    descriptor = opened(log, BOUNDS)
    os.truncate(log, begin)
    over = threading.Event()

    def write() -> None:
        until_true(lambda: fresh.exists() or over.is_set())  # the copy may be faster than we look
        while not over.is_set() and os.fstat(descriptor).st_size < 4 * begin:
            os.write(descriptor, b"x" * 100_000)

    with ThreadPoolExecutor(1) as pool:
        writing = pool.submit(write)
        assert trimmed(descriptor, log, BOUNDS)
        over.set()
        writing.result()
    os.close(descriptor)
    assert begin <= (tmp_path / "worker.log.1").stat().st_size <= begin + BOUNDS.longest


def test_a_short_log_is_left_alone(tmp_path: Path) -> None:
    """And one that was just begun."""
    descriptor = opened(tmp_path / "worker.log", BOUNDS)
    assert not trimmed(descriptor, tmp_path / "worker.log", replace(BOUNDS, longest=10))
    os.close(descriptor)
    assert parts(tmp_path) == ["worker.log"]


def test_a_log_that_was_removed_is_bounded_too(tmp_path: Path) -> None:
    """Its process writes on, where nobody reads: the disk gets its room back, and no copy is made."""
    log = tmp_path / "worker.log"
    descriptor = opened(log, BOUNDS)
    assert is_there(descriptor, log)
    log.unlink()
    os.write(descriptor, b"x" * 3_000)
    assert not is_there(descriptor, log)
    assert trimmed(descriptor, log, BOUNDS)
    assert os.fstat(descriptor).st_size == 0
    os.close(descriptor)
    assert list(tmp_path.iterdir()) == []


def test_a_log_that_was_moved_away_stays_as_it_is(tmp_path: Path) -> None:
    """Somebody wanted to keep it; its process writes on there until it is started again."""
    log, kept = tmp_path / "worker.log", tmp_path / "kept"
    descriptor = opened(log, BOUNDS)
    os.write(descriptor, b"x" * 3_000)
    log.rename(kept)
    assert not is_there(descriptor, log)
    assert not trimmed(descriptor, log, BOUNDS)
    os.close(descriptor)
    assert [(path.name, path.stat().st_size) for path in tmp_path.iterdir()] == [("kept", 3_000)]


def test_a_folder_that_was_removed_is_made_again(tmp_path: Path) -> None:
    """Private as before; a file in its place is an error."""
    os.close(opened(tmp_path / "logs" / "worker.log", BOUNDS))
    assert (tmp_path / "logs").stat().st_mode & 0o777 == 0o700
    with pytest.raises(OSError, match="exists"):
        opened(tmp_path / "logs" / "worker.log" / "beat.log", BOUNDS)
