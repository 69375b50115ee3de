"""Games differ by what stands in the tables, not by questions that other code asks."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ASKS_WHICH_GAME = re.compile(r"""(==|!=|\bin\b|\bcase\b)\s*[\[({]?\s*["'](uno|spin|dos|duo|UNO|SPIN|DOS|DUO)["']""")


@pytest.mark.parametrize("package", ["lastcard", "referee", "ladder", "workers"])
def test_no_code_asks_which_game_it_is(package: str) -> None:
    """Adding a game changes the table of games, its options and its own modules, and nothing else."""
    asking = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in (ROOT / package).rglob("*.py")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if ASKS_WHICH_GAME.search(line)
    ]
    assert asking == []
