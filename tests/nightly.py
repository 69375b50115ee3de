"""Everything that takes long, one after the other: what `./dev test` proves in small, at length.

    ./dev nightly              hours of work; every night has seeds of its own
    ./dev nightly --seed 7     the night with these seeds again
    ./dev nightly --list       only the commands

Goes on after a failure; the last line says what failed, and exits with 1 then.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

DEV: Final = Path(__file__).parents[1] / "dev"
NIGHTS: Final = 1_000
"""After so many the seeds begin again."""
SEEDS: Final = 5_000
"""Simulations of a night: so many, and so many with trunks."""
SLOW_MS: Final = 20
"""For so long a callback may keep a referee's loop: a tick that is later than that is late there."""
ROUNDS: Final = 100_000
"""Random rounds of every preset in a night."""


def main(argv: Sequence[str]) -> int:
    """Run all of it; returns 1 if something failed."""
    parser = argparse.ArgumentParser(
        "./dev nightly", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=datetime.now(UTC).toordinal() % NIGHTS + 1, help="of this night")
    parser.add_argument("--list", action="store_true", help="say what would be run")
    options = parser.parse_args(argv)
    words = commands(options.seed)
    if options.list:
        print("\n".join(f"./dev {shlex.join(command)}" for command in words))
        return 0
    failed = night(words, lambda command: subprocess.run([DEV, *command], check=False).returncode)
    print(f"nightly: seed {options.seed}: {'failed: ' + '; '.join(failed) if failed else 'all good'}", flush=True)
    return 1 if failed else 0


def commands(seed: int) -> list[list[str]]:
    """Return what is run in the night with this seed, as words after `./dev`."""
    number = str(seed)
    return [
        ["test", "-q", "-m", "nightly"],
        ["simulate", "--seeds", str(SEEDS), "--from", str(seed * SEEDS)],
        ["simulate", "--trunks", "--seeds", str(SEEDS), "--from", str(seed * SEEDS)],
        ["simulate", "--slow", str(SLOW_MS), "--jobs", "1", "--from", str(seed * SEEDS)],
        ["chaos", "--seed", number, "--faults", "100"],
        ["soak", "tournament", "--seed", number],
        ["soak", "twins", "--seed", number],
        ["soak", "hostile", "--seed", number],
        ["soak", "hostile", "--front", "--seed", number],
        ["soak", "shuffle", "--seed", number],
        ["soak", "rules", "--first", str(seed * ROUNDS), "--rounds", str(ROUNDS)],
        ["soak", "statistics"],
        ["soak", "luck", "--check"],
        ["mutate"],
        ["audit"],
    ]


def night(words: Sequence[list[str]], run: Callable[[list[str]], int]) -> list[str]:
    """Run commands one after the other; returns those that failed."""
    failed = []
    for command in words:
        began, said = time.monotonic(), shlex.join(command)
        print(f"nightly: ./dev {said}", flush=True)
        code = run(command)
        print(f"nightly: exit {code} after {time.monotonic() - began:.0f} s", flush=True)
        failed += [said] if code else []
    return failed


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
