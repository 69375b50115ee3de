"""A real referee for a benchmark: its own store, its own process on core 0, its bots in a process on core 1."""

import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from ladder.store import Store, local
from ladder.store.pepper import load as load_pepper
from ladder.store.rows import MatchPlan
from referee import formats, settings
from referee.rules.options import RULES_VERSION

FORMAT: Final = "uno-classic-2"
MEETINGS: Final = 16
MATCHES: Final = 400
TICKS: Final = os.sysconf("SC_CLK_TCK")
PATIENCE_S: Final = 300.0
LOOK_S: Final = 0.05
WARM: Final = 20
"""Decisions of each round in play, from when all bots are there, before anything is measured: then some are at every
stage of a round."""


@dataclass(slots=True)
class Stage:
    """A referee under load.

    Attributes:
        pid: of the referee.
        metrics: address of its /metrics; all_metrics: those of every referee.
        environ: what every process of it is told.
        play: where bots dial in, of each referee.
        tokens: of bots that play elsewhere than in the process of the others.
        before_kib: memory of the referee before any bot came.
        processes: the referees.
        store_pid: of the store, which is the broker, too.
        bots_pid: of the bots that are not left to the caller.
    """

    pid: int
    metrics: str
    all_metrics: list[str]
    environ: dict[str, str]
    play: list[str]
    tokens: list[str]
    before_kib: int
    processes: list[subprocess.Popen[str]]
    store_pid: int
    bots_pid: int = 0

    def until(self, reached: Callable[[], bool], why: str) -> None:
        """Wait until something is so; `why` says what is wrong if it never is, or if a referee is no more."""
        end = time.monotonic() + PATIENCE_S
        while not self._so(reached):
            ended = [code for code in (process.poll() for process in self.processes) if code is not None]
            if ended or time.monotonic() > end:
                raise RuntimeError(f"{why}; a referee ended with {ended[0]}" if ended else why)
            time.sleep(LOOK_S)

    @staticmethod
    def _so(reached: Callable[[], bool]) -> bool:
        """Whether something is so; a referee that has just ended says nothing."""
        try:
            return reached()
        except OSError:
            return False

    def sessions(self) -> float:
        """Return bots that are connected."""
        return sum(_metric(one, r"^lastcard_sessions (\S+)") for one in self.all_metrics)

    def memory_kib(self) -> int:
        """Return what the referee has in memory."""
        return _memory_kib(self.pid)

    def decisions(self) -> float:
        """Return decisions answered so far."""
        return sum(_metric(one, r"^lastcard_decision_seconds_count (\S+)") for one in self.all_metrics)

    def rounds(self) -> float:
        """Return rounds in play."""
        return sum(_metric(one, r"^lastcard_rounds_in_flight (\S+)") for one in self.all_metrics)

    def commits(self) -> tuple[float, float]:
        """Return seconds that log entries have waited for their acknowledgement, all together, and their number."""
        name = "lastcard_commit_seconds"
        return _metric(self.metrics, rf"^{name}_sum (\S+)"), _metric(self.metrics, rf"^{name}_count (\S+)")

    def messages(self) -> float:
        """Return messages sent so far."""
        return _metric(self.metrics, r'^lastcard_stream_messages_total\{direction="sent"\} (\S+)')

    def trunk_messages(self) -> float:
        """Return messages that all referees have sent each other so far."""
        pattern = r'^lastcard_trunk_messages_total\{direction="sent"\} (\S+)'
        return sum(_metric(one, pattern) for one in self.all_metrics)

    def cpu_s(self) -> float:
        """Return CPU seconds of the referee, or of all of them, so far."""
        return sum(cpu_s(process.pid) for process in self.processes)


def _metric(address: str, pattern: str) -> float:
    with urllib.request.urlopen(f"http://{address}/metrics", timeout=5) as response:
        text = response.read().decode()
    found = re.search(pattern, text, re.MULTILINE)
    return float(found[1]) if found else 0.0


