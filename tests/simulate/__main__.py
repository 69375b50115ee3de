"""Seeded runs of real referees on a virtual clock, each with its own faults, each looked at afterwards.

    ./dev simulate                          300 seeds from 0
    ./dev simulate --seeds 20000 --from K   more of them, from K on
    ./dev simulate --seeds 1 --from K --show
                                            one, with what goes wrong in it, and everything that happened
    ./dev simulate --bug "lost GoingAway"   with a planted bug: what the simulation says of it
    ./dev simulate --bugs                   the names of the planted bugs
    ./dev simulate --trunks                 bots that dialled different referees meet
    ./dev simulate --slow 50                fails, too, where a callback keeps its loop for more ms of processor time

A seed is the same run on every machine. The last line is a summary; exits with 1 when an invariant was broken
(docs/simulation.md lists them), with the seed and the command that shows the run again.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import time
from collections.abc import Sequence

from tests.simulate.far import run_far
from tests.simulate.run import run
from tests.simulate.scenario import Kind
from tests.simulate.series import PLANTED, PLANTED_BETWEEN, outcomes, planted
from tests.simulate.tally import Tally, told

PROGRESS_S = 5.0
KINDS = {kind.name.lower().replace("_", "-"): kind for kind in Kind}


def main(argv: Sequence[str] | None = None) -> int:
    """Make the runs; returns 1 if one broke an invariant."""
    options = _options(argv)
    if options.bugs:
        for name, bug in (PLANTED | PLANTED_BETWEEN).items():
            trunks = " with --trunks" if name in PLANTED_BETWEEN else ""
            print(f"{name:40} {bug.story}; breaks `{bug.breaks}` within {bug.within} seeds{trunks}")
        return 0
    kinds = tuple(KINDS[name] for name in options.weather)
    if options.show:
        return _show(options, kinds)
    began, tally = time.monotonic(), Tally()
    last = began
    seeds = range(options.start, options.start + options.seeds)
    for outcome in outcomes(seeds, kinds, options.bug, options.jobs, trunks=options.trunks, timed=options.slow > 0):
        tally.add(outcome)
        if outcome.problems:
            print(told(outcome, _besides(options)), flush=True)
        if time.monotonic() - last > PROGRESS_S:
            last = time.monotonic()
            print(f"{tally.runs:,} of {options.seeds:,} runs, {len(tally.failed)} failed", flush=True)
    slow = tally.slowest is not None and tally.slowest.cpu_ms > options.slow
    if tally.slowest is not None:
        print(f"the longest that a loop was kept: {tally.slowest}, {'more than' if slow else 'of'} {options.slow:g} ms")
    print(f"simulate: seeds {seeds[0]}-{seeds[-1]}: {tally}; {time.monotonic() - began:.0f} s", flush=True)
    return 1 if tally.failed or slow else 0


def _besides(options: argparse.Namespace) -> str:
    """Return the options that make these runs what they are, beside their seeds."""
    trunks = " --trunks" if options.trunks else ""
    bug = f" --bug {shlex.quote(options.bug)}" if options.bug else ""
    return trunks + bug + (f" --weather {' '.join(options.weather)}" if options.weather else "")


def _options(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        "./dev simulate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=300, metavar="N", help="how many runs")
    parser.add_argument("--from", dest="start", type=int, default=0, metavar="K", help="the first seed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="so many at once")
    parser.add_argument("--weather", nargs="+", default=[], metavar="KIND", choices=KINDS, help=", ".join(KINDS))
    parser.add_argument("--bug", default="", metavar="NAME", help="plant this bug")
    parser.add_argument("--trunks", action="store_true", help="every bot dials one referee, and they speak")
    parser.add_argument("--slow", type=float, default=0.0, metavar="MS", help="the longest that a loop may be kept")
    parser.add_argument("--bugs", action="store_true", help="list the planted bugs")
    parser.add_argument("--show", action="store_true", help="tell everything that happens")
    options = parser.parse_args(argv)
    if options.seeds < 1 or options.jobs < 1 or options.start < 0:
        parser.error("--seeds and --jobs are at least 1, --from is at least 0")
    if options.bug and options.bug not in PLANTED | PLANTED_BETWEEN:
        parser.error(f"there is no bug {options.bug!r}; --bugs lists them")
    if options.bug in PLANTED_BETWEEN and not options.trunks:
        parser.error(f"the bug {options.bug!r} is one between referees: say --trunks, too")
    return options


def _show(options: argparse.Namespace, kinds: tuple[Kind, ...]) -> int:
    """Tell everything that happens in the runs, one after the other."""
    failed = False
    for seed in range(options.start, options.start + options.seeds):
        with planted(options.bug):
            world = (run_far if options.trunks else run)(seed, kinds)
        print(world.scenario)
        print("\n".join(world.trace.lines()))
        print(f"digest {world.digest()}")
        for problem in world.problems:
            print(f"PROBLEM {problem}")
        failed = failed or bool(world.problems)
        print(f"simulate: seed {seed}: {len(world.problems)} problems in {world.timeline.now:.1f} virtual seconds")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
