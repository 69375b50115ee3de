"""Golden numbers of DOS: options, and legal answers composed of them, a few acts into fixed deals.

`python -m tests.rules.dos.test_golden` writes them anew; do that only together with a new rules version.
"""

from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest

from referee.rules.errors import IllegalAnswerError
from referee.rules.games import resolve
from referee.rules.round import Picks, Round
from tests.rules.playing import start

pytestmark = pytest.mark.slow

FILE = Path(__file__).parents[2] / "data" / "golden_dos.txt"
DEPTH = 3
WIDEST = 6  # of more answers than this the first and the last ones are followed
RULESETS: Mapping[str, Mapping[str, object]] = {
    "dos": {},
    "ever two, optional bonus": {"call_scope": "EVER_TWO", "bonus_mandatory": False, "hand_size": 3},
    "one per match, a row of four": {"refill": "ONE_PER_MATCH", "row_min": 4},
}


class Numbers(NamedTuple):
    """What one level of the tree has, summed over its decisions."""

    decisions: int
    options: int
    answers: int


def answers(round_: Round, seat: int) -> list[Picks]:
    """Every legal answer: lists of picks in rising order, since matches may be picked in any."""
    return list(_answers(round_, seat))


def _answers(round_: Round, seat: int) -> Iterator[Picks]:
    least, most = round_.picks(seat)
    for size in range(least, min(most, 3) + 1):
        for picks in combinations(range(len(round_.options(seat))), size):
            try:
                round_._picked(seat, picks, 0)  # as `apply` does first
            except IllegalAnswerError:
                continue
            yield picks


def level(rounds: list[Round]) -> tuple[Numbers, list[Round]]:
    """The numbers of the decisions that are open in these rounds, and the rounds that follow."""
    decisions = options = given = 0
    following: list[Round] = []
    for round_ in rounds:
        if not round_.asked:
            continue
        seat = min(round_.asked)
        found = answers(round_, seat)
        decisions, options, given = decisions + 1, options + len(round_.options(seat)), given + len(found)
        for picks in found if len(found) <= WIDEST else found[: WIDEST // 2] + found[-WIDEST // 2 :]:
            other = round_.copy()
            other.apply(seat, picks, call=len(following) % 2 == 0, color=0)
            following.append(other)
    return Numbers(decisions, options, given), following


def golden() -> Iterator[str]:
    """One line a ruleset, number of seats and deal."""
    for name, options in RULESETS.items():
        for seats in (2, 3, 4):
            rounds = [start(resolve("dos", options, seats), seats)]
            words = []
            for _ in range(DEPTH):
                numbers, rounds = level(rounds)
                words.append(f"{numbers.decisions} asked {numbers.options} options {numbers.answers} answers")
            yield f"{name}, {seats} seats: {'; '.join(words)}"


def test_options_and_answers_are_golden() -> None:
    """From fixed deals DOS has the options and the answers that it always had."""
    assert list(golden()) == FILE.read_text("utf-8").splitlines()


if __name__ == "__main__":
    FILE.write_text("\n".join(golden()) + "\n", encoding="utf-8")
