"""Kills, freezes, stops and cuts off real referees and a real store while bots play; then looks at what is left.

    ./dev chaos --seed 7                what seed 7 does: 26 deeds, each of 13 kinds twice
    ./dev chaos --seed 7 --faults 100   more of it
    ./dev chaos --seed 7 --minutes 10   as many as fit
    ./dev chaos --deeds hold store-kill these kinds only
    ./dev chaos --referees 3            instead of 2
    ./dev chaos --bug "effect before append"
                                        with a bug of ./dev simulate --bugs planted in the referees

The seed decides what is done to whom for how long, the deals and how the bots think; when exactly it hits is up to the
machine. The last line is a summary; exits with 1 when an invariant was broken (docs/simulation.md lists them), with
what, and keeps the folder with the logs of all processes.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Sequence
from math import inf
from pathlib import Path

from ladder.store.errors import NoServerError
from ladder.store.server import find_program
from tests.chaos.deeds import Deed
from tests.chaos.house import House, Verdict
from tests.chaos.parts import StoreProcess
from tests.chaos.watch import percentile
from tests.simulate.series import PLANTED

FOR_EVER = 1_000_000


def main(argv: Sequence[str] | None = None) -> int:
    """Do it; returns 1 if an invariant was broken, 2 if there is nothing to do it to."""
    options = _options(argv)
    try:
        find_program()
    except NoServerError as missing:
        print(f"./dev chaos: error: {missing}", file=sys.stderr)
        return 2
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")  # broken connections are what this is about
    folder = Path(tempfile.mkdtemp(prefix="lastcard-chaos-"))
    verdict, format_name, seconds = asyncio.run(_run(options, folder))
    for problem in verdict.problems[:20]:
        print(f"broken: {problem}")
    for deed, resumed in sorted(verdict.resumed.items()):
        p50, p99 = (percentile(resumed, share) for share in (0.5, 0.99))
        print(f"{deed}: {len(resumed)} matches went on elsewhere after p50 {p50:.2f} s, p99 {p99:.2f} s")
    if verdict.problems:
        print(f"logs of all processes: {folder}; again: ./dev chaos {shlex.join(argv or sys.argv[1:])}")
    else:
        shutil.rmtree(folder)
    print(f"chaos: seed {options.seed}: {format_name}: {summary(verdict)}; {seconds:.0f} s", flush=True)
    return 1 if verdict.problems else 0


def summary(verdict: Verdict) -> str:
    """Return what came of it, in one line."""
    states = ", ".join(f"{count} {state}" for state, count in sorted(verdict.states.items()))
    resumed = [seconds for every in verdict.resumed.values() for seconds in every]
    p50, p99 = (percentile(resumed, share) for share in (0.5, 0.99))
    return (
        f"{verdict.deeds.total()} deeds, {verdict.lost} lost replies, {verdict.states.total()} matches ({states}), "
        f"{verdict.far} with bots of two referees, {verdict.claims} epochs, {verdict.entries:,} log entries; "
        f"{len(resumed)} matches went on elsewhere after p50 {p50:.2f} s, p99 {p99:.2f} s; "
        f"{len(verdict.problems)} invariants broken"
    )


async def _run(options: argparse.Namespace, folder: Path) -> tuple[Verdict, str, float]:
    store = StoreProcess(folder / "store")
    try:
        await store.start()
        house = House(folder, options.seed, options.referees, store, options.bug, options.deeds)
        telling = asyncio.create_task(_tell(house))
        verdict = await house.run(options.faults, 60 * (options.minutes or FOR_EVER))
        telling.cancel()
        house.close()
        return verdict, house.format_name, house.timeline.now
    finally:
        await store.stop()


async def _tell(house: House) -> None:
    """Print what is done as it is done."""
    told = 0
    while True:
        await asyncio.sleep(0.5)
        lines = [line for line in house.trace.lines() if any(deed.value in line for deed in Deed)]
        for line in lines[told:]:
            print(f"{line}; {len(house.watch.over)} matches over, {house.watch.entries:,} entries", flush=True)
        told = len(lines)


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "./dev chaos", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--faults", type=int, metavar="K", help="so many deeds")
    length.add_argument("--minutes", type=float, metavar="M", help="deeds for so long")
    parser.add_argument("--referees", type=int, default=2, metavar="R")
    named = {deed.name.lower().replace("_", "-"): deed for deed in Deed}
    parser.add_argument("--deeds", nargs="+", choices=named, default=[*named], help="these kinds only")
    parser.add_argument("--bug", default="", metavar="NAME", help="plant this bug")
    options = parser.parse_args(argv)
    if options.bug and options.bug not in PLANTED:
        parser.error(f"there is no bug {options.bug!r}; ./dev simulate --bugs lists them")
    if options.faults is not None and options.faults < 1:
        parser.error(f"--faults is at least 1, and not {options.faults}")
    if options.minutes is not None and not 0 < options.minutes < inf:
        parser.error(f"--minutes is a number above 0, and not {options.minutes}")
    if options.referees < 1:
        parser.error(f"--referees is at least 1, and not {options.referees}")
    options.deeds = [named[name] for name in dict.fromkeys(options.deeds)]
    if options.faults is None:
        options.faults = 2 * len(Deed) if options.minutes is None else FOR_EVER
    return options


if __name__ == "__main__":
    sys.exit(main())
