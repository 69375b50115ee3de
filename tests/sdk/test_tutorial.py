"""What the documentation shows is what happens."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import lastcard
from lastcard.bot import Bot, as_bot

ROOT = Path(__file__).parents[2]
TUTORIAL = ROOT / "docs" / "tutorial.md"


def test_the_examples_of_the_tutorial_print_what_it_says() -> None:
    """Every `>>>` of it."""
    failed, tried = doctest.testfile(str(TUTORIAL), module_relative=False)
    assert (failed, tried > 5) == (0, True)


@pytest.mark.parametrize("page", [pytest.param("docs/tutorial.md", id="tutorial")])
def test_the_first_bot_is_the_example_file(page: str) -> None:
    """So that what is printed is what is run."""
    assert (ROOT / "examples" / "greedy.py").read_text("utf-8") in (ROOT / page).read_text("utf-8")


def test_the_settings_that_the_tutorial_shows_are_those_of_a_bot() -> None:
    """All of them, and possible."""
    [block] = re.findall(r"```python\n(class Mine.*?)```", TUTORIAL.read_text("utf-8"), re.DOTALL)
    scope: dict[str, object] = {"Bot": Bot}
    exec(block + "    def choose(self, turn): return 0\n", scope)
    mine = scope["Mine"]
    assert isinstance(mine, type)
    as_bot(mine)
    shown = {name for name in vars(mine) if not name.startswith("_")} - {"choose"}
    assert shown == {name for name, value in vars(Bot).items() if not name.startswith("_") and not callable(value)}


def test_what_the_tutorial_says_of_a_turn_is_there() -> None:
    """Every name of its table is an attribute of a turn."""
    table = TUTORIAL.read_text("utf-8").partition("| of a turn | |")[2].partition("\n\n")[0]
    names = re.findall(r"`(\w+)(?:\(\w+\))?`", table)
    assert len(names) > 20
    assert not [name for name in names if not hasattr(lastcard.Turn, name)]
