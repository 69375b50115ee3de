from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.demo import small_house
from tests.demo.processes import Journal, alive
from tests.patience import PATIENCE_S, until_true

pytestmark = pytest.mark.slow

ROOT = Path(small_house.__file__).parents[2]


class Running:
    """A small house that runs as a process of its own."""

    def __init__(self, folder: Path, *flags: str, before: tuple[str, ...] = ()) -> None:
        self.journal = Journal(folder / "journal")
        self.process = subprocess.Popen(
            [*before, sys.executable, "-m", "tests.demo.small_house", str(folder), *flags],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def come_up(self) -> None:
        """Wait until all its processes are ready."""
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "up\n"

    def end(self) -> tuple[int, str]:
        """Wait for its end; returns its exit code and what it said."""
        _, said = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, said

    def gone(self) -> None:
        """Wait until none of its processes runs."""
        until_true(lambda: not self.left())

    def left(self) -> list[int]:
        """Return its processes that still run."""
        return [pid for _, _, pid in self.journal.rows() if alive(pid)]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[list[Running]]:
    started: list[Running] = []
    yield started
    for running in started:
        running.process.kill()
        running.process.communicate()
        running.gone()


@pytest.mark.parametrize(
    ("number", "code"),
    [
        pytest.param(signal.SIGINT, 130, id="Ctrl-C"),
        pytest.param(signal.SIGTERM, 143, id="SIGTERM"),
        pytest.param(signal.SIGHUP, 129, id="terminal closed"),
    ],
)
def test_a_signal_stops_the_house_in_order(
    start: list[Running], tmp_path: Path, number: signal.Signals, code: int
) -> None:
    """Every process is asked, the store last, and the exit code names the signal."""
    running = Running(tmp_path)
    start.append(running)
    running.come_up()
    running.process.send_signal(number)
    assert running.end()[0] == code
    assert running.journal.names("stop") == ["worker", "referee", "store"]
    until_true(lambda: not running.left())


@pytest.mark.parametrize("crash", [False, True], ids=["a signal", "a crash before it"])
def test_a_house_whose_words_nobody_reads_stops_all_the_same(
    start: list[Running], tmp_path: Path, *, crash: bool
) -> None:
    """`up 2>&1 | tee`: Ctrl-C ends tee, too. A process that is killed meanwhile is started again as ever."""
    running = Running(tmp_path)
    start.append(running)
    running.come_up()
    assert running.process.stderr is not None
    running.process.stderr.close()
    if crash:
        os.kill(running.journal.pids("worker")[0], signal.SIGKILL)
        until_true(lambda: running.journal.names("start").count("worker") == 2)
    running.process.send_signal(signal.SIGINT)
    assert running.process.wait(PATIENCE_S) == 130
    running.gone()


def test_a_house_that_is_to_outlive_its_terminal_does(start: list[Running], tmp_path: Path) -> None:
    """`nohup lastcard up &`: a closed terminal says nothing to it, and whoever asks it to end is the one who does."""
    running = Running(tmp_path, before=("nohup",))
    start.append(running)
    running.come_up()
    running.process.send_signal(signal.SIGHUP)
    running.process.send_signal(signal.SIGTERM)
    assert running.end()[0] == 143
    until_true(lambda: not running.left())


def test_ctrl_c_during_start_up_leaves_nothing(start: list[Running], tmp_path: Path) -> None:
    """A house that is still coming up ends as cleanly as one that runs."""
    running = Running(tmp_path, "--silent")
    start.append(running)
    until_true(lambda: len(running.journal.names("start")) == 3)
    running.process.send_signal(signal.SIGINT)
    assert running.end()[0] == 130
    until_true(lambda: not running.left())


def test_a_second_ctrl_c_does_not_wait(start: list[Running], tmp_path: Path) -> None:
    """Processes that do not listen are killed when the person asks again."""
    running = Running(tmp_path, "--deaf")
    start.append(running)
    running.come_up()
    running.process.send_signal(signal.SIGINT)
    until_true(lambda: running.journal.names("stop"))
    running.process.send_signal(signal.SIGINT)
    assert running.end()[0] == 130
    until_true(lambda: not running.left())


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a process of its parent's death")
def test_killing_the_supervisor_leaves_no_process(start: list[Running], tmp_path: Path) -> None:
    """SIGKILL cannot be handled, and still its children end; theirs must ask for the same, as Celery's do."""
    running = Running(tmp_path, "--deaf")
    start.append(running)
    running.come_up()
    until_true(lambda: running.journal.pids("worker", "child"))
    grandchildren = set(running.journal.pids("worker", "child"))
    os.kill(running.process.pid, signal.SIGKILL)
    running.end()
    until_true(lambda: not set(running.left()) - grandchildren)
    for pid in grandchildren:
        os.kill(pid, signal.SIGKILL)
