"""One pick of a Duo dump stands for the whole dump."""

import json
from dataclasses import replace
from random import Random

import pytest

from lastcard import Bot, Option, Turn
from referee import formats
from referee.formats.format import Format
from referee.local import arena
from referee.rules.games import resolve

pytestmark = pytest.mark.slow

SPIN = formats.get("spin-2")
BY_OWN_POINTS = resolve("spin", {"war_ranks": "POINTS", "points": [4, 9, 0]}, 2)


class Naive(Bot):
    """Returns any one option, as a first bot does."""

    formats = ("duo",)

    def __init__(self, seed: int) -> None:
        """Choose by this seed."""
        self.random = Random(seed)

    def choose(self, turn: Turn) -> Option:
        """Prefer whatever belongs to a dump, so that it is met often."""
        dumps = [option for option in turn.options if option.act in {"DUMP", "DISCARD"}]
        return self.random.choice(dumps or list(turn.options))


@pytest.mark.parametrize(
    "played",
    [
        pytest.param(formats.get("duo"), id="duo"),
        pytest.param(SPIN, id="spin-2"),
        pytest.param(replace(SPIN, name="an-own-spin", rules=BY_OWN_POINTS), id="wars by an organiser's points"),
    ],
)
def test_a_bot_that_returns_single_options_has_no_faults(played: Format) -> None:
    """Bare DUMP, DISCARD and WAR options are completed to legal lists, also where the wheel discards."""
    bots = [("one", Naive(1)), ("two", Naive(2))]
    result = arena.play(played, bots, meetings=20, seed=3)
    assert not result.mistakes
    assert [json.loads(match.result)["faults"] for match in result.matches] == [[0, 0]] * len(result.matches)