def cpu_s(pid: int) -> float:
    """Return CPU seconds of a process so far, without those that it started."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def _memory_kib(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return int(next(line for line in status.splitlines() if line.startswith("VmRSS")).split()[1])


@dataclass(frozen=True, slots=True)
class Figures:
    """What one cell measured.

    Attributes:
        moves_s: moves a wall second.
        cpu_s: referee CPU seconds a move.
        batch: moves a message.
        commit_s: mean seconds from a log entry to its acknowledgement; 0 where nothing is logged.
    """

    moves_s: float
    cpu_s: float
    batch: float
    commit_s: float


def measure(
    *,
    bots: int,
    rounds: int,
    seconds: float,
    fsync: local.Fsync = local.Fsync.ALWAYS,
    unlogged_s: float | None = None,
    tls: bool = False,
    metrics: bool = True,
) -> Figures:
    """Run one cell: so many bots, each with so many rounds in flight."""
    with (
        TemporaryDirectory(prefix="lastcard-bench-") as folder,
        staged(Path(folder), bots, rounds, fsync=fsync, unlogged_s=unlogged_s, tls=tls, metrics=metrics) as stage,
    ):
        return figures(stage, bots, seconds, stage.messages)


def figures(stage: Stage, bots: int, seconds: float, told: Callable[[], float]) -> Figures:
    """Return what is played in so many seconds once these bots play; `told` counts the messages that it takes."""
    stage.until(lambda: stage.sessions() >= bots, "not all bots came")
    before = stage.decisions()
    stage.until(lambda: stage.decisions() - before > WARM * max(bots, stage.rounds()), "nothing was played")
    moves, cpu, messages, began = stage.decisions(), stage.cpu_s(), told(), time.perf_counter()
    waited, commits = stage.commits()
    time.sleep(seconds)
    wall = time.perf_counter() - began
    moved = stage.decisions() - moves
    waited, commits = (now - before for now, before in zip(stage.commits(), (waited, commits), strict=True))
    if moved <= 0:
        raise RuntimeError(f"no moves in {seconds} s with {bots} bots")
    cpu_s = (stage.cpu_s() - cpu) / moved
    return Figures(moved / wall, cpu_s, moved / max(1.0, told() - messages), waited / max(1.0, commits))


@contextmanager
def staged(
    folder: Path,
    bots: int,
    rounds: int,
    *,
    fsync: local.Fsync = local.Fsync.ALWAYS,
    unlogged_s: float | None = None,
    tls: bool = False,
    plan: bool = True,
    referees: int = 1,
    apart: int = 0,
    think_s: float = 0.0,
    metrics: bool = True,
    teams: int = 1,
    host: str = "127.0.0.1",
) -> Iterator[Stage]:
    """Start store, referees and bots; end them. Without `plan` there is nothing to play yet.

    The last bots, `apart` of them, are registered and left to the caller; the others think `think_s` on each answer
    and, where there are several referees, go to the next one when theirs is gone. With `tls` they dial in encrypted.
    Where `unlogged_s` is given nothing is written, and a commit takes so long; without `metrics` nothing is counted but
    answers. Of several `teams` each has every so many-th bot, and plays among itself; then every referee has a core of
    its own. Referees listen at `host`.
    """
    with local.start(folder / "store", fsync=fsync) as server:
        assert server.process is not None  # it was just started
        pepper = folder / "pepper"
        environ = {**os.environ, "LASTCARD_REDIS_URL": server.url, "LASTCARD_PEPPER_FILE": str(pepper),
                   "LASTCARD_STATE": str(folder), "LASTCARD_ALLOW_VOLATILE": "1"}  # fmt: skip
        certificate = _certificate(folder, environ) if tls else None
        store = Store.open(server.url, role="worker", pepper=load_pepper(pepper), allow_volatile=True)
        with store:
            tokens = _enter(store, bots, plan=plan, teams=teams)
        processes: list[subprocess.Popen[str]] = []
        try:
            options = ["--play", f"{host}:0", *([] if metrics else ["--no-metrics"])]
            if unlogged_s is not None:
                options += ["--no-log", str(unlogged_s)]
            cores = [number if teams > 1 else 0 for number in range(referees)]
            ready = [_referee(folder, environ, processes, ["--core", str(core), *options]) for core in cores]
            play = [one["play"] for one in ready]
            stage = Stage(
                processes[0].pid, ready[0]["metrics"], [one["metrics"] for one in ready], environ, play,
                tokens[bots - apart :], _memory_kib(processes[0].pid), processes[:], server.process.pid,
            )  # fmt: skip
            spec = {"server": play[0], "others": play[1:], "tokens": tokens[: bots - apart], "rounds": rounds,
                    "open": min(256, rounds), "think_s": think_s, "authority": certificate}  # fmt: skip
            processes.append(players(spec))
            stage.bots_pid = processes[-1].pid
            yield stage
        finally:
            for process in reversed(processes):
                with process:  # closes its pipes
                    process.kill()


def _certificate(folder: Path, environ: dict[str, str]) -> str:
    """Have the referee show a certificate that signs itself; return its file."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=bench", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    environ[settings.CERTIFICATE], environ[settings.KEY] = str(certificate), str(key)
    return str(certificate)


def _referee(
    folder: Path, environ: dict[str, str], processes: list[subprocess.Popen[str]], options: Sequence[str]
) -> dict[str, str]:
    """Start a referee, add it to the processes, and return what it says when it is ready."""
    with (folder / "referee.log").open("ab") as file:
        referee = subprocess.Popen(
            [sys.executable, "-m", "bench.referee_process", *options],
            stdout=subprocess.PIPE, stderr=file, env=environ, text=True,
        )  # fmt: skip
    processes.append(referee)
    assert referee.stdout is not None
    line = referee.stdout.readline()
    if not line.startswith("READY "):
        raise RuntimeError((folder / "referee.log").read_text(encoding="utf-8"))
    ready: dict[str, str] = json.loads(line.removeprefix("READY "))
    return ready


def players(spec: dict[str, object]) -> subprocess.Popen[str]:
    """Start a process of bots; with `seconds` in its spec it says so long after another line how long answers took."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bench.bots"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None
    process.stdin.write(json.dumps(spec) + "\n")
    process.stdin.flush()
    return process


def _enter(store: Store, bots: int, *, plan: bool, teams: int = 1) -> list[str]:
    """Register the bots and plan, if asked for, more matches than a cell can play; return their tokens."""
    tokens, versions = [], []
    for number in range(bots):
        _, token = store.registry.register(f"bench-{number:03d}", f"owner-{number}")
        tokens.append(token)
        versions.append(store.registry.version(f"bench-{number:03d}", "1"))
    if not plan:
        return tokens
    pairs = (
        [pair for team in range(teams) for pair in combinations(versions[team::teams], 2)]
        if bots <= 8
        else list(zip(versions[::2], versions[1::2], strict=True))
    )
    plans = [
        match(f"bench.{n}.{t}.0", *pair) for n in range(1, MATCHES // len(pairs) + 2) for t, pair in enumerate(pairs, 1)
    ]
    store.matches.plan(plans, time.time_ns() // 1_000_000)
    return tokens


def match(name: str, *entrants: str) -> MatchPlan:
    """Return an unrated match."""
    ruleset = formats.get(FORMAT).rules.hash
    return MatchPlan(
        id=name, format=FORMAT, ruleset=ruleset, rules_version=RULES_VERSION, entrants=entrants, meetings=MEETINGS,
        rated=False,
    )  # fmt: skip
