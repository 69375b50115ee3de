from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path

import pytest

from tests.demo import dummy
from tests.demo.processes import Journal, alive
from tests.patience import PATIENCE_S, until
from workers.house import restarts
from workers.house.logs import Bounds
from workers.house.part import Part, Stage
from workers.house.supervisor import PartFailedError, Supervisor

pytestmark = pytest.mark.slow


class House:
    """A folder for logs and journal, dummies to start, and what the supervisor said."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.journal = Journal(root / "journal")
        self.said: list[str] = []
        self.reaped: list[tuple[str, Mapping[str, str]]] = []

    def part(
        self, name: str, *args: str, stage: Stage = Stage.WORKER, grace_s: float = PATIENCE_S, **more: object
    ) -> Part:
        """Return a dummy as a part."""
        command = (sys.executable, dummy.__file__, name, str(self.journal.path), *args)
        return Part(name, command, stage, grace_s=grace_s, start_s=PATIENCE_S, **more)  # type: ignore[arg-type]

    def supervisor(self) -> Supervisor:
        """Return a supervisor that writes to this folder."""
        return Supervisor(self.root, self.said.append, self._reap)

    async def _reap(self, part: Part, addresses: Mapping[str, str]) -> None:
        self.reaped.append((part.name, addresses))

    def left(self) -> list[int]:
        """Return the processes that still run of all that ever wrote down their number."""
        return [pid for _, _, pid in self.journal.rows() if alive(pid)]


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    house = House(tmp_path)
    yield house
    await until(lambda: not house.left())


async def test_start_returns_the_addresses_of_the_ready_line(house: House) -> None:
    """A process is ready when it says so, and its line carries its addresses."""
    async with house.supervisor() as running:
        said = await running.start(house.part("ladder", "--ready", '{"web": "127.0.0.1:7421"}'))
    assert said == {"web": "127.0.0.1:7421"}


async def test_children_lead_their_own_process_groups(house: House) -> None:
    """A Ctrl-C at the terminal reaches the supervisor only."""
    async with house.supervisor() as running:
        await running.start(house.part("beat"))
        (pid,) = house.journal.pids("beat")
        assert os.getpgid(pid) == pid != os.getpgrp()


async def test_stages_stop_in_order_whatever_the_order_of_starting(house: House) -> None:
    """The store, that all others write to, stops last; the referee drains before it."""
    async with house.supervisor() as running:
        await running.start_all(*(house.part(stage.name.lower(), stage=stage) for stage in reversed(Stage)))
    stopped = house.journal.names("stop")
    assert set(stopped[:3]) == {"ladder", "beat", "worker"}
    assert stopped[3:] == ["referee", "bot", "store"]


async def test_a_deaf_process_is_killed_after_its_grace(house: House) -> None:
    """SIGTERM is a request with a time limit."""
    async with house.supervisor() as running:
        await running.start(house.part("referee", "--deaf", grace_s=2.0))
    assert house.journal.names("stop") == ["referee"]
    await until(lambda: not house.left())


async def test_grandchildren_go_with_their_process(house: House) -> None:
    """What is left of a process group is swept up after its leader has ended."""
    async with house.supervisor() as running:
        await running.start(house.part("worker", "--child"))
        await until(lambda: house.journal.pids("worker", "child"))
        (child,) = house.journal.pids("worker", "child")
        assert alive(child)
    await until(lambda: not alive(child))


async def test_a_killed_process_is_started_again(house: House) -> None:
    """A crash is said, with the last lines of the log, and mended."""
    async with house.supervisor() as running:
        await running.start(house.part("beat"))
        os.kill(house.journal.pids("beat")[0], signal.SIGKILL)
        await until(lambda: len(house.journal.pids("beat")) == 2)
    assert "beat was ended by SIGKILL" in house.said[0]
    assert "started again in 1 s" in house.said[0]


async def test_a_process_whose_log_was_removed_is_started_again(house: House) -> None:
    """It is told once that nobody can read it; its last words are known all the same, and it gets a new log."""
    log = house.root / "logs" / "beat.log"
    async with Supervisor(log.parent, house.said.append, bounds=Bounds(look_s=0.01)) as running:
        await running.start(house.part("beat"))
        log.unlink()
        await until(lambda: house.said)
        log.parent.rmdir()
        os.kill(house.journal.pids("beat")[0], signal.SIGKILL)
        await until(lambda: "beat runs again." in house.said)
    assert f"{log} was removed" in house.said[0]
    assert "beat was ended by SIGKILL" in house.said[1]
    assert "READY {}" in house.said[1]
    assert "READY {}" in log.read_text("utf-8")
    assert len(house.said) == 3


async def test_what_cannot_be_started_again_counts_as_a_crash(house: House) -> None:
    """A log that cannot be opened is waited for, at growing pauses."""
    logs = house.root / "logs"
    async with Supervisor(logs, house.said.append) as running:
        await running.start(house.part("beat"))
        logs.rename(house.root / "away")
        logs.touch()
        os.kill(house.journal.pids("beat")[0], signal.SIGKILL)
        await until(lambda: len(house.said) == 2)
        logs.unlink()
        await until(lambda: "beat runs again." in house.said)
    assert "started again in 1 s" in house.said[0]
    assert "beat could not be started: File exists" in house.said[1]
    assert "tried again in 2 s" in house.said[1]


async def test_what_can_never_be_started_again_ends_everything(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """After as many crashes as any other, with the reason, and in order."""
    monkeypatch.setattr(restarts, "FIRST_S", 0.01)
    logs = house.root / "logs"

    async def run() -> None:
        async with Supervisor(logs, house.said.append) as running:
            await running.start_all(house.part("store", stage=Stage.STORE), house.part("beat"))
            logs.rename(house.root / "away")
            logs.touch()
            os.kill(house.journal.pids("beat")[0], signal.SIGKILL)
            await asyncio.Event().wait()

    with pytest.raises(PartFailedError, match="beat could not be started: File exists"):
        await run()
    assert house.journal.names("stop") == ["store"]


async def test_a_first_start_without_a_log_fails_in_a_sentence(house: House) -> None:
    """With the file that was to be opened."""
    (house.root / "logs").touch()
    with pytest.raises(PartFailedError, match=r"beat could not be started: File exists .*logs"):
        async with Supervisor(house.root / "logs", house.said.append) as running:
            await running.start(house.part("beat"))


async def test_a_lapsed_referee_is_started_again_at_once(house: House, tmp_path: Path) -> None:
    """Exit 75 is no crash; whoever asked is told which incarnation is gone."""
    flags = ("--exit", "75", "--once", str(tmp_path / "lapsed"), "--ready", '{"incarnation": "a1"}')
    async with house.supervisor() as running:
        await running.start(house.part("referee-0", *flags, stage=Stage.REFEREE))
        await until(lambda: len(house.journal.pids("referee-0")) == 2)
    assert "started again in 0 s" in house.said[0]
    assert house.reaped[0] == ("referee-0", {"incarnation": "a1"})


async def test_a_process_that_never_becomes_ready_fails_with_its_last_words(house: House) -> None:
    """A start that fails is not repeated: it would only fail again."""
    part = house.part("ladder", "--exit", "2", "--last", "OSError: [Errno 98] Address already in use")
    with pytest.raises(PartFailedError) as failed:
        async with house.supervisor() as running:
            await running.start(part)
    assert "ladder ended with exit code 2 before it was ready: its port is taken" in str(failed.value)
    assert "OSError: [Errno 98] Address already in use" in str(failed.value)
    assert house.journal.names("start") == ["ladder"]


async def test_one_failing_start_stops_the_others(house: House) -> None:
    """Nothing is left behind by a house that did not come up."""

    async def run() -> None:
        async with house.supervisor() as running:
            await running.start(house.part("store", stage=Stage.STORE))
            await running.start_all(house.part("ladder", "--silent"), house.part("worker", "--exit", "3"))

    with pytest.raises(PartFailedError, match="worker ended with exit code 3"):
        await run()
    await until(lambda: not house.left())


async def test_a_silent_process_fails_when_its_time_is_up(house: House) -> None:
    """No READY line in time is a failure, and the process is ended."""
    part = house.part("worker", "--silent")
    slow = Part(part.name, part.command, part.stage, start_s=0.5)
    with pytest.raises(PartFailedError, match=r"worker was not ready after 0\.5 s"):
        async with house.supervisor() as running:
            await running.start(slow)


async def test_a_process_that_ends_again_and_again_ends_everything(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And that is said: what it wrote last looks as each time before."""
    monkeypatch.setattr(restarts, "FIRST_S", 0.01)

    async def run() -> None:
        async with house.supervisor() as running:
            await running.start(house.part("beat"))
            for runs in range(1, restarts.MOST + 1):
                os.kill(house.journal.pids("beat")[-1], signal.SIGKILL)
                await until(lambda: len(house.said) == 2 * runs)  # noqa: B023  (waited for in here)

    with pytest.raises(PartFailedError, match="beat was ended by SIGKILL, 5 times with too little work in between"):
        await run()
    assert len(house.said) == 8  # four times that it ended, and that it runs again


