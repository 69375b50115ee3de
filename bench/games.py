"""The cost of a decision in every game: the engine alone, and with the turn of the asked seat as it goes over the wire.

Policy: uniform over plays, drawing or passing only when there is nothing else; of a list one play or one match, at
random, or else what a silent seat gets. There is no peer: the ratio is that to two-seat UNO in the same run.
"""

import random
import statistics
from collections.abc import Callable, Sequence
from typing import Final

from bench.engine import Play, cell
from bench.rows import Row, paired
from referee import formats, wire
from referee.hosting.hosted import Hosted
from referee.hosting.seats import Seat
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.rules.chance import StreamSource
from referee.rules.game import Game
from referee.rules.round import Answer, Round
from referee.rules.vocabulary import Act

BASE: Final = "uno-classic-2"
FORMATS: Final = (
    *(BASE, "uno-house-2", "uno-house-4", "uno-official-2", "uno-official-4", "uno-official-10", "uno-pairs-4"),
    *("spin-2", "spin-4", "dos-2", "dos-4", "duo"),
)
KEY: Final = bytes(32)
PLAYS: Final = (Act.PLAY, Act.MATCH)


def chosen(current: Round, seat: int, draw: Callable[[], float]) -> Answer:
    """Return an answer of the policy."""
    options = len(current.options(seat))
    if current.picks(seat) == (1, 1):
        return int(draw() * (options - 1)), True, 0
    plays = [index for index, act in enumerate(current.columns(seat).act) if act in PLAYS]
    return ((plays[int(draw() * len(plays))],), True, 0) if plays else current.default(seat)


def engine(name: str) -> Play:
    """Return a function that plays one round: options, event log, checked answers."""
    rules = formats.get(name).rules
    counter = iter(range(1 << 40))

    def play() -> int:
        current = Game(rules, StreamSource(KEY, next(counter), 0), rules.seats - 1).round
        return _play(current, lambda _seat: None)

    return play


def engine_view(name: str) -> Play:
    """Return the same with the turn of the asked seat, encoded."""
    found = formats.get(name)
    entrants = tuple(f"{chr(97 + seat)}@1" for seat in range(found.seats))
    spec = MatchSpec("bench", found, entrants, 16, with_nonces=False)
    counter = iter(range(1 << 40))

    def play() -> int:
        play = MatchPlay(spec, next(counter).to_bytes(32, "big"))
        hosted = Hosted(play, "1-0-bench", 1, 0)
        table = play.start(0)
        seats = [Seat(hosted, table, number, number) for number in range(found.seats)]

        def tell(number: int) -> None:
            seats[number].handle = 7
            seats[number].act = table.round.asked_at
            wire.turn(seats[number])

        return _play(table.round, tell)

    return play


def _play(current: Round, tell: Callable[[int], object]) -> int:
    draw = random.random
    decisions = 0
    while current.result is None:
        seat = current.seat if current.seat >= 0 else min(current.asked)
        tell(seat)
        current.apply(seat, *chosen(current, seat, draw))
        decisions += 1
    return decisions


def run(repeats: int, seconds: float, only: Sequence[str] | None) -> list[Row]:
    """Measure and return a row a format."""
    names = [name for name in FORMATS if not only or name in only or name == BASE]
    cells = {(name, kind): make(name) for name in names for kind, make in (("", engine), ("view", engine_view))}
    figures: dict[tuple[str, str], list[tuple[float, float]]] = {which: [] for which in cells}
    for _ in range(repeats):
        for which, play in cells.items():
            figures[which].append(cell(play, seconds))
    return [_row(name, figures) for name in names]


def _row(name: str, figures: dict[tuple[str, str], list[tuple[float, float]]]) -> Row:
    ours = [decisions for decisions, _ in figures[name, ""]]
    rounds = [rounds for _, rounds in figures[name, ""]]
    seen = [decisions for decisions, _ in figures[name, "view"]]
    detail = {
        "us_decision": 1e6 / statistics.median(ours),
        "us_with_view": 1e6 / statistics.median(seen),
        "decisions_round": statistics.median(d / r for d, r in zip(ours, rounds, strict=True)),
        "rounds_s": statistics.median(rounds),
    }
    base = [decisions for decisions, _ in figures[BASE, ""]]
    return Row(name, f"decisions per CPU second v {BASE}", paired(ours, base), len(ours), detail)
