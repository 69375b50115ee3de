"""What attackers cost an honest pair: the p99 from an answer to the next question, beside each attack and without.

The referee has core 0 to itself; the pair, well-behaved bots and attackers share core 1, each kind in its own process.
An attack may cost the pair twice of what as many well-behaved bots cost it. All of it is in a network of its own, under
the rules of deploy/nftables, where attackers come from an address of their own. With `--front` all come through nginx
with the configuration of deploy/, on core 1 as well; `--open` does without the rules. What only nginx keeps away is
left out where the referee is dialled directly, unless it is named.
"""

import argparse
import itertools
import json
import math
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.stage import FORMAT, MEETINGS, Stage, players, staged
from ladder.store import Store
from ladder.store.local import Fsync
from ladder.store.rows import MatchPlan
from referee import formats
from referee.rules.options import RULES_VERSION
from tests.deploy.firewall import apart, enforce, here, rules, trust_nobody
from tests.deploy.front import STRANGERS, Front
from tests.hostile.attacker import ATTACKS, POLITENESS

MOST: Final = 2.0
WARM_S: Final = 1.0
BURST_S: Final = 4.0
"""By then attackers have spent what every token may do at once, and go on with what it may do in a second."""
THINK_S: Final = 0.02
"""Of well-behaved bots."""
NGINX_ONLY: Final = frozenset({"header_bomb"})
"""gRPC says at length what was too much of a block of headers: a tenth of a second for each connection."""
PATIENCE_S: Final = 240.0
"""Attackers get so little of a busy core that they need minutes to begin."""
HONEST: Final = "127.0.0.1"
EVERYWHERE: Final = "0.0.0.0"
"""Of a network in which nobody else is."""
TRIES: Final = 3
ENOUGH: Final = 12
FEWEST: Final = 100
"""Answers; a pair that gives fewer is not served."""


@dataclass(frozen=True, slots=True)
class Beside:
    """What the pair saw beside something.

    Attributes:
        name: of what was beside it.
        p50_ms, p99_ms: from an answer to the next question.
        answers: that were timed.
        made: attacks that were made meanwhile; odd: those that ended otherwise than on an idle referee.
        calm_ms: p99 beside as many well-behaved bots just before; 0: this is no attack.
    """

    name: str
    p50_ms: float
    p99_ms: float
    answers: int
    made: int = 0
    odd: int = 0
    calm_ms: float = 0.0

    @property
    def ratio(self) -> float:
        """What an attack costs."""
        return self.p99_ms / self.calm_ms


