"""Two tournaments at once through real processes, while a seeded script kills one of them every few seconds.

Bots play DOS at four seats and UNO at two. At the end the ledger has to hold exactly what was planned: as many results
as matches, each proved by its log and applied once, ratings that equal their rebuild, no fault, nothing that hangs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ladder.client import LadderClient
from ladder.errors import NotReachableError
from ladder.rpc.dial import Dial
from ladder.store import Store
from ladder.store.archive import Archive
from ladder.store.rows import MatchRow, MatchState
from tests.demo.running import Running, short_folder
from tests.patience import PATIENCE_S
from tests.workers.lasting_keys import until_swept
from workers.house.restarts import FORGIVEN_S, LONGEST_S, MOST
from workers.records.closed_match import closed_match
from workers.settings import broker_of
from workers.tournaments.client import TournamentClient
from workers.tournaments.life import State
from workers.tournaments.spec import TournamentSpec

FORMATS: Final = {"soak-dos": "dos-4", "soak-uno": "uno-classic-2"}
VICTIMS: Final = ("referee", "worker", "beat", "ladder", "store")
CROWD: Final = 8
"""Bots of one process."""
LOOK_S: Final = 0.5
CALM_S: Final = FORGIVEN_S * MOST + LONGEST_S + 15.0
"""So long after a kill its crashes are forgiven, whatever it waited before and took to come up."""
GAMES: Final = frozenset({MatchState.RATED, MatchState.ARCHIVED, MatchState.TRIMMED})


@dataclass
class Chaos:
    """Kills one process every few seconds, in an order that follows from a seed; first one of each kind.

    `spares`: a kind that is left to others until it was killed so often: a supervisor takes no more of them at once.
    """

    house: Running
    seed: int
    every_s: float
    most: int
    """Kills in all; 0: until it is over."""
    spares: tuple[str, int] = ("", 0)
    killed: list[str] = field(default_factory=list)
    _times: dict[str, list[float]] = field(default_factory=dict)

    def run(self, over: threading.Event) -> None:
        """Kill until it is over."""
        chance = random.Random(self.seed)
        while not over.wait(self.every_s) and (not self.most or len(self.killed) < self.most):
            if fair := [name for name in VICTIMS if self._fair(name) and not self._left_to_others(name)]:
                self.kill(chance.choice([name for name in fair if name not in self.killed] or fair))

    def spared(self) -> list[str]:
        """Return the kinds of process of which none was killed."""
        return [name for name in VICTIMS if name not in self.killed]

    def _fair(self, name: str) -> bool:
        """Return whether one more death of a process is not what its supervisor takes for hopeless."""
        times = self._times.get(name, [])
        return len(times) < MOST - 2 or time.monotonic() - times[-1] > CALM_S

    def _left_to_others(self, name: str) -> bool:
        spared, least = self.spares
        return name == spared and self.killed.count(name) < least

    def kill(self, name: str) -> bool:
        """Kill a process, unless its supervisor would take that for hopeless; returns whether it was."""
        pids = self.house.pids(name) if self._fair(name) else []
        if not pids:  # it is being started again
            return False
        times = self._times.setdefault(name, [])
        if times and time.monotonic() - times[-1] > CALM_S:
            times.clear()
        times.append(time.monotonic())
        with contextlib.suppress(ProcessLookupError):
            os.kill(pids[0], 9)
            self.killed.append(name)
            return True
        return False


def main(argv: list[str]) -> int:
    """Run it; returns 1 if something is not as it should be."""
    parser = argparse.ArgumentParser("./dev soak tournament", description=__doc__)
    parser.add_argument("--bots", type=int, default=40)
    parser.add_argument("--meetings", type=int, default=4, help="of each table and pairing")
    parser.add_argument("--every", type=float, default=4.0, metavar="SECONDS", help="between two kills")
    parser.add_argument("--kills", type=int, default=0, help="at most; 0: until the tournaments are over")
    parser.add_argument("--seed", type=int, default=1, help="of the kills and of the schedules")
    parser.add_argument("--within", type=float, default=3600.0, metavar="SECONDS", help="it has to be over by then")
    options = parser.parse_args(argv)
    home = short_folder()
    try:
        found = run(home, options)
    finally:
        shutil.rmtree(home, ignore_errors=True)
    print("\n".join(found) or "the tournaments are as they should be", file=sys.stderr)
    return 1 if found else 0


def run(home: Path, options: argparse.Namespace) -> list[str]:
    """Play both tournaments under fire; returns what is wrong."""
    state = home / "house"
    with Running("--state", str(state), home=home, module="tests.soak.house") as house:
        doors = house.until_printed()
        house.until_said("Ctrl-C stops it")
        environ = {"LASTCARD_LADDER": doors["grpc"], "LASTCARD_TOKEN_FILE": doors["operator_token_file"]}
        names = [f"soak-{number:02}" for number in range(1, options.bots + 1)]
        tokens = register(home, environ, names)
        with crowd(home, doors["play"], tokens), Dial.of(environ) as dial:
            client = TournamentClient(dial)
            began = time.monotonic()
            for name, format_name in FORMATS.items():
                spec = TournamentSpec(name, format_name, tuple(names), meetings=options.meetings)
                client.create(spec)
            chaos, over = Chaos(house, options.seed, options.every, options.kills), threading.Event()
            script = threading.Thread(target=chaos.run, args=(over,))
            script.start()
            try:
                states = ended(house, client, FORMATS, began + options.within)
            finally:
                over.set()
                script.join()
            print(f"{time.monotonic() - began:.0f} s, killed: {' '.join(chaos.killed) or 'nobody'}", file=sys.stderr)
            archive = Archive(str(state / "archive"))
            with Store.open(doors["store"], role="soak", archive=archive, allow_volatile=True) as store:
                found = [*_unfinished(states), *_look(store), *until_swept(store, broker_of(doors["store"]))]
        if (spared := chaos.spared()) and not 0 < options.kills < len(VICTIMS):
            found.append(f"never killed: {', '.join(spared)}; --every {options.every} is too long for so few matches")
        house.stop()
        if left := house.left():
            found.append(f"processes are left behind: {left}")
        if found:
            print(house.story()[-4000:], file=sys.stderr)
    return found


def register(home: Path, environ: dict[str, str], names: list[str]) -> list[Path]:
    """Register bots of as many owners; returns the files of their tokens."""
    files = []
    with Dial.of(environ) as dial:
        for name in names:
            new = LadderClient(dial).register(name, f"owner of {name}", f"{name:-<24}")
            files.append(home / f"{name}.token")
            files[-1].touch(mode=0o600)
            files[-1].write_text(new.token.text(), "ascii")
    return files


@contextlib.contextmanager
def crowd(home: Path, server: str, tokens: list[Path]) -> Iterator[None]:
    """Let all bots play while this lasts."""
    parts = [tokens[first : first + CROWD] for first in range(0, len(tokens), CROWD)]
    with (home / "crowd.log").open("ab") as log, contextlib.ExitStack() as stack:
        for part in parts:
            words = [sys.executable, "-m", "tests.soak.crowd", server, *map(str, part)]
            process = subprocess.Popen(words, stdout=log, stderr=log)
            stack.callback(process.wait, PATIENCE_S)
            stack.callback(process.terminate)
        yield


def ended(house: Running, client: TournamentClient, names: Iterable[str], until: float) -> dict[str, State]:
    """Wait for the end of tournaments, over all restarts of the ladder; returns their states.

    Raises:
        RuntimeError: the house itself has ended; its last words.
    """
    pause, states = threading.Event(), dict.fromkeys(names, State.DRAFT)
    while time.monotonic() < until and not all(state.over for state in states.values()):
        if house.process.poll() is not None:
            raise RuntimeError(f"the house has ended:\n{house.story()[-6000:]}")
        with contextlib.suppress(NotReachableError):
            states |= {name: client.get(name).state for name in states}
        pause.wait(LOOK_S)
    return states


def _unfinished(states: dict[str, State]) -> Iterator[str]:
    for name, state in states.items():
        if state is not State.FINISHED:
            yield f"{name} is {state}"


def _look(store: Store) -> Iterator[str]:
    """Yield what the ledger holds that it should not, or does not hold that it should."""
    for name, format_name in FORMATS.items():
        row = store.tournaments.get(name)
        found = list(store.matches.every(name))
        counts = {
            "planned": row.matches,
            "written": len(found),
            "done": row.done,
            "settled": sum(match.state in GAMES for match in found),
            "proved": sum(_proved(store, match.id) for match in found),
            "applied": store.ratings.seq(format_name),
        }
        if len(set(counts.values())) > 1:
            yield f"{name}: {counts}"
        games = sum(match.meetings * len(match.entrants) for match in found)
        if row.games_done != games:
            yield f"{name}: {row.games_done} of {games} games are done"
        yield from _blamed(found)
        rebuilt = store.ratings.rebuild(format_name)
        if not rebuilt.equal or not store.ratings.sum_check(format_name).equal:
            yield f"{format_name}: ratings differ from their rebuild: {rebuilt.differences[:3]}"
    yield from _hanging(store)


def _proved(store: Store, match: str) -> bool:
    """Return whether the log of a match leads to its result, and its chain to its head."""
    found = closed_match(store, match)
    return found.doubt() is None


def _blamed(played: list[MatchRow]) -> Iterator[str]:
    """Yield faults and forfeits: these bots make none, so they would be ours."""
    for match in played:
        if '"forfeits":[]' not in match.result or any(_faults(match)):
            yield f"{match.id} blames its bots: faults {_faults(match)}, {match.result[:200]}"


def _faults(match: MatchRow) -> list[int]:
    faults: list[int] = json.loads(match.result)["faults"] if match.result else [1]
    return faults


def _hanging(store: Store) -> Iterator[str]:
    """Yield matches that hang about."""
    stuck = {
        "open": store.matches.open_ids(),
        "ready": set(store.matches.waiting()),
        "due": set(store.matches.waiting_for_worker()),
    }
    yield from (f"{what}: {sorted(left)[:5]}" for what, left in stuck.items() if left)
