"""A real referee for a benchmark: its own store, its own process on core 0, its bots in a process on core 1."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

from ladder.store import Store, local
from ladder.store.pepper import load as load_pepper
from ladder.store.rows import MatchPlan
from referee import formats
from referee.rules.options import RULES_VERSION

FORMAT = "uno-classic-2"
MEETINGS = 16
MATCHES = 400
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(slots=True)
class Stage:
    """A referee under load.

    Attributes:
        pid: of the referee.
        metrics: address of its /metrics.
        environ: what every process of it is told.
    """

    pid: int
    metrics: str
    environ: dict[str, str]

    def decisions(self) -> float:
        """Return decisions answered so far."""
        return self._metric(r"^lastcard_decision_seconds_count (\S+)")

    def messages(self) -> float:
        """Return messages sent so far."""
        return self._metric(r'^lastcard_stream_messages_total\{direction="sent"\} (\S+)')

    def _metric(self, pattern: str) -> float:
        with urllib.request.urlopen(f"http://{self.metrics}/metrics", timeout=5) as response:
            text = response.read().decode()
        found = re.search(pattern, text, re.MULTILINE)
        return float(found[1]) if found else 0.0

    def cpu_s(self) -> float:
        """Return CPU seconds of the referee so far."""
        return _cpu_s(self.pid)


def _cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


@dataclass(frozen=True, slots=True)
class Figures:
    """What one cell measured: moves a wall second, referee CPU seconds a move, moves a message."""

    moves_s: float
    cpu_s: float
    batch: float


def measure(*, bots: int, rounds: int, seconds: float, log: bool = True, warm_s: float = 0.7) -> Figures:
    """Run one cell: so many bots, each with so many rounds in flight."""
    with TemporaryDirectory(prefix="lastcard-bench-") as folder, staged(Path(folder), bots, rounds, log=log) as stage:
        deadline = time.monotonic() + 20
        while stage.decisions() < 10 * bots and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(warm_s)
        moves, cpu, messages, began = stage.decisions(), stage.cpu_s(), stage.messages(), time.perf_counter()
        time.sleep(seconds)
        wall = time.perf_counter() - began
        moved = stage.decisions() - moves
        if moved <= 0:
            raise RuntimeError(f"no moves in {seconds} s with {bots} bots x {rounds} rounds")
        return Figures(moved / wall, (stage.cpu_s() - cpu) / moved, moved / max(1.0, stage.messages() - messages))


@contextmanager
def staged(folder: Path, bots: int, rounds: int, *, log: bool, plan: bool = True) -> Iterator[Stage]:
    """Start store, referee and bots; end them. Without `plan` there is nothing to play yet."""
    with local.start(folder / "store", fsync=local.Fsync.EVERYSEC) as server:
        pepper = folder / "pepper"
        environ = {**os.environ, "LASTCARD_REDIS_URL": server.url, "LASTCARD_PEPPER_FILE": str(pepper),
                   "LASTCARD_STATE": str(folder), "LASTCARD_ALLOW_VOLATILE": "1"}  # fmt: skip
        store = Store.open(server.url, role="worker", pepper=load_pepper(pepper), allow_volatile=True)
        with store:
            tokens = _enter(store, bots, plan=plan)
        referee = subprocess.Popen(
            [sys.executable, "-m", "bench.referee_process", *([] if log else ["--no-log"])],
            stdout=subprocess.PIPE, stderr=(folder / "referee.log").open("wb"), env=environ, text=True,
        )  # fmt: skip
        players: subprocess.Popen[str] | None = None
        try:
            assert referee.stdout is not None
            line = referee.stdout.readline()
            if not line.startswith("READY "):
                raise RuntimeError((folder / "referee.log").read_text(encoding="utf-8"))
            ready = json.loads(line.removeprefix("READY "))
            players = subprocess.Popen([sys.executable, "-m", "bench.bots"], stdin=subprocess.PIPE, text=True)
            assert players.stdin is not None
            spec = {"server": ready["play"], "tokens": tokens, "rounds": rounds, "open": min(256, rounds)}
            players.stdin.write(json.dumps(spec) + "\n")
            players.stdin.flush()
            yield Stage(referee.pid, ready["metrics"], environ)
        finally:
            for process in (players, referee):
                if process is not None:
                    process.kill()
                    process.wait()


def _enter(store: Store, bots: int, *, plan: bool) -> list[str]:
    """Register the bots and plan, if asked for, more matches than a cell can play; return their tokens."""
    tokens, versions = [], []
    for number in range(bots):
        _, token = store.registry.register(f"bench-{number:03d}", f"owner-{number}")
        tokens.append(token)
        versions.append(store.registry.version(f"bench-{number:03d}", "1"))
    if not plan:
        return tokens
    pairs = (
        [(a, b) for a, b in combinations(versions, 2)]
        if bots <= 8
        else list(zip(versions[::2], versions[1::2], strict=True))
    )
    ruleset = formats.get(FORMAT).rules.hash
    plans = [
        MatchPlan(id=f"bench.{n}.{t}.0", format=FORMAT, ruleset=ruleset, rules_version=RULES_VERSION,
                  entrants=pair, meetings=MEETINGS, rated=False)
        for n in range(1, MATCHES // len(pairs) + 2) for t, pair in enumerate(pairs, 1)
    ]  # fmt: skip
    store.matches.plan(plans, time.time_ns() // 1_000_000)
    return tokens
