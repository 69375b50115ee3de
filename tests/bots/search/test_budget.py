"""What a decision of `search` may cost."""

from __future__ import annotations

import pytest

from lastcard.errors import InputError
from referee.bots import get, make
from referee.bots.search import Budget, Search


@pytest.mark.parametrize(
    ("text", "budget"),
    [
        pytest.param("200", Budget(200), id="rounds"),
        pytest.param("50ms", Budget(0, 50), id="time"),
        pytest.param("1", Budget(1), id="the least"),
        pytest.param("100000", Budget(100_000), id="the most"),
    ],
)
def test_a_budget_is_read(text: str, budget: Budget) -> None:
    """A number of rounds, or milliseconds."""
    assert Budget.read(text) == budget


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="nothing"),
        pytest.param("0", id="nought"),
        pytest.param("100001", id="too many"),
        pytest.param("60001ms", id="too long"),
        pytest.param("5s", id="seconds"),
        pytest.param("-3", id="below nought"),
        pytest.param("\u0663", id="another script"),
    ],
)
def test_what_is_no_budget_is_refused(text: str) -> None:
    """With what may be written."""
    with pytest.raises(InputError, match="search:200") as caught:
        make(f"search:{text}", 1)
    assert caught.value.reason == "BAD_BUDGET"


def test_the_budget_is_named_behind_the_bot() -> None:
    """And other house bots have nothing to set."""
    bot = make("search:7", 1)
    assert isinstance(bot, Search)
    with pytest.raises(InputError, match="nothing to set") as caught:
        make("careful:7", 1)
    assert caught.value.reason == "BAD_SETTING"
    assert get("careful")(1).name == "careful"


def test_rounds_are_counted_and_time_passes() -> None:
    """Each by its own clock."""
    counted = Budget(10).start()
    assert (counted.used(0), counted.used(5), counted.used(10)) == (0.0, 0.5, 1.0)
    timed = Budget(0, 1).start()
    while timed.used(0) < 1:
        pass
    assert timed.used(0) >= 1
