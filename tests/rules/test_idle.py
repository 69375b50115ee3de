"""Options that are said to say nothing: whatever they are, the same game is played."""

from collections.abc import Iterator
from random import Random

import pytest

from referee.rules.game import Game
from referee.rules.games import GAMES, resolve
from referee.rules.idle import IDLE, SAME, SEATS, Idle, idle, plainly
from referee.rules.options import Choice, Flag, Numbers, Option, OptionValue, Rules
from referee.rules.presets import OPTIONS, PRESETS
from tests.rules.playing import play, source

pytestmark = pytest.mark.slow

SHORT: dict[str, OptionValue] = {"hand_size": 3, "max_turns_per_round": 60, "rounds": 2, "max_rounds": 3}


def values(option: Option) -> tuple[OptionValue, ...]:
    """Values of an option that differ as much as they can."""
    match option.kind:
        case Choice(words):
            return words
        case Flag():
            return (True, False)
        case Numbers(meaning):
            return tuple(tuple(n * step for n in range(1, len(meaning) + 1)) for step in (1, 20))
        case _:
            return (1, 4)


def rulesets(row: Idle, preset: str) -> Iterator[list[Rules]]:
    """Rulesets of a preset in which the row holds, in groups that differ by its option alone."""
    known = OPTIONS[PRESETS[preset].game]
    least, most = GAMES[PRESETS[preset].game].SEATS
    for other in (100,) if row.unless else row.values:
        seats = other if row.other == SEATS and type(other) is int else min(max(least, 3), most)
        fixed = {} if row.other == SEATS else {row.other: other}
        group = [resolve(preset, SHORT | fixed | {row.option: value}, seats) for value in values(known[row.option])]
        if all(row.holds(rules) for rules in group):
            yield group


def game(rules: Rules, seed: int) -> list[object]:
    """All that happens in a game of random answers."""
    played, rng, seen = Game(rules, source(seed), 0), Random(seed), []
    while not played.over:
        round_ = play(played.round, rng)
        seen += [bytes(round_.events), [list(private) for private in round_.private], round_.result]
        played.advance()
    return [*seen, played.result]


@pytest.mark.sample(8)
@pytest.mark.parametrize("row", IDLE, ids=lambda row: f"{row.option} by {row.other}")
def test_an_idle_option_changes_nothing(row: Idle) -> None:
    """With each of its values the same acts lead to the same events and the same result."""
    groups = [
        group
        for preset in PRESETS
        if row.option in OPTIONS[PRESETS[preset].game] and row.other in (SEATS, *OPTIONS[PRESETS[preset].game])
        for group in rulesets(row, preset)
    ]
    assert groups
    for group in groups:
        for seed in range(12):
            first, *others = [game(rules, seed) for rules in group]
            assert others == [first] * len(others)


def test_an_option_that_says_something_is_not_idle() -> None:
    """Only what nothing asks for is idle."""
    assert idle(resolve("official", {}, 3), "challenge_guilty_extra") is None
    found = idle(resolve("classic", {}, 3), "challenge_guilty_extra")
    assert found is not None
    assert found.other == "wd4_enforcement"
    counted = {"scoring": "CARD_COUNT", "points": [1, 2, 3]}
    assert idle(resolve("classic", counted, 3), "points") is not None
    assert idle(resolve("spin", counted | {"war_ranks": "POINTS"}, 3), "points") is None


@pytest.mark.parametrize(
    ("preset", "option"),
    [(preset, option) for preset in PRESETS for option in SAME if option in OPTIONS[PRESETS[preset].game]],
)
def test_values_that_mean_the_same_play_the_same(preset: str, option: str) -> None:
    """Act for act; a third value does not."""
    group = [resolve(preset, SHORT | {option: value}, 3) for value in (*SAME[option], 4)]
    assert [plainly(rules, option) for rules in group] == [SAME[option][1], SAME[option][1], 4]
    played = [[game(rules, seed) for seed in range(12)] for rules in group]
    assert played[0] == played[1] != played[2]
