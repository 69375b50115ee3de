"""Plants faults in the rules and looks whether a test finds them.

    ./dev mutate                     the faults planted by name, all tests of the rules
    ./dev mutate --only NAME ...     some of them
    ./dev mutate --generic 60        changed operators, numbers and conditions at random places instead
    ./dev mutate --list              the names

Each fault is planted in a copy of the tree. What is quick is run first: scenarios, records, golden numbers; then all
tests of the rules until one fails. Exits with 1 if a fault survives that docs/mutation.md does not give a reason for.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue

from tests.mutate.generic import sample
from tests.mutate.kill import ROOT, Copy, Fate, Planted
from tests.mutate.named import NAMED
from tests.mutate.spared import SPARED


def main(argv: Sequence[str] | None = None) -> int:
    """Plant and look; returns 1 if a fault survived without a reason."""
    options = _options(argv)
    if options.list:
        print("\n".join(f"{mutant.name:40} {mutant.file:18} {mutant.why}" for mutant in NAMED.values()))
        return 0
    mutants: list[Planted] = list(NAMED.values())
    if options.generic:
        mutants = list(sample(ROOT, options.generic, options.seed))
    if options.only:
        mutants = [mutant for mutant in mutants if mutant.name in options.only]
    began = time.monotonic()
    fates = _try_all(mutants, options.jobs, thorough=not options.quick)
    survivors = [fate.name for fate in fates if not fate.killed]
    unexplained = [name for name in survivors if name not in SPARED]
    print(f"{len(fates)} faults planted, {len(fates) - len(survivors)} found, {time.monotonic() - began:.0f} s")
    for name in survivors:
        print(f"survived: {name}{': ' + SPARED[name] if name in SPARED else ''}")
    return 1 if unexplained and not options.generic else 0


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "./dev mutate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", metavar="NAME", default=[])
    parser.add_argument("--generic", type=int, metavar="N", default=0, help="so many changes by rule")
    parser.add_argument("--seed", type=int, default=1, help="of the choice of places")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--quick", action="store_true", help="only what is quick")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args(argv)
    unknown = [name for name in options.only if name not in NAMED and not options.generic]
    if unknown:
        parser.error(f"there is no mutant {unknown[0]}; --list has them")
    return options


def _try_all(mutants: Sequence[Planted], jobs: int, *, thorough: bool) -> list[Fate]:
    with tempfile.TemporaryDirectory(prefix="lastcard-mutate-") as folder, ThreadPoolExecutor(jobs) as pool:
        free: SimpleQueue[Copy] = SimpleQueue()
        for number in range(jobs):
            copy = Copy(Path(folder) / str(number))
            copy.check(thorough=thorough and not number)
            free.put(copy)

        def fate(mutant: Planted) -> Fate:
            copy = free.get()
            try:
                found = copy.try_out(mutant, thorough=thorough)
            finally:
                free.put(copy)
            print(
                f"{'found   ' if found.killed else 'SURVIVED'}  {found.name}  by {found.by}",
                file=sys.stderr,
                flush=True,
            )
            return found

        fates = list(pool.map(fate, mutants))
        free.get().check(thorough=False)  # also at the end: an environment may change meanwhile
        return fates


if __name__ == "__main__":
    sys.exit(main())
