"""Rounds a second of a tournament through Celery, beside the same matches handed to the same referee at once.

And its CPU, beside that of the same tournament whose planning and rating are called without Celery.

Referee on core 0; bots on core 1, and there the worker and the beat, too, which prove and rate every match.
"""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, assert_never

from bench.by_hand import ByHand
from bench.rows import Row, paired
from bench.stage import FORMAT, TICKS, Stage, cpu_s, staged
from ladder.store import Store, logs
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
IDS: Final = ("tournament", "celery_cpu")
ENDED: Final = frozenset({MatchState.CLOSED, MatchState.RATED, MatchState.ARCHIVED, MatchState.TRIMMED})


@dataclass(frozen=True, slots=True)
class Played:
    """All matches of a tournament, played."""

    games_s: float
    """From the wish to the end of the last match."""
    finished_s: float
    """From the wish to the end, everything rated."""
    referee_us: float
    """CPU of the referee a game."""
    tasks: int
    """Done by the worker; 0 where there is none."""
    planned_us: float
    """CPU a game of whoever plans and rates: the worker with all its processes and the beat, or this process."""
    bots_us: float
    store_us: float
    """The broker is in it."""


class Way(Enum):
    """How the matches of the tournament come to the referee."""

    DIRECT = "direct"
    """All are written to the ledger at once; nobody rates them."""
    BY_HAND = "by hand"
    """What workers do is done here, in a loop."""
    CELERY = "celery"


def run(repeats: int, meetings: int = MEETINGS) -> list[Row]:
    """Measure and return the rows."""
    logs.configure()
    played: dict[Way, list[Played]] = {way: [] for way in Way}
    for repeat in range(repeats):
        for way in Way:
            sys.stderr.write(f"tournament: repeat {repeat + 1}/{repeats}, {way.value}\n")
            played[way].append(_measured(meetings, way))
    return [_pace(played[Way.DIRECT], played[Way.CELERY], meetings), _cost(played[Way.BY_HAND], played[Way.CELERY])]


def _pace(direct: Sequence[Played], through: Sequence[Played], meetings: int) -> Row:
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
    return Row("tournament", what, ratio, len(through), detail)


def _cost(by_hand: Sequence[Played], through: Sequence[Played]) -> Row:
    """Return what Celery costs: the CPU of a tournament without it, over that with queue, worker and beat.

    Referee and bots are those of the same run in both: their part does not depend on who rings, and varies more.
    """
    pairs = list(zip(by_hand, through, strict=True))
    bare = [celery.referee_us + celery.bots_us + hand.store_us + hand.planned_us for hand, celery in pairs]
    whole = [one.referee_us + one.bots_us + one.store_us + one.planned_us for one in through]
    detail = {
        "celery_share": 1 - paired(bare, whole),
        "referee_us": median(one.referee_us for one in through),
        "bots_us": median(one.bots_us for one in through),
        "worker_us": median(one.planned_us for one in through),
        "by_hand_us": median(one.planned_us for one in by_hand),
        "store_us": median(one.store_us for one in through),
        "by_hand_store_us": median(one.store_us for one in by_hand),
    }
    what = "CPU of a tournament whose planning and rating are called in a loop v through Celery, worker and beat"
    return Row("celery_cpu", what, paired(bare, whole), len(through), detail)


def _games(meetings: int) -> int:
    return BOTS * (BOTS - 1) * meetings


def _measured(meetings: int, way: Way) -> Played:
    spec = TournamentSpec("bench", FORMAT, NAMES, meetings=meetings)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="lastcard-bench-")))
        stage = stack.enter_context(staged(folder, BOTS, ROUNDS, plan=False))
        url = stage.environ["LASTCARD_REDIS_URL"]
        store = stack.enter_context(Store.open(url, role="bench", allow_volatile=True))
        workers = stack.enter_context(_workers(stage, folder)) if way is Way.CELERY else ()
        stage.until(lambda: len(store.presence.online(FORMAT)) == BOTS, "the bots did not come")
        plans = _plans(spec)
        cpu, began, wished_s = _spent_s(stage), time.perf_counter(), time.time()
        planned_s = _played(way, stage, store, spec, plans, workers)
        finished_s = time.perf_counter() - began
        us = [1e6 * (after - before) / _games(meetings) for before, after in zip(cpu, _spent_s(stage), strict=True)]
        rows = store.matches.rows([plan.id for plan in plans])
        if any(row.state not in ENDED for row in rows) or sum(row.games_done for row in rows) != _games(meetings):
            raise RuntimeError("not everything was played")
        seconds = max(row.ended_ms for row in rows) / 1000 - wished_s
        return Played(
            _games(meetings) / seconds,
            finished_s,
            us[0],
            _tasks(store),
            1e6 * planned_s / _games(meetings),
            *us[1:],
        )


def _spent_s(stage: Stage) -> tuple[float, float, float]:
    """Return the CPU seconds of referee, bots and store so far."""
    return stage.cpu_s(), cpu_s(stage.bots_pid), cpu_s(stage.store_pid)


def _played(
    way: Way, stage: Stage, store: Store, spec: TournamentSpec, plans: Sequence[MatchPlan], workers: Sequence[int]
) -> float:
    """Have the tournament played to its end; returns the CPU seconds of whoever planned and rated it."""
    url = stage.environ["LASTCARD_REDIS_URL"]

    def over() -> bool:
        return State(store.tournaments.get(spec.name).state).over

    match way:
        case Way.DIRECT:
            store.matches.plan(plans, time.time_ns() // 1_000_000)
            stage.until(lambda: store.matches.states()[MatchState.CLOSED] == len(plans), "the matches did not end")
            return 0.0
        case Way.BY_HAND:
            hand = ByHand(store, WorkerSettings.of({**stage.environ, "LASTCARD_LUCK": "0"}))
            _create(store, spec)
            return hand.until(over)
        case Way.CELERY:
            before = sum(map(_tree_cpu_s, workers))
            _create(store, spec)
            with make_app(WorkerSettings.of({"LASTCARD_REDIS_URL": url})) as app:
                CeleryDoorbell(app).ring(Job("plan", (spec.name,)))
            stage.until(over, "the tournament did not end")
            return sum(map(_tree_cpu_s, workers)) - before
        case _:
            assert_never(way)


def _tree_cpu_s(pid: int) -> float:
    """Return the CPU seconds of a process and of all that it started, those that have ended included."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return sum(map(int, fields[11:15])) / TICKS + sum(_tree_cpu_s(int(child)) for child in children)


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


def _create(store: Store, spec: TournamentSpec) -> None:
    """Create a tournament as the desk does."""
    store.tournaments.create(spec.name, spec.fields(), state=State.DRAFT, now_ms=time.time_ns() // 1_000_000)


@contextmanager
def _workers(stage: Stage, folder: Path) -> Iterator[tuple[int, ...]]:
    """Run a worker and a beat as they are shipped, on the core of the bots; yields their process ids."""
    started = list[int]()
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
            started.append(process.pid)
            _pin(process.pid, 1)
            assert process.stdout is not None
            if not process.stdout.readline().startswith("READY "):
                raise RuntimeError((folder / "workers.log").read_text("utf-8"))
            for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("ascii").split():
                _pin(int(child), 1)
        yield tuple(started)


def _pin(pid: int, core: int) -> None:
    if (os.cpu_count() or 1) > core:
        os.sched_setaffinity(pid, {core})
