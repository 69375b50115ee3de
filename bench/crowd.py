"""What many bots cost a referee, and how soon matches of a dead one play on: rows with units, one run each."""

import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.aims import IDLE_KIB, P99_MS, RESUME_S
from bench.rows import Row
from bench.stage import PATIENCE_S, Stage, match, players, staged
from ladder.store import Store
from ladder.store.rows import MatchState
from referee import descriptors

IDS: Final = ("idle_bot", "many_bots", "resume")
CROWD: Final = 1_000
PLAYED: Final = 40
"""Matches of the pair that is timed: more than it can play."""
MEASURED_S: Final = 15.0
STILL_S: Final = 20.0
"""After so long without a further match the referee has as many as it takes on: one that is late takes no more."""
THINK_S: Final = 1.0
RESUMED: Final = 8
"""Bots whose referee is killed."""


def run(only: Sequence[str] | None) -> list[Row]:
    """Measure and return the rows."""
    descriptors.allow()
    rows = []
    if not only or {"idle_bot", "many_bots"} & set(only):
        rows += [row for row in crowd() if not only or row.id in only]
    if not only or "resume" in only:
        rows.append(resumed())
    return rows


def crowd() -> list[Row]:
    """Measure a referee with a thousand connected bots: first idle, then each with a decision a second."""
    sys.stderr.write(f"{CROWD} bots: idle, then a decision a second each\n")
    with (
        TemporaryDirectory(prefix="lastcard-bench-") as folder,
        staged(Path(folder), CROWD, 1, plan=False, apart=2, think_s=THINK_S) as stage,
        Store.open(stage.environ["LASTCARD_REDIS_URL"], role="bench", allow_volatile=True) as store,
    ):
        idle = CROWD - 2
        stage.until(lambda: stage.sessions() >= idle, "the bots did not come")
        kib = (stage.memory_kib() - stage.before_kib) / idle
        names = [f"bench-{number:03d}@1" for number in range(CROWD)]
        _plan(store, [(names[-2], names[-1])], PLAYED)
        with _pair(stage, idle) as pair:
            stage.until(lambda: stage.rounds() > 0, "the pair did not begin")
            _plan(store, list(zip(names[:idle:2], names[1:idle:2], strict=True)), 1, leg=1 + PLAYED)
            playing = 2 * (_settled(stage, idle // 2 + 1) - 1)
            before, began = stage.decisions(), time.perf_counter()
            times = _timed(pair)
            rate = (stage.decisions() - before) / (time.perf_counter() - began)
    cuts = statistics.quantiles(times, n=100)
    return [
        Row("idle_bot", f"memory of a connected idle bot of {idle}: {IDLE_KIB.most:g} KiB over what it takes",
            IDLE_KIB.most / kib, 1, {"kib": kib}),
        Row("many_bots",
            f"{P99_MS.most:g} ms over the p99 from an instant bot's answer to its next question of {CROWD:,}",
            P99_MS.most / (1e3 * cuts[98]), 1,
            {"p50_ms": 1e3 * cuts[49], "p99_ms": 1e3 * cuts[98], "answers": len(times), "decisions_s": rate,
             "others_playing": playing}),
    ]  # fmt: skip


@contextmanager
def _pair(stage: Stage, first: int) -> Iterator[subprocess.Popen[str]]:
    """Let two instant bots play each other in a process of their own."""
    pair = players({"server": stage.play[0], "tokens": stage.tokens, "rounds": 1, "open": 1, "first": first,
                    "seconds": MEASURED_S})  # fmt: skip
    with pair:
        try:
            yield pair
        finally:
            pair.kill()


def _settled(stage: Stage, most: int) -> int:
    """Return how many rounds are in play when all are, or when there have been no more for a while."""
    rounds, since = 0.0, time.monotonic()

    def so() -> bool:
        nonlocal rounds, since
        if (now := stage.rounds()) > rounds:
            rounds, since = now, time.monotonic()
        return rounds >= most or time.monotonic() - since > STILL_S

    stage.until(so, "matches go on beginning")
    return int(rounds)


def _timed(pair: "subprocess.Popen[str]") -> list[float]:
    """Return seconds from answers to questions of a pair that plays, from now on."""
    out, _ = pair.communicate("\n", timeout=MEASURED_S + 30)
    return [float(text) for text in out.strip(" []\n").split(",")]


def resumed() -> Row:
    """Kill a referee that hosts matches, and wait until each has logged an act at the other one."""
    sys.stderr.write("resume: kill -9, and wait for every match to play on\n")
    with (
        TemporaryDirectory(prefix="lastcard-bench-") as folder,
        staged(Path(folder), RESUMED, 16, plan=False, referees=2) as stage,
        Store.open(stage.environ["LASTCARD_REDIS_URL"], role="bench", allow_volatile=True) as store,
    ):
        stage.until(lambda: stage.sessions() >= RESUMED, "the bots did not come")
        names = [f"bench-{number:03d}@1" for number in range(RESUMED)]
        _plan(store, list(zip(names[::2], names[1::2], strict=True)), PLAYED)
        stage.until(lambda: stage.decisions() > 50 * RESUMED, "nothing was played")
        victim = stage.processes[0]
        victim.kill()
        victim.wait()
        killed = time.perf_counter()
        left = {
            row.id: _epoch(store, row.id)
            for row in store.matches.page(limit=500).rows
            if row.state is MatchState.RUNNING
        }
        matches, taken = len(left), list[float]()
        while left:
            for name, epoch in list(left.items()):
                if _epoch(store, name) > epoch:
                    taken.append(time.perf_counter() - killed)
                    del left[name]
            if time.perf_counter() - killed > PATIENCE_S:
                raise RuntimeError(f"{len(left)} of {matches} matches did not go on")
            time.sleep(0.01)
    detail = {"longest_s": max(taken), "median_s": statistics.median(taken), "matches": float(matches)}
    what = (
        f"{RESUME_S.most:g} s over the time from kill -9 of a referee "
        "to the first act of the last of its matches elsewhere"
    )
    return Row("resume", what, RESUME_S.most / max(taken), 1, detail)


def _epoch(store: Store, name: str) -> int:
    """Return the epoch of the newest entry of a match that is more than its claim."""
    epoch, seq, _ = store.matches.head(name).split("-")
    return int(epoch) if int(seq) else int(epoch) - 1


def _plan(store: Store, pairs: Sequence[tuple[str, str]], each: int, leg: int = 1) -> None:
    """Plan so many matches of each pair."""
    plans = [
        match(f"bench.{leg + number}.{table}.0", *pair) for number in range(each) for table, pair in enumerate(pairs, 1)
    ]
    store.matches.plan(plans, time.time_ns() // 1_000_000)
