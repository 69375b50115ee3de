"""Decisions a CPU second of the rules engine beside RLCard, in interleaved cells of one run.

Policy of every cell: uniform over plays, draw only when there is none (what RLCard's environment forces).
"""

import random
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Final

from bench.peers import rlcard_game, rlcard_run
from bench.rows import Row, paired
from referee import formats, wire
from referee.hosting.hosted import Hosted
from referee.hosting.seats import Seat
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.rules.chance import StreamSource
from referee.rules.game import Game

FORMAT: Final = "uno-classic-2"
KEY: Final = bytes(32)
IDS: Final = ("engine", "engine_view")
Play = Callable[[], int]


def engine() -> Play:
    """Return a function that plays one two-seat round of UNO: options, event log, checked answers."""
    rules = formats.get(FORMAT).rules
    draw = random.random
    counter = iter(range(1 << 40))

    def play() -> int:
        current = Game(rules, StreamSource(KEY, next(counter), 0), 1).round
        decisions = 0
        while current.result is None:
            seat = current.seat
            current.apply(seat, int(draw() * (len(current.options(seat)) - 1)), True, 0)
            decisions += 1
        return decisions

    return play


def engine_view() -> Play:
    """Return the same with the turn of the asked seat, encoded as it goes over the wire."""
    spec = MatchSpec("bench", formats.get(FORMAT), ("a@1", "b@1"), 16, with_nonces=False)
    draw = random.random
    counter = iter(range(1 << 40))
    left: list[tuple[Hosted, int]] = []

    def play() -> int:
        if not left:
            play = MatchPlay(spec, next(counter).to_bytes(32, "big"))
            left.extend((Hosted(play, "1-0-bench", 1, 0), game) for game in range(spec.games))
        hosted, game = left.pop()
        table = hosted.play.start(game)
        current = table.round
        seats = [Seat(hosted, table, number, number) for number in range(2)]
        decisions = 0
        while current.result is None:
            number = current.seat
            seat = seats[number]
            seat.handle = 7
            seat.act = current.asked_at
            wire.turn(seat)
            current.apply(number, int(draw() * (len(current.options(number)) - 1)), True, 0)
            decisions += 1
        return decisions

    return play


def cell(play: Play, seconds: float) -> tuple[float, float]:
    """Return decisions and rounds a CPU second."""
    decisions = rounds = 0
    began = time.process_time()
    while (spent := time.process_time() - began) < seconds:
        for _ in range(5):
            decisions += play()
            rounds += 1
    return decisions / spent, rounds / spent


def run(repeats: int, seconds: float, only: Sequence[str] | None) -> list[Row]:
    """Measure and return the rows."""
    cells = {
        "rlcard": rlcard_run(),
        "rlcard_game": rlcard_game(),
        "engine": engine(),
        "engine_view": engine_view(),
    }
    figures: dict[str, list[tuple[float, float]]] = {name: [] for name in cells}
    for _ in range(repeats):
        for name, play in cells.items():
            figures[name].append(cell(play, seconds))
    rows = [
        _row("engine", "UNO 2 seats: options + log + check, decisions per CPU second v RLCard env.run", figures),
        _row("engine_view", "the same with the encoded turn of the asked seat", figures),
    ]
    return [row for row in rows if not only or row.id in only]


def _row(name: str, what: str, figures: dict[str, list[tuple[float, float]]]) -> Row:
    ours = [decisions for decisions, _ in figures[name]]
    detail = {
        "decisions_s": statistics.median(ours),
        "us_decision": 1e6 / statistics.median(ours),
        "rounds_s": statistics.median(rounds for _, rounds in figures[name]),
        "rlcard_decisions_s": statistics.median(decisions for decisions, _ in figures["rlcard"]),
        "v_rlcard_game": paired(ours, [decisions for decisions, _ in figures["rlcard_game"]]),
    }
    return Row(name, what, paired(ours, [d for d, _ in figures["rlcard"]]), len(ours), detail)
