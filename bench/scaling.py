"""What a second referee process brings: teams of bots that meet among themselves, at one referee or at one each.

At one, the referee has core 0 and all bots core 1. At two, each core has a referee and the bots of the other one. So
nothing but cores limits either, and two cores are all that there is: with r and b for the CPU that a move takes of
referees and bots, one referee plays 1 / max(r, b) moves a second and two can play 2 / (r + b) at most. That bound is in
the row, beside what was reached of it: with cores to spare, moves grow as far as CPU a move stays the same.
"""

import statistics
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.rows import Row, paired
from bench.stage import cpu_s, figures, players, staged

IDS: Final = ("two_referees",)
TEAMS: Final = 2
BOTS: Final = 8
ROUNDS: Final = 64


@dataclass(frozen=True, slots=True)
class Played:
    """What was measured: moves a second, CPU seconds a move of referees, and of bots."""

    moves_s: float
    referees_s: float
    bots_s: float

    @property
    def bound(self) -> float:
        """What twice the referees can play at most, in the place of these, on two cores in all."""
        return 2 * max(self.referees_s, self.bots_s) / (self.referees_s + self.bots_s)


def run(repeats: int, seconds: float, only: Sequence[str] | None) -> list[Row]:
    """Measure and return the row."""
    if only and not set(only) & set(IDS):
        return []
    one, two = [], []
    for repeat in range(repeats):
        sys.stderr.write(
            f"repeat {repeat + 1}/{repeats}: {TEAMS} teams of {BOTS // TEAMS} bots, one referee, then two\n"
        )
        one.append(_measure(1, seconds))
        two.append(_measure(TEAMS, seconds))
    return [row(one, two)]


def row(one: Sequence[Played], two: Sequence[Played]) -> Row:
    """Return what a second referee brought in paired repeats."""
    median = statistics.median
    ratio = paired([after.moves_s for after in two], [before.moves_s for before in one])
    detail = {
        "moves_s": median(after.moves_s for after in two),
        "moves_s_at_one": median(before.moves_s for before in one),
        "bound_of_two_cores": median(before.bound for before in one),
        "of_the_bound": paired(
            [after.moves_s for after in two], [before.moves_s * before.bound for before in one]
        ),
        "cpu_us_move": 1e6 * median(after.referees_s for after in two),
        "cpu_us_move_at_one": 1e6 * median(before.referees_s for before in one),
        "bots_cpu_us_move": 1e6 * median(after.bots_s for after in two),
        "bots_cpu_us_move_at_one": 1e6 * median(before.bots_s for before in one),
    }  # fmt: skip
    what = f"moves/s at two referees v one, {TEAMS} teams of {BOTS // TEAMS} bots x {ROUNDS}, two cores in all"
    return Row("two_referees", what, ratio, len(one), detail)


def _measure(referees: int, seconds: float) -> Played:
    """Run a cell: a process of bots for each team, on another core than its referee."""
    with (
        TemporaryDirectory(prefix="lastcard-bench-") as folder,
        staged(Path(folder), BOTS, ROUNDS, referees=referees, apart=BOTS, teams=TEAMS) as stage,
        ExitStack() as stack,
    ):
        bots = []
        for team in range(TEAMS):
            spec = {"server": stage.play[team % referees], "tokens": stage.tokens[team::TEAMS], "rounds": ROUNDS,
                    "open": ROUNDS, "first": team * BOTS, "core": 1 - team % referees}  # fmt: skip
            process = stack.enter_context(players(spec))
            stack.callback(process.kill)
            bots.append(process.pid)
        found = figures(stage, BOTS, seconds, lambda: 1e6 * sum(map(cpu_s, bots)))
        return Played(found.moves_s, found.cpu_s, 1e-6 / found.batch)
