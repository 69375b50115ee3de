"""Rounds a second of a tournament through Celery, beside the same matches handed to the same referee at once.

Referee on core 0; bots on core 1, and there the worker and the beat, too, which prove and rate every match.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final

from bench.rows import Row, paired
from bench.stage import FORMAT, Stage, staged
from ladder.store import Store
from ladder.store.rows import MatchPlan, MatchState
from workers.app import make_app
from workers.doorbell import CeleryDoorbell
from workers.due import Job
from workers.engine import terms
from workers.settings import WorkerSettings
from workers.tournaments.draw import drawn
from workers.tournaments.life import State
from workers.tournaments.spec import TournamentSpec

BOTS: Final = 8
ROUNDS: Final = 64
"""In flight, of each bot."""
MEETINGS: Final = 100
NAMES: Final = tuple(f"bench-{number:03d}" for number in range(BOTS))
ENDED: Final = frozenset({MatchState.CLOSED, MatchState.RATED, MatchState.ARCHIVED, MatchState.TRIMMED})


@dataclass(frozen=True, slots=True)
class Played:
    """All matches of a tournament, played."""

    games_s: float
    """From the first claim to the last end."""
    finished_s: float
    """From the wish to the end, everything rated."""
    referee_us: float
    """CPU of the referee a game."""
    tasks: int
    """Done by the worker; 0 where there is none."""


def run(repeats: int, meetings: int = MEETINGS) -> list[Row]:
    """Measure and return the row."""
    direct, through = [], []
    for repeat in range(repeats):
        sys.stderr.write(f"tournament: repeat {repeat + 1}/{repeats}\n")
        direct.append(_measured(meetings, celery=False))
        through.append(_measured(meetings, celery=True))
    detail = {
        "rounds_s": median(one.games_s for one in through),
        "direct_rounds_s": median(one.games_s for one in direct),
        "cpu_ratio": paired([one.referee_us for one in direct], [one.referee_us for one in through]),
        "finished_s": median(one.finished_s for one in through),
        "rounds": float(_games(meetings)),
        "tasks": median(one.tasks for one in through),
    }
    ratio = paired([one.games_s for one in through], [one.games_s for one in direct])
    what = f"rounds/s of {BOTS} bots x {ROUNDS} rounds through Celery (luck off) v the same referee fed directly"
    return [Row("tournament", what, ratio, repeats, detail)]


def _games(meetings: int) -> int:
    return BOTS * (BOTS - 1) * meetings


def _measured(meetings: int, *, celery: bool) -> Played:
    spec = TournamentSpec("bench", FORMAT, NAMES, meetings=meetings)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="lastcard-bench-")))
        stage = stack.enter_context(staged(folder, BOTS, ROUNDS, log=True, plan=False))
        url = stage.environ["LASTCARD_REDIS_URL"]
        store = stack.enter_context(Store.open(url, role="bench", allow_volatile=True))
        if celery:
            stack.enter_context(_workers(stage, folder))
        stage.until(lambda: len(store.presence.online(FORMAT)) == BOTS, "the bots did not come")
        plans = _plans(spec)
        cpu, began = stage.cpu_s(), time.perf_counter()
        if celery:
            _create(store, spec, url)
            stage.until(lambda: State(store.tournaments.get(spec.name).state).over, "the tournament did not end")
        else:
            store.matches.plan(plans, time.time_ns() // 1_000_000)
            stage.until(lambda: store.matches.states()[MatchState.CLOSED] == len(plans), "the matches did not end")
        finished_s = time.perf_counter() - began
        rows = store.matches.rows([plan.id for plan in plans])
        if any(row.state not in ENDED for row in rows) or sum(row.games_done for row in rows) != _games(meetings):
            raise RuntimeError("not everything was played")
        seconds = (max(row.ended_ms for row in rows) - min(row.claimed_ms for row in rows)) / 1000
        referee_us = 1e6 * (stage.cpu_s() - cpu) / _games(meetings)
        return Played(_games(meetings) / seconds, finished_s, referee_us, _tasks(store))


def _tasks(store: Store) -> int:
    """Return how many tasks the workers did: what Celery costs is so many round trips through the broker."""
    return sum(done for counter, done in store.counters.read().items() if counter.name == "tasks_total")


def _plans(spec: TournamentSpec) -> list[MatchPlan]:
    """Return the matches of a tournament, to be played without anybody's help."""
    found = terms(spec.format)
    return [
        MatchPlan(
            id=str(fixture.id),
            format=found.name,
            ruleset=found.ruleset,
            rules_version=found.rules_version,
            entrants=fixture.entrants,
            meetings=fixture.meetings,
        )
        for fixture in drawn(spec, found, tuple(f"{name}@1" for name in spec.names))
    ]


def _create(store: Store, spec: TournamentSpec, url: str) -> None:
    """Create a tournament as the desk does, and ring."""
    now_ms = time.time_ns() // 1_000_000
    store.tournaments.create(spec.name, spec.fields(), state=State.DRAFT, now_ms=now_ms)
    with make_app(WorkerSettings.of({"LASTCARD_REDIS_URL": url})) as app:
        CeleryDoorbell(app).ring(Job("plan", (spec.name,)))


@contextmanager
def _workers(stage: Stage, folder: Path) -> Iterator[None]:
    """Run a worker and a beat as they are shipped, on the core of the bots."""
    environ = {**stage.environ, "LASTCARD_LUCK": "0"}
    with (folder / "workers.log").open("wb") as log, ExitStack() as stack:
        for role in ("worker", "beat"):
            process = subprocess.Popen(
                [sys.executable, "-m", "lastcard.cli", "serve", role],
                stdout=subprocess.PIPE,
                stderr=log,
                env=environ,
                text=True,
            )
            stack.callback(process.wait, 60)
            stack.callback(process.terminate)
            _pin(process.pid, 1)
            assert process.stdout is not None
            if not process.stdout.readline().startswith("READY "):
                raise RuntimeError((folder / "workers.log").read_text("utf-8"))
            for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("ascii").split():
                _pin(int(child), 1)
        yield


def _pin(pid: int, core: int) -> None:
    if (os.cpu_count() or 1) > core:
        os.sched_setaffinity(pid, {core})
