"""Golden numbers of Spin and Duo: options and legal answers of each kind of decision in fixed rounds.

The tree of `test_golden` does not get as far as a dump or a war; these rounds are played to their end by a fixed rule.
`python -m tests.rules.test_golden_lists` writes the numbers anew; do that only together with a new rules version.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations
from pathlib import Path
from typing import Final

import pytest

from referee.rules.errors import IllegalAnswerError
from referee.rules.games import resolve
from referee.rules.round import Answer, Round
from referee.rules.vocabulary import DecisionKind
from tests.rules.playing import start

pytestmark = pytest.mark.slow

FILE: Final = Path(__file__).parents[1] / "data" / "golden_lists.txt"
DEALS: Final = 12
LONGEST: Final = 4  # longer lists are counted by their default alone
RULESETS: Final[Mapping[str, tuple[str, int, Mapping[str, object]]]] = {
    "spin, 2 seats": ("spin", 2, {}),
    "spin, 4 seats": ("spin", 4, {}),
    "spin, 3 seats, all fight, discards under the pile": (
        "spin",
        3,
        {"war_ranks": "POINTS", "wheel_discards": "UNDER", "spin_cards_extra": True, "call_mode": "WINDOW"},
    ),
    "duo": ("duo", 2, {}),
    "duo, a Reverse is a Skip": ("duo", 2, {"two_player_reverse": "SKIP", "stacking": "SAME", "recycle": "SHUFFLE"}),
}


def answers(round_: Round, seat: int) -> list[Answer]:
    """The legal answers of a seat, naming red where a list needs a colour; of long lists the default alone."""
    least, most = round_.picks(seat)
    if (least, most) == (1, 1):
        return [(index, True, 0) for index in range(len(round_.options(seat)))]
    if least > LONGEST:
        return [round_.default(seat)]
    found: list[Answer] = []
    for size in range(least, min(most, LONGEST) + 1):
        for picks in permutations(range(len(round_.options(seat))), size):
            try:
                round_._picked(seat, picks, 1)  # as `apply` does first
            except IllegalAnswerError:
                continue
            found.append((picks, True, 1))
    return found or [round_.default(seat)]


def played(preset: str, seats: int, options: Mapping[str, object]) -> Iterator[tuple[DecisionKind, int, int]]:
    """Every decision of the rounds: its kind, options and answers."""
    for seed in range(DEALS):
        round_ = start(resolve(preset, {"max_turns_per_round": 60, **options}, seats), seed)
        while round_.asked:
            seat = min(round_.asked)
            legal = answers(round_, seat)
            yield round_.asked[seat], len(round_.options(seat)), len(legal)
            round_.apply(seat, *legal[round_.acts * 7 % len(legal)])


def golden() -> Iterator[str]:
    """One line a ruleset and kind of decision."""
    for name, (preset, seats, options) in RULESETS.items():
        counts: dict[DecisionKind, Counter[str]] = {}
        for kind, listed, legal in played(preset, seats, options):
            counts.setdefault(kind, Counter()).update(asked=1, options=listed, answers=legal)
        for kind, count in sorted(counts.items()):
            yield f"{name}: {kind.name} {count['asked']} asked {count['options']} options {count['answers']} answers"


def test_lists_and_their_answers_are_golden() -> None:
    """From fixed deals Spin and Duo have the decisions, options and answers that they always had."""
    assert list(golden()) == FILE.read_text("utf-8").splitlines()


if __name__ == "__main__":
    FILE.write_text("\n".join(golden()) + "\n", encoding="utf-8")
