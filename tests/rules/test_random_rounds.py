"""A thousand random rounds of every preset; `./dev soak rules` plays a hundred thousand."""

import pytest

from tests.rules.playing import AVAILABLE
from tests.rules.random_rounds import played

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("preset", AVAILABLE)
def test_a_thousand_random_rounds_end(preset: str) -> None:
    """With any seats and options no assertion fails, no card is lost, and rounds end in every way that is likely."""
    seen = played(preset, range(1_000))
    assert seen.total() == 1_000
    assert seen["OUT"] > 750
    assert seen["FORFEIT"] > 2