class Trial:
    """A referee, its honest pair, and what is let loose beside them; `door`, `back_door`: where each dials."""

    def __init__(self, stage: Stage, folder: Path, door: str, back_door: str, *, others: int, seconds: float) -> None:
        self._stage = stage
        self._folder = folder
        self._door = door
        self._back_door = back_door
        self._others = others
        self._seconds = seconds
        self._numbers = itertools.count(1)

    def alone(self) -> Beside:
        """Time the pair alone."""
        return self._timed("nobody")

    def well_behaved(self) -> Beside:
        """Time the pair beside as many bots that do nothing wrong."""
        spec = {"server": self._door, "tokens": self._stage.tokens[2:], "rounds": 1, "open": 1, "first": 2,
                "think_s": THINK_S}  # fmt: skip
        with _running(players(spec)) as process:
            os.setpriority(os.PRIO_PROCESS, process.pid, POLITENESS)
            self._plan("crowd", range(2, 2 + self._others), 1)
            time.sleep(WARM_S)
            return self._timed(f"{self._others} well-behaved bots")

    def attack(self, name: str) -> Beside:
        """Time the pair beside an attack."""
        words = {
            "attack": name,
            "crew": f"mallory-{next(self._numbers)}",
            "count": self._others,
            "seconds": self._seconds + BURST_S + WARM_S,
            "play": self._back_door,
            "metrics": self._stage.metrics,
            "pid": self._stage.pid,
            "folder": str(self._folder),
            "store": self._stage.environ["LASTCARD_REDIS_URL"],
        }
        command = [sys.executable, "-m", "tests.hostile.attacker"]
        attackers = subprocess.Popen(command, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        with _running(attackers) as process:
            assert process.stdin is not None
            process.stdin.write(json.dumps(words) + "\n")
            process.stdin.flush()
            time.sleep(BURST_S)
            beside = self._timed(name.replace("_", " "))
            out, _ = process.communicate(timeout=PATIENCE_S)
            return Beside(**asdict(beside) | json.loads(out))

    def _plan(self, who: str, bots: Sequence[int], each: int) -> None:
        """Plan so many matches of each two of these bots, unless enough wait: a referee looks at the first 64 only."""
        names = [f"bench-{number:03d}@1" for number in bots]
        ruleset = formats.get(FORMAT).rules.hash
        plans = [
            MatchPlan(id=f"{who}.{next(self._numbers)}.1.0", format=FORMAT, ruleset=ruleset,
                      rules_version=RULES_VERSION, entrants=pair, meetings=MEETINGS, rated=False)
            for _ in range(each) for pair in list(pairwise(names))[::2]
        ]  # fmt: skip
        with Store.open(self._stage.environ["LASTCARD_REDIS_URL"], role="worker", allow_volatile=True) as store:
            now_ms = time.time_ns() // 1_000_000
            if sum(match.startswith(who) for match in store.matches.ready_ids(now_ms, 64)) < ENOUGH:
                store.matches.plan(plans, now_ms)

    def _timed(self, name: str) -> Beside:
        spec = {"server": self._door, "tokens": self._stage.tokens[:2], "rounds": 1, "open": 1,
                "seconds": self._seconds}  # fmt: skip
        self._plan("pair", range(2), math.ceil(self._seconds) + 1)
        with _running(players(spec)) as process:
            out, _ = process.communicate(timeout=self._seconds + PATIENCE_S)
        times = json.loads(out)
        if self._stage.processes[0].poll() is not None:
            lines = (self._folder / "referee.log").read_text(encoding="utf-8").splitlines()
            raise RuntimeError(f"the referee ended beside {name}:\n" + "\n".join(lines[-5:]))
        if len(times) < FEWEST:
            return Beside(name, math.inf, math.inf, len(times))
        cuts = statistics.quantiles(times, n=100)
        return Beside(name, 1e3 * cuts[49], 1e3 * cuts[98], len(times))


@contextmanager
def _running(process: "subprocess.Popen[str]") -> Iterator["subprocess.Popen[str]"]:
    with process:
        try:
            yield process
        finally:
            process.kill()


def measure(attacks: Sequence[str], others: int, seconds: float, *, front: bool, walled: bool) -> Iterator[Beside]:
    """Yield what the pair sees: alone, in turn beside well-behaved bots and beside an attack, and alone once more.

    What looks broken is measured again, with a calm of its own: a neighbour on this machine is no attack. Nor may
    anything be left of the attacks when they are over.
    """
    with (
        TemporaryDirectory(prefix="lastcard-soak-") as folder,
        # How long this machine's disk takes is nobody's attack.
        staged(
            Path(folder), 2 + others, 1, fsync=Fsync.EVERYSEC, plan=False, apart=2 + others, host=EVERYWHERE
        ) as stage,
        _doors(Path(folder), stage.play[0], front=front) as port,
    ):
        if walled:
            enforce(rules([port]))
            trust_nobody()
        door, back_door = f"{HONEST}:{port}", f"{STRANGERS}:{port}"
        trial = Trial(stage, Path(folder), door, back_door, others=others, seconds=seconds)
        alone = trial.alone()
        yield alone
        for name in attacks:
            for _ in range(TRIES):
                calm = trial.well_behaved()
                yield calm
                line = replace(trial.attack(name), calm_ms=calm.p99_ms)
                yield line
                if line.ratio <= MOST:
                    break
        for _ in range(TRIES):
            left = replace(trial.alone(), name="nobody, afterwards", calm_ms=alone.p99_ms)
            yield left
            if left.ratio <= MOST:
                break


@contextmanager
def _doors(folder: Path, referee: str, *, front: bool) -> Iterator[int]:
    """Yield the port that everybody dials."""
    if not front:
        yield int(referee.rpartition(":")[2])
        return
    place = folder / "front"
    place.mkdir()
    with Front(place, referee, tls=False).running(core=1) as nginx:
        yield nginx.port


def main(argv: list[str]) -> int:
    """Measure and print; returns 1 if an attack costs the pair more than it may."""
    parser = argparse.ArgumentParser("./dev soak hostile", description=__doc__)
    parser.add_argument("--only", nargs="+", metavar="ATTACK", choices=sorted(ATTACKS))
    parser.add_argument("--seconds", type=float, default=5.0, help="of every line")
    parser.add_argument("--others", type=int, default=8, help="attackers at once, and well-behaved bots")
    parser.add_argument("--seed", type=int, default=1, help="of the order of the attacks")
    parser.add_argument("--front", action="store_true", help="nginx before the referee")
    parser.add_argument("--open", action="store_true", help="without the rules of deploy/nftables")
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.add_argument("--apart", action="store_true", help=argparse.SUPPRESS)  # a network of its own, and now in it
    options = parser.parse_args(argv)
    if not options.apart:
        return subprocess.run(apart([__name__, *argv, "--apart"]), check=False).returncode
    here(f"{STRANGERS}/32")
    attacks = options.only or those_tried(front=options.front)
    random.Random(options.seed).shuffle(attacks)
    lines = []
    for line in measure(attacks, options.others, options.seconds, front=options.front, walled=not options.open):
        lines.append(line)
        if not options.json:
            print(_row(line), flush=True)
    return _verdict(lines, as_json=options.json)


def those_tried(*, front: bool) -> list[str]:
    """Return the attacks that are tried where none is named."""
    return [name for name in ATTACKS if front or name not in NGINX_ONLY]


def _row(line: Beside) -> str:
    made = f"  {line.ratio:5.2f}x  {line.made:,} made, {line.odd:,} of them cut short or odd" if line.calm_ms else ""
    return f"{line.name:32} p50 {line.p50_ms:7.2f} ms  p99 {line.p99_ms:7.2f} ms  {line.answers:6,} answers{made}"


def _verdict(lines: Sequence[Beside], *, as_json: bool) -> int:
    """Print the last line; every attack counts by the best of its measurements."""
    best: dict[str, Beside] = {}
    for line in lines:
        if line.calm_ms and (line.name not in best or line.ratio < best[line.name].ratio):
            best[line.name] = line
    worst = max(best.values(), key=lambda line: line.ratio)
    broken = sorted(name for name, line in best.items() if line.ratio > MOST)
    if as_json:
        print(json.dumps({"lines": [asdict(line) for line in lines], "worst": worst.name, "ratio": worst.ratio,
                          "most": MOST, "broken": broken}))  # fmt: skip
    else:
        verdict = f"is broken by {', '.join(broken)}" if broken else "holds"
        print(f"{verdict}: worst of {len(best)} attacks is {worst.name}: p99 {worst.p99_ms:.2f} ms, {worst.ratio:.2f}x "
              f"of {worst.calm_ms:.2f} ms beside as many well-behaved bots; at most {MOST:g}x")  # fmt: skip
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
