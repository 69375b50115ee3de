"""Golden numbers: how many options there are, and how many different states, a few acts into fixed deals.

Any change of the rules shows here. `python -m tests.rules.test_golden` writes the numbers anew; do that only together
with a new rules version, or when a game is added.
"""

import json
from pathlib import Path

import pytest

from referee.rules.games import GAMES, resolve
from referee.rules.presets import PRESETS
from referee.rules.round import Round
from tests.rules.playing import AVAILABLE, start

FILE = Path(__file__).parents[1] / "data" / "golden_options.json"
DEPTH = 4
SEATS = (2, 4)
WIDEST = 12  # of a longer list of options the first and the last ones are followed


def count(round_: Round, depth: int) -> tuple[int, int]:
    """Options listed and answers given in the tree of this depth; of a window the lowest seat answers first."""
    if not depth or not round_.asked:
        return 0, 1
    seat = min(round_.asked)
    options = len(round_.options(seat))
    if round_.picks(seat) != (1, 1):
        answers = [round_.default(seat)]
    else:
        indices = range(options) if options <= WIDEST else (*range(WIDEST // 2), *range(options - WIDEST // 2, options))
        answers = [(index, False, 0) for index in indices]
    listed, leaves = options, 0
    for answer in answers:
        other = round_.copy()
        other.apply(seat, *answer)
        more, below = count(other, depth - 1)
        listed += more
        leaves += below
    return listed, leaves


def golden(preset: str) -> dict[str, list[int]]:
    """The numbers of a preset, by seats and deal."""
    numbers = {}
    least, most = GAMES[PRESETS[preset].game].SEATS
    for seats in SEATS:
        if least <= seats <= most:
            rules = resolve(preset, {}, seats)
            for seed in range(3):
                numbers[f"{seats} seats, deal {seed}"] = list(count(start(rules, seed), DEPTH))
    return numbers


@pytest.mark.parametrize("preset", AVAILABLE)
def test_option_counts_are_golden(preset: str) -> None:
    """From fixed deals every preset has the numbers of options that it always had."""
    assert golden(preset) == json.loads(FILE.read_text("utf-8"))[preset]


if __name__ == "__main__":
    FILE.write_text(json.dumps({preset: golden(preset) for preset in AVAILABLE}, indent=1) + "\n", encoding="utf-8")
