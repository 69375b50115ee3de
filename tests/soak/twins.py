"""The same tournament again and again: one seed of the deals, no nonces, bots that decide by seed and turn alone.

Its results have to be the same to the last card, also where it is paused and processes are killed on the way: the
referee in the middle of matches, too. A run in which that did not happen proves nothing and counts as a failure.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ladder.errors import NotReachableError, WrongStateError
from ladder.rpc.dial import Dial
from ladder.store import Store
from ladder.store.archive import Archive
from ladder.store.rows import MatchState
from tests.demo.running import Running, short_folder
from tests.soak.tournament import Chaos, crowd, ended, register
from workers.tournaments.client import TournamentClient
from workers.tournaments.life import State, Verb
from workers.tournaments.spec import TournamentSpec
from workers.tournaments.tournament_status import TournamentStatus

NAME: Final = "twins"
FORMATS: Final = ("uno-classic-2", "dos-4")
DEAL_SEED: Final = bytes(range(32))
AGAIN_S: Final = 0.02


def main(argv: list[str]) -> int:
    """Play it undisturbed, then under fire; returns 1 if results differ."""
    parser = argparse.ArgumentParser("./dev soak twins", description=__doc__)
    parser.add_argument("--format", choices=FORMATS, help="only this one; else all of them, one after the other")
    parser.add_argument("--bots", type=int, default=6)
    parser.add_argument(
        "--meetings", type=int, default=40, help="with fewer a match is over before it is killed half way"
    )
    parser.add_argument("--times", type=int, default=5, help="under fire, each with another seed")
    parser.add_argument("--every", type=float, default=2.0, metavar="SECONDS", help="between two kills")
    parser.add_argument("--pauses", type=int, default=4, help="of each of these runs")
    parser.add_argument("--seed", type=int, default=1, help="of the first run's kills and pauses")
    parser.add_argument("--inside", type=int, default=2, help="kills of the referee in the middle of matches, a run")
    options = parser.parse_args(argv)
    return max([_compared(name, options) for name in ([options.format] if options.format else FORMATS)])


def _compared(format_name: str, options: argparse.Namespace) -> int:
    """Play it in one format; returns 1 if results differ, or a run was not disturbed as it should have been."""
    first = played(format_name, options.bots, options.meetings)
    wrong = 0
    for seed in range(options.seed, options.seed + options.times):
        trouble = Trouble(seed, options.every, pauses=options.pauses, inside=options.inside)
        again = played(format_name, options.bots, options.meetings, trouble)
        verdict = "the same" if again.results == first.results else "DIFFERENT"
        spared = again.spared(trouble)
        wrong += verdict != "the same" or bool(spared)
        said = f"killed: {' '.join(again.killed)}; paused after {' '.join(map(str, again.paused))} matches"
        print(f"{format_name}, seed {seed}: {verdict}, {said}; half way: {' '.join(again.inside)}", file=sys.stderr)
        for what in spared:
            print(f"{format_name}, seed {seed}: {what}", file=sys.stderr)
    return 1 if wrong else 0


@dataclass(frozen=True, slots=True)
class Trouble:
    """What happens on the way; it follows from a seed."""

    seed: int
    every_s: float
    """Between two kills."""
    kills: int = 0
    """At most; 0: until it is over."""
    pauses: int = 0
    """Each of them after some matches, and before the last ones."""
    inside: int = 0
    """Kills of the referee while a match is half way."""


@dataclass(frozen=True, slots=True)
class Twin:
    """One time that it was played."""

    results: dict[str, str]
    """By match."""
    killed: list[str]
    """Processes."""
    paused: list[int]
    """Matches that were played at each pause."""
    inside: list[str]
    """Matches that were half way when the referee was killed, and that another life of it went on with."""

    def spared(self, trouble: Trouble) -> list[str]:
        """Return what was to happen, and did not: a sentence each."""
        lacks = {
            "no process was killed": not self.killed,
            "the referee was not killed in the middle of a match": trouble.inside and not self.inside,
            "there was no pause between the first match and the last": trouble.pauses
            and not any(0 < done < len(self.results) for done in self.paused),
        }
        return [what for what, lacking in lacks.items() if lacking]


@dataclass(frozen=True, slots=True)
class Pauses:
    """Pauses the tournament once so many matches are played, each time for a moment, and resumes it."""

    client: TournamentClient
    chance: random.Random
    after: Sequence[int]
    """Matches."""
    paused: list[int] = field(default_factory=list)

    def run(self, over: threading.Event) -> None:
        """Interrupt until it is over, or as often as it is to be."""
        for least in self.after:
            while self._asked(over, lambda: self.client.get(NAME)).matches_done < least:
                if over.wait(AGAIN_S):
                    return
            try:
                held = self._asked(over, lambda: self.client.turn(NAME, Verb.PAUSE))
                over.wait(self.chance.uniform(0.2, 1.0))
                self._asked(over, lambda: self.client.turn(NAME, Verb.RESUME))
            except WrongStateError:  # it was all played before anybody could say so
                return
            self.paused.append(held.matches_done)

    def _asked(self, over: threading.Event, ask: Callable[[], TournamentStatus]) -> TournamentStatus:
        """Ask until a ladder answers: it may be killed, too."""
        while True:
            try:
                return ask()
            except NotReachableError:
                if over.wait(AGAIN_S):
                    raise


@dataclass(frozen=True, slots=True)
class Inside:
    """Kills the referee while a match is half way, so many times."""

    store_url: str
    chaos: Chaos
    times: int
    matches: list[str] = field(default_factory=list)
    """Those that were."""

    def run(self, over: threading.Event) -> None:
        """Look and kill until it is over, or as often as it is to be."""
        while len(self.matches) < self.times and not over.wait(AGAIN_S):
            with suppress(ConnectionError):  # the store may be killed, too
                self._kill()

    def _kill(self) -> None:
        with Store.open(self.store_url, role="soak", allow_volatile=True) as store:
            rows = [row for row in store.matches.every(NAME) if row.state is MatchState.RUNNING]
        half = [row.id for row in rows if 0 < row.games_done < row.meetings * len(row.entrants)]
        if half and self.chaos.kill("referee"):
            self.matches.append(half[0])


def played(format_name: str, bots: int, meetings: int, trouble: Trouble | None = None) -> Twin:
    """Play it in a house of its own.

    Raises:
        RuntimeError: it did not come to its end.
    """
    home = short_folder()
    try:
        return _played(home, format_name, bots, meetings, trouble or Trouble(0, 0.0))
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _played(home: Path, format_name: str, bots: int, meetings: int, trouble: Trouble) -> Twin:
    state = home / "house"
    with Running("--state", str(state), "--workers", "1", home=home, module="tests.soak.house") as house:
        doors = house.until_printed()
        house.until_said("Ctrl-C stops it")
        environ = {"LASTCARD_LADDER": doors["grpc"], "LASTCARD_TOKEN_FILE": doors["operator_token_file"]}
        names = [f"twin-{number:02}" for number in range(1, bots + 1)]
        spec = TournamentSpec(
            NAME, format_name, tuple(names), meetings=meetings, schedule_seed=7, unrated=True, nonces=False
        )
        with crowd(home, doors["play"], register(home, environ, names)), Dial.of(environ) as dial:
            client = TournamentClient(dial)
            matches_all = client.create(spec, DEAL_SEED).status.plan.summary.matches
            chaos, pauses = _scripts(house, client, trouble, matches_all)
            inside, over = Inside(doors["store"], chaos, trouble.inside), threading.Event()
            scripts = (chaos.run, pauses.run, inside.run) if trouble.every_s else ()
            with ThreadPoolExecutor() as threads:
                running = [threads.submit(script, over) for script in scripts]
                try:
                    states = ended(house, client, (NAME,), time.monotonic() + 300)
                finally:
                    over.set()
            for script in running:
                script.result()
            if states[NAME] is not State.FINISHED:
                raise RuntimeError(f"the tournament is {states[NAME]}; killed: {chaos.killed}\n{house.story()[-3000:]}")
            archive = Archive(str(state / "archive"))
            with Store.open(doors["store"], role="soak", archive=archive, allow_volatile=True) as store:
                results = {match.id: match.result for match in store.matches.every(NAME)}
                resumed = [match for match in inside.matches if store.matches.log(match)[-1][0] > 1]
        house.stop()
    return Twin(results, chaos.killed, pauses.paused, resumed)


def _scripts(house: Running, client: TournamentClient, trouble: Trouble, matches_all: int) -> tuple[Chaos, Pauses]:
    chance = random.Random(trouble.seed)
    after = sorted(chance.sample(range(1, matches_all * 2 // 3), trouble.pauses))
    chaos = Chaos(house, trouble.seed, trouble.every_s, trouble.kills, spares=("referee", trouble.inside))
    return chaos, Pauses(client, chance, after)
