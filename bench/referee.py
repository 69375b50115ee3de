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


@dataclass(frozen=True, slots=True)
class Cell:
    """So many bots with so many rounds in flight each."""

    bots: int
    rounds: int
    log: bool = True
    tls: bool = False

    def __str__(self) -> str:
        without = "" if self.log else ", nothing logged"
        return f"{self.bots} bots x {self.rounds} rounds{without}{', TLS' if self.tls else ''}"


@dataclass(frozen=True, slots=True)
class Goal:
    """A row to fill: which cell, floor and goal."""

    id: str
    what: str
    cell: Cell
    floor: float | None
    goal: float | None


MOVES: Final = (
    Goal("referee_2x256", "2 bots x 256 rounds in flight, moves/s v raw aio bidi ping-pong", Cell(2, 256), 6, 12),
    Goal("referee_8x64", "8 bots x 64 rounds", Cell(8, 64), 4, 10),
    Goal("referee_32x16", "32 bots x 16 rounds", Cell(32, 16), 2.5, 5),
    Goal("referee_1", "one round in flight", Cell(2, 1), 0.25, 0.5),
)
CPU: Final = Goal("referee_cpu", "server CPU of one raw round trip / server CPU per move, 8 x 64", Cell(8, 64), 4, 7)
LOG: Final = Goal("log_cost", "referee CPU per move without log / with, 8 x 64", Cell(8, 64), 0.8, 1.0)
TLS: Final = Goal("tls_cost", "referee CPU per move in plain text / over TLS, 8 x 64", Cell(8, 64), None, None)
GOALS: Final = (*MOVES, CPU, LOG, TLS)
NO_LOG: Final = Cell(8, 64, log=False)
OVER_TLS: Final = Cell(8, 64, tls=True)


def run(repeats: int, seconds: float, only: Sequence[str] | None) -> list[Row]:
    """Measure and return the rows."""
    goals = [goal for goal in GOALS if not only or goal.id in only]
    cells = list(dict.fromkeys(goal.cell for goal in goals))
    if LOG in goals:
        cells.append(NO_LOG)
    if TLS in goals:
        cells.append(OVER_TLS)
    figures: dict[Cell, list[Figures]] = {cell: [] for cell in cells}
    raw: list[tuple[float, float]] = []
    peer = PingPong(0)
    try:
        for repeat in range(repeats):
            raw.append(peer.measure(seconds))
            for cell in cells:
                sys.stderr.write(f"repeat {repeat + 1}/{repeats}: {cell}\n")
                figures[cell].append(
                    measure(bots=cell.bots, rounds=cell.rounds, seconds=seconds, log=cell.log, tls=cell.tls)
                )
    finally:
        peer.close()
    return [_row(goal, figures, raw) for goal in goals]


def _row(goal: Goal, figures: dict[Cell, list[Figures]], raw: list[tuple[float, float]]) -> Row:
    ours = figures[goal.cell]
    if goal is CPU:
        ratio = paired([cpu for _, cpu in raw], [one.cpu_s for one in ours])
    elif goal is LOG:
        ratio = paired([one.cpu_s for one in figures[NO_LOG]], [one.cpu_s for one in ours])
    elif goal is TLS:
        ratio = paired([one.cpu_s for one in ours], [one.cpu_s for one in figures[OVER_TLS]])
    else:
        ratio = paired([one.moves_s for one in ours], [moves for moves, _ in raw])
    median = statistics.median
    detail = {
        "moves_s": median(one.moves_s for one in ours),
        "cpu_us_move": median(one.cpu_s for one in ours) * 1e6,
        "moves_message": median(one.batch for one in ours),
        "raw_s": median(moves for moves, _ in raw),
        "raw_cpu_us": median(cpu for _, cpu in raw) * 1e6,
        "cpu_ratio": paired([cpu for _, cpu in raw], [one.cpu_s for one in ours]),
    }
    return Row(goal.id, goal.what, ratio, goal.floor, goal.goal, len(ours), detail)
