"""How far a tournament is, in the words that pages and commands share."""

from __future__ import annotations

import pytest

from ladder.extent import extent, missing, waiting, was_missing
from ladder.tables import Walkover
from lastcard.console import counted


@pytest.mark.parametrize(
    ("state", "done", "lost", "total", "words"),
    [
        pytest.param("draft", 0, 0, 0, "not begun yet", id="before the start"),
        pytest.param("running", 0, 0, 1, "0 of 1 match", id="one match"),
        pytest.param("finished", 24, 1, 24, "24 of 24 matches, 1 void or parked", id="one was played again"),
        pytest.param("cancelled", 72, 74, 260, "72 played, 74 void, 114 never begun", id="cancelled"),
        pytest.param("cancelled", 0, 0, 0, "never begun", id="cancelled before it began"),
    ],
)
def test_how_far_it_is(state: str, done: int, lost: int, total: int, words: str) -> None:
    """What is played, what is void, and what was never begun add up to all."""
    assert extent(state, done, lost, total) == words


@pytest.mark.parametrize(("games", "words"), [(1, "1 game"), (10, "10 games")])
def test_who_was_missing(games: int, words: str) -> None:
    """The bot, its games, and that no ladder moved."""
    assert was_missing(Walkover("tut@1", games)) == f"tut was missing: {words} by walkover, no ladder moved"


def test_one_of_a_kind_has_no_plural() -> None:
    """A noun follows its number."""
    assert [counted(number, "match", "matches") for number in (0, 1, 2)] == ["0 matches", "1 match", "2 matches"]
    assert counted(3, "bot") == "3 bots"


@pytest.mark.parametrize(
    ("bots", "words"),
    [
        pytest.param(["tut@1"], "tut", id="one"),
        pytest.param(["tut@1", "ann@2"], "tut and ann", id="two"),
        pytest.param(["tut@1", "ann@2", "ben@1"], "tut, ann and ben", id="three"),
        pytest.param([f"bot{number}@1" for number in range(40)], "bot0, bot1, bot2 and 37 more", id="many"),
    ],
)
def test_who_is_waited_for(bots: list[str], words: str) -> None:
    """A few by name, the others by number."""
    assert waiting(bots) == f"waiting for {words}"


def test_who_is_missing_longest_comes_first() -> None:
    """As the planner has noted; it has noted nothing before a tournament begins."""
    assert missing('{"missing": {"ann@1": 2000, "tut@1": 1000}, "next": 3}') == ("tut@1", "ann@1")
    assert missing("") == ()
