"""What a second referee costs where bots that dialled different ones meet: rows without floors.

Two cores are too few to show what two referees are good for: bots need the second one. So referees share core 0 here,
and what counts is their CPU a move.
"""

import statistics
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.rows import Row, paired
from bench.stage import Figures, figures, players, staged

IDS: Final = ("far_seats",)
BOTS: Final = 8
ROUNDS: Final = 64


def run(repeats: int, seconds: float, only: Sequence[str] | None) -> list[Row]:
    """Measure and return the rows."""
    if only and not set(only) & set(IDS):
        return []
    one, two = [], []
    for repeat in range(repeats):
        sys.stderr.write(f"repeat {repeat + 1}/{repeats}: {BOTS} bots x {ROUNDS} rounds at one referee, then at two\n")
        one.append(_measure(1, seconds))
        two.append(_measure(2, seconds))
    median = statistics.median
    ratio = paired([before.cpu_s for before in one], [after.cpu_s for after in two])
    detail = {
        "moves_s": median(after.moves_s for after in two),
        "moves_s_at_one": median(before.moves_s for before in one),
        "moves_ratio": paired([after.moves_s for after in two], [before.moves_s for before in one]),
        "cpu_us_move": 1e6 * median(after.cpu_s for after in two),
        "cpu_us_move_at_one": 1e6 * median(before.cpu_s for before in one),
        "moves_trunk_message": median(after.batch for after in two),
    }
    what = "referee CPU per move with all bots at one referee / at two, 4 of 7 opponents at the other one, 8 x 64"
    return [Row("far_seats", what, ratio, repeats, detail)]


def _measure(referees: int, seconds: float) -> Figures:
    """Run a cell with as many bots at each referee."""
    with (
        TemporaryDirectory(prefix="lastcard-bench-") as folder,
        staged(Path(folder), BOTS, ROUNDS, referees=referees, apart=BOTS) as stage,
        ExitStack() as stack,
    ):
        for number, server in enumerate(stage.play):
            spec = {"server": server, "tokens": stage.tokens[number::referees], "rounds": ROUNDS, "open": ROUNDS,
                    "first": number * BOTS}  # fmt: skip
            process = stack.enter_context(players(spec))
            stack.callback(process.kill)
        return figures(stage, BOTS, seconds, stage.trunk_messages)
