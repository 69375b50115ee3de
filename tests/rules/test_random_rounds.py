"""Random rounds of every preset; `./dev soak rules` plays a hundred thousand."""

import pytest

from tests.rules.playing import AVAILABLE
from tests.rules.random_rounds import played

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("count", [250, pytest.param(2_000, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("preset", AVAILABLE)
def test_random_rounds_end(preset: str, count: int) -> None:
    """With any seats and options no assertion fails, no card is lost, and rounds end in every way that is likely."""
    seen = played(preset, range(count))
    assert seen.total() == count
    assert seen["OUT"] > 0.75 * count
    assert seen["FORFEIT"] > count // 400
