"""Moves a second and CPU a move of a referee with log, auth and clocks, beside a raw grpc.aio ping-pong.

Every repeat measures the ping-pong and every cell in turn; a ratio is the median of same-repeat ratios.
"""

import statistics
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bench.peers import PingPong
from bench.rows import Row, paired
from bench.stage import Figures, measure
from ladder.store.local import Fsync


@dataclass(frozen=True, slots=True)
class Cell:
    """So many bots with so many rounds in flight each; the store syncs every write unless it says otherwise."""

    bots: int
    rounds: int
    fsync: Fsync = Fsync.ALWAYS
    log: bool = True
    tls: bool = False
    metrics: bool = True

    def __str__(self) -> str:
        without = ("" if self.log else ", nothing logged") + ("" if self.metrics else ", nothing counted")
        return f"{self.bots} bots x {self.rounds} rounds, {self.fsync}{without}{', TLS' if self.tls else ''}"

    def measured(self, seconds: float, commit_s: float) -> Figures:
        """Return its figures; where nothing is logged, what is not written takes `commit_s`."""
        return measure(
            bots=self.bots,
            rounds=self.rounds,
            seconds=seconds,
            fsync=self.fsync,
            unlogged_s=None if self.log else commit_s,
            tls=self.tls,
            metrics=self.metrics,
        )


@dataclass(frozen=True, slots=True)
class Line:
    """A row to fill: from which cell."""

    id: str
    what: str
    cell: Cell


MOVES: Final = (
    Line("referee_2x256", "2 bots x 256 rounds in flight, moves/s v raw aio bidi ping-pong", Cell(2, 256)),
    Line("referee_8x64", "8 bots x 64 rounds", Cell(8, 64)),
    Line("referee_32x16", "32 bots x 16 rounds", Cell(32, 16)),
    Line("referee_1", "one round in flight (everysec)", Cell(2, 1, Fsync.EVERYSEC)),
)
CPU: Final = Line("referee_cpu", "server CPU of one raw round trip / server CPU per move, 8 x 64", Cell(8, 64))
LOG: Final = Line("log_cost", "referee CPU per move without log, grouped alike / with, 8 x 64", Cell(8, 64))
TLS: Final = Line("tls_cost", "referee CPU per move in plain text / over TLS, 8 x 64", Cell(8, 64))
METRICS: Final = Line("metrics_cost", "referee CPU per move without metrics / with, 8 x 64", Cell(8, 64))
LINES: Final = (*MOVES, CPU, LOG, TLS, METRICS)
NO_LOG: Final = Cell(8, 64, log=False)
OVER_TLS: Final = Cell(8, 64, tls=True)
NO_METRICS: Final = Cell(8, 64, metrics=False)


def run(repeats: int, seconds: float, only: Sequence[str] | None) -> list[Row]:
    """Measure and return the rows."""
    lines = [line for line in LINES if not only or line.id in only]
    cells = list(dict.fromkeys(line.cell for line in lines))
    if LOG in lines:
        cells.append(NO_LOG)
    if TLS in lines:
        cells.append(OVER_TLS)
    if METRICS in lines:
        cells.append(NO_METRICS)
    figures: dict[Cell, list[Figures]] = {cell: [] for cell in cells}
    raw: list[tuple[float, float]] = []
    peer = PingPong()
    try:
        for repeat in range(repeats):
            raw.append(peer.measure(seconds))
            for cell in cells:
                sys.stderr.write(f"repeat {repeat + 1}/{repeats}: {cell}\n")
                commit_s = figures[LOG.cell][-1].commit_s if not cell.log else 0.0
                figures[cell].append(cell.measured(seconds, commit_s))
    finally:
        peer.close()
    return [_row(line, figures, raw) for line in lines]


def _row(line: Line, figures: dict[Cell, list[Figures]], raw: list[tuple[float, float]]) -> Row:
    ours = figures[line.cell]
    if line is CPU:
        ratio = paired([cpu for _, cpu in raw], [one.cpu_s for one in ours])
    elif line is LOG:
        ratio = paired([one.cpu_s for one in figures[NO_LOG]], [one.cpu_s for one in ours])
    elif line is METRICS:
        ratio = paired([one.cpu_s for one in figures[NO_METRICS]], [one.cpu_s for one in ours])
    elif line is TLS:
        ratio = paired([one.cpu_s for one in ours], [one.cpu_s for one in figures[OVER_TLS]])
    else:
        ratio = paired([one.moves_s for one in ours], [moves for moves, _ in raw])
    median = statistics.median
    detail = {
        "moves_s": median(one.moves_s for one in ours),
        "cpu_us_move": median(one.cpu_s for one in ours) * 1e6,
        "moves_message": median(one.batch for one in ours),
        "commit_us": median(one.commit_s for one in ours) * 1e6,
        "raw_s": median(moves for moves, _ in raw),
        "raw_cpu_us": median(cpu for _, cpu in raw) * 1e6,
        "cpu_ratio": paired([cpu for _, cpu in raw], [one.cpu_s for one in ours]),
    }
    if line is LOG:
        detail["unlogged_moves_message"] = median(one.batch for one in figures[NO_LOG])
    return Row(line.id, line.what, ratio, len(ours), detail)
