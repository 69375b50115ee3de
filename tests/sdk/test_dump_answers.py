"""One pick of a Duo dump stands for the whole dump."""

import json
from random import Random

import pytest

from lastcard import Bot, Option, Turn
from referee import arena, formats


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


@pytest.mark.parametrize("name", ["duo", "spin-2"])
def test_a_bot_that_returns_single_options_has_no_faults(name: str) -> None:
    """Bare DUMP and DISCARD options are completed to legal lists, also where the wheel discards."""
    bots = [("one", Naive(1)), ("two", Naive(2))]
    result = arena.play(formats.get(name), bots, meetings=20, seed=3)
    assert not result.mistakes
    assert [json.loads(match.result)["faults"] for match in result.matches] == [[0, 0]] * len(result.matches)
