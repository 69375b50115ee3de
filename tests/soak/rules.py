"""Random rounds at length: a hundred thousand of every preset, with any seats and options.

    ./dev soak rules [--rounds N] [--first N] [--presets P ...]

No assertion may fail, no card may be lost, every round must end. One in fifty is a recorded game, which must verify.
Each round follows from its number, so that a failure is repeated with `--first NUMBER --rounds 1`.
"""

import argparse
import json
import sys
import time
from collections import Counter
from random import Random
from typing import Final

from referee.rules.games import GAMES, resolve
from referee.rules.presets import PRESETS
from referee.rules.record import RecordedGame
from referee.rules.verify import verify
from tests.rules.playing import AVAILABLE, play, source
from tests.rules.random_rounds import played

PART: Final = 1_000
RECORDED: Final = 50


def main(argv: list[str]) -> int:
    """Play; returns 1 if a round was not as it should be."""
    parser = argparse.ArgumentParser("./dev soak rules", description=__doc__)
    parser.add_argument("--rounds", type=int, default=100_000, help="of every preset")
    parser.add_argument("--first", type=int, default=0, help="number of the first round")
    parser.add_argument("--presets", nargs="+", choices=AVAILABLE, default=AVAILABLE)
    options = parser.parse_args(argv)
    good = [_preset(preset, options.first, options.rounds) for preset in options.presets]
    return 0 if all(good) else 1


def _preset(preset: str, first: int, count: int) -> bool:
    """Play all rounds of a preset; returns whether all were as they should be."""
    began, wrong = time.monotonic(), 0
    ends: Counter[str] = Counter()
    for part in range(first, first + count, PART):
        numbers = range(part, min(part + PART, first + count))
        try:
            ends += played(preset, numbers)
        except Exception:  # noqa: BLE001  (whatever it is: its round is looked for, and play goes on)
            wrong += sum(not _ends(preset, number) for number in numbers)
        wrong += sum(not _verifies(preset, number) for number in numbers[::RECORDED])
        print(f"{preset}: {numbers.stop - first} of {count}, {dict(ends)}", file=sys.stderr)
    print(f"{preset}: {ends.total()} rounds, {dict(ends)}, {wrong} wrong, {time.monotonic() - began:.0f} s")
    return not wrong


def _ends(preset: str, number: int) -> bool:
    try:
        played(preset, range(number, number + 1))
    except Exception as error:  # noqa: BLE001  (it is told, whatever it is)
        print(f"{preset}: round {number}: {type(error).__name__}: {error}")
        return False
    return True


def _verifies(preset: str, number: int) -> bool:
    least, most = GAMES[PRESETS[preset].game].SEATS
    rules = resolve(preset, {"max_turns_per_round": 300, "target_score": 0}, least + number % (most - least + 1))
    game = RecordedGame(rules, source(number), number % rules.seats)
    rng = Random(number)
    while not game.over:
        play(game.round, rng)
        game.advance()
    found = verify(json.loads(json.dumps(game.record())))
    if found is not None:
        print(f"{preset}: the record of round {number} does not verify: {found.message}")
    return found is None
