"""The same tournament again and again: one seed of the deals, no nonces, bots that decide by seed and turn alone.

Its results have to be the same to the last card, also where processes are killed on the way.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import threading
import time
from pathlib import Path
from typing import Final

from ladder.rpc.dial import Dial
from ladder.store import Store
from ladder.store.archive import Archive
from tests.demo.running import Running, short_folder
from tests.soak.tournament import Chaos, crowd, ended, matches, register
from workers.client import TournamentClient
from workers.spec import TournamentSpec
from workers.tournament import State

NAME: Final = "twins"
DEAL_SEED: Final = bytes(range(32))


def main(argv: list[str]) -> int:
    """Play it undisturbed, then under fire; returns 1 if results differ."""
    parser = argparse.ArgumentParser("./dev soak twins", description=__doc__)
    parser.add_argument("--bots", type=int, default=6)
    parser.add_argument("--meetings", type=int, default=16)
    parser.add_argument("--times", type=int, default=5, help="under fire, each with another seed")
    parser.add_argument("--every", type=float, default=2.0, metavar="SECONDS", help="between two kills")
    parser.add_argument("--seed", type=int, default=1, help="of the first run's kills")
    options = parser.parse_args(argv)
    first, _ = played(options.bots, options.meetings)
    differ = 0
    for seed in range(options.seed, options.seed + options.times):
        again, killed = played(options.bots, options.meetings, seed, options.every)
        differ += again != first
        print(f"{'the same' if again == first else 'DIFFERENT'}, killed: {' '.join(killed)}", file=sys.stderr)
    return 1 if differ else 0


def played(
    bots: int, meetings: int, kill_seed: int | None = None, every_s: float = 2.0, kills: int = 0
) -> tuple[dict[str, str], list[str]]:
    """Play it in a house of its own; returns the results by match, and who was killed.

    Raises:
        RuntimeError: it did not come to its end.
    """
    home = short_folder()
    try:
        return _played(home, bots, meetings, kill_seed, every_s, kills)
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _played(
    home: Path, bots: int, meetings: int, kill_seed: int | None, every_s: float, kills: int
) -> tuple[dict[str, str], list[str]]:
    state = home / "house"
    with Running("--state", str(state), "--workers", "1", home=home, module="tests.soak.house") as house:
        doors = house.until_printed()
        house.until_said("Ctrl-C stops it")
        environ = {"LASTCARD_LADDER": doors["grpc"], "LASTCARD_TOKEN_FILE": doors["operator_token_file"]}
        names = [f"twin-{number:02}" for number in range(1, bots + 1)]
        spec = TournamentSpec(
            NAME, "uno-classic-2", tuple(names), meetings=meetings, schedule_seed=7, unrated=True, nonces=False
        )
        chaos, over = Chaos(house, kill_seed or 0, every_s, kills), threading.Event()
        script = threading.Thread(target=chaos.run, args=(over,))
        with crowd(home, doors["play"], register(home, environ, names)), Dial.of(environ) as dial:
            client = TournamentClient(dial)
            client.create(spec, DEAL_SEED)
            if kill_seed is not None:
                script.start()
            try:
                states = ended(house, client, (NAME,), time.monotonic() + 300)
            finally:
                over.set()
                if kill_seed is not None:
                    script.join()
            if states[NAME] is not State.FINISHED:
                raise RuntimeError(f"the tournament is {states[NAME]}; killed: {chaos.killed}\n{house.story()[-3000:]}")
            archive = Archive(str(state / "archive"))
            with Store.open(doors["store"], role="soak", archive=archive, allow_volatile=True) as store:
                results = {match.id: match.result for match in matches(store, NAME)}
        house.stop()
    return results, chaos.killed