async def test_who_finds_no_store_is_started_until_there_is_one(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However often that takes: a store is started again, too, and may have much to load."""
    monkeypatch.setattr(restarts, "FIRST_S", 0.01)
    away = tmp_path / "away"
    async with house.supervisor() as running:
        await running.start(house.part("beat", "--exit", "3", "--during", str(away)))
        away.touch()
        os.kill(house.journal.pids("beat")[0], signal.SIGKILL)
        await until(lambda: len(house.journal.pids("beat")) > restarts.MOST + 2)
        away.unlink()
        await until(lambda: house.said[-1] == "beat runs again.")
    assert "beat was ended by SIGKILL" in house.said[0]
    assert all("beat ended with exit code 3" in said for said in house.said[1 : restarts.MOST + 2])


async def test_a_process_that_may_not_restart_ends_everything(house: House) -> None:
    """Its crash cancels the body, and all others stop in order."""

    async def run() -> None:
        async with house.supervisor() as running:
            await running.start_all(
                house.part("store", stage=Stage.STORE),
                house.part("ladder", stage=Stage.LADDER),
                house.part("bot-greedy", stage=Stage.BOT, restarts=False),
            )
            os.kill(house.journal.pids("bot-greedy")[0], signal.SIGKILL)
            await asyncio.Event().wait()

    with pytest.raises(PartFailedError, match="bot-greedy was ended by SIGKILL"):
        await run()
    assert house.journal.names("stop") == ["ladder", "store"]


async def test_a_process_that_is_done_ends_alone(house: House, tmp_path: Path) -> None:
    """A bot whose token was revoked is not started again, and everything else goes on."""
    flags = ("--exit", "2", "--once", str(tmp_path / "revoked"))
    async with house.supervisor() as running:
        await running.start(house.part("ladder", stage=Stage.LADDER))
        await running.start(house.part("bot-greedy", *flags, stage=Stage.BOT, done=frozenset({2})))
        await until(lambda: "bot-greedy" not in running.children)
        assert list(running.children) == ["ladder"]
    assert house.journal.names("start") == ["ladder", "bot-greedy"]
    assert "bot-greedy ended with exit code 2" in house.said[0]
    assert "all else goes on" in house.said[0]


async def test_cancelling_again_while_it_stops_kills_at_once(house: House) -> None:
    """Who does not want to wait for the graces says so twice."""

    async def run() -> None:
        async with house.supervisor() as running:
            await running.start(house.part("referee", "--deaf", grace_s=60.0))
            await asyncio.Event().wait()

    task = asyncio.ensure_future(run())
    await until(lambda: house.journal.names("start"))
    task.cancel()
    await until(lambda: house.journal.names("stop"))
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await until(lambda: not house.left())


async def test_cancelling_during_a_start_leaves_nothing(house: House) -> None:
    """Ctrl-C while a process is not ready yet ends that process too."""

    async def run() -> None:
        async with house.supervisor() as running:
            await running.start_all(house.part("ladder", "--silent"), house.part("worker", "--silent"))

    task = asyncio.ensure_future(run())
    await until(lambda: len(house.journal.names("start")) == 2)
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await until(lambda: not house.left())


async def test_a_probe_stands_in_for_a_program_that_does_not_know_us(house: House) -> None:
    """A store prints no READY line: it is ready when it answers."""
    looks: list[int] = []

    async def probe() -> Mapping[str, str]:
        looks.append(1)
        if len(looks) < 3:
            raise ConnectionRefusedError
        return {"url": "redis://127.0.0.1:1"}

    part = house.part("store", "--silent", stage=Stage.STORE)
    async with house.supervisor() as running:
        said = await running.start(Part(part.name, part.command, part.stage, probe=probe))
    assert said == {"url": "redis://127.0.0.1:1"}


async def test_logs_belong_to_their_owner_alone(house: House) -> None:
    """What a process writes is nobody else's business."""
    async with house.supervisor() as running:
        await running.start(house.part("beat"))
    assert (house.root / "beat.log").stat().st_mode & 0o777 == 0o600
    assert "READY {}" in (house.root / "beat.log").read_text("utf-8")
