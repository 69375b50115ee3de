"""Records with anything anywhere: they diverge, and nothing is ever raised."""

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from referee.rules.verify import verify
from tests.rules.playing import AVAILABLE
from tests.rules.recording import played

pytestmark = pytest.mark.slow

JUNK: tuple[Any, ...] = (
    *(None, True, 0, -1, 1 << 70, 1.5, float("inf"), "", "x", "R5"),
    *([], [[]], {}, {"a": 1}, ["R5"], [None], [1, 2], {"seat": 0}),
)


def places(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values of a JSON object, containers included."""
    if path:
        yield path
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inside:
        yield from places(one, (*path, key))


def spoiled(record: dict[str, Any], path: tuple[Any, ...], rng: Random) -> dict[str, Any]:
    """The record with junk in one place, or without it."""
    other = copy.deepcopy(record)
    around: Any = other
    for key in path[:-1]:
        around = around[key]
    way = rng.random()
    if way < 0.7:
        around[path[-1]] = rng.choice(JUNK)
    elif isinstance(around, dict):
        del around[path[-1]]
    else:
        around.insert(path[-1], rng.choice(JUNK))
    return other


@pytest.mark.sample(3)
@pytest.mark.parametrize("preset", AVAILABLE)
def test_junk_diverges(preset: str) -> None:
    """Whatever stands in a record instead of what should: a divergence, unless it says the same."""
    record = played(preset)
    rng = Random(preset)
    everywhere = list(places(record))
    for _ in range(400):
        other = spoiled(record, rng.choice(everywhere), rng)
        found = verify(other)
        assert (found is None) == (json.dumps(other) == json.dumps(record))
