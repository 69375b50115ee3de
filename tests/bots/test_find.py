"""From what a person types to a bot."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import lastcard
from lastcard.bot import Bot, Function
from lastcard.errors import InputError
from lastcard.practice import turn
from referee.bots import Careful, Search
from referee.bots.find import find

SCRIPT = """
from lastcard import Bot, run

class Plain(Bot):
    def choose(self, turn):
        return 0

class Seeded(Bot):
    def __init__(self, seed):
        self.seed = seed
    def choose(self, turn):
        return 0

class Broken(Bot):
    def __init__(self):
        raise OSError("no model file")

class Odd(Plain):
    catch = "SOMETIMES"

def last(turn):
    return len(turn.options) - 1

ready = Plain()
number = 5
run(Plain())
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder that modules are found in, with one in it that runs its bot when it is imported."""
    (tmp_path / "shop.py").write_text(SCRIPT)
    (tmp_path / "crash.py").write_text("import nothing_of_this_name\n")
    (tmp_path / "leaves.py").write_text("import sys\nsys.exit('bye')\n")
    monkeypatch.syspath_prepend(tmp_path)
    for name in ("shop", "crash", "leaves"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def test_a_house_bot_gets_the_seed() -> None:
    """By its name alone."""
    bot = find("careful", 9)
    assert isinstance(bot, Careful)
    assert bot.seed == 9


def test_a_house_bot_may_have_a_setting() -> None:
    """Behind a colon, where another bot has its class."""
    bot = find("search:20", 9)
    assert isinstance(bot, Search)
    assert bot.seed == 9
    with pytest.raises(InputError, match="nothing to set"):
        find("careful:20", 9)


@pytest.mark.usefixtures("folder")
def test_a_class_is_made_and_a_script_is_not_run() -> None:
    """Though it says `run(…)` at its end, as the shortest bot does."""
    original = lastcard.run
    assert type(find("shop:Plain", 1)).__name__ == "Plain"
    assert lastcard.run is original


@pytest.mark.usefixtures("folder")
def test_a_class_that_takes_a_seed_gets_it() -> None:
    """As house bots do."""
    assert vars(find("shop:Seeded", 4)) == {"seed": 4}


@pytest.mark.usefixtures("folder")
def test_a_bot_and_a_function_will_do() -> None:
    """As with `run`."""
    assert isinstance(find("shop:ready", 1), Bot)
    bot = find("shop:last", 1)
    assert isinstance(bot, Function)
    assert bot.choose(turn("PLAY R1", "DRAW", hand="R1")) == 1


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("text", "reason", "sentence"),
    [
        pytest.param("clever", "UNKNOWN_BOT", "there are random, first, greedy, careful", id="no house bot"),
        pytest.param("", "UNKNOWN_BOT", "no house bot ''", id="nothing"),
        pytest.param("shop/bot.py", "UNKNOWN_BOT", "a path, and no bot's name: in the folder", id="a file"),
        pytest.param("shop.py", "UNKNOWN_BOT", "name its class, as shop:Class", id="a file here"),
        pytest.param("shop/", "UNKNOWN_BOT", "name its class, as module:Class", id="a folder"),
        pytest.param("shelf:Plain", "NO_MODULE", "there is no module 'shelf'", id="no module"),
        pytest.param("shop:Missing", "NO_SUCH_CLASS", "it has Plain, Seeded, Broken, Odd", id="no such class"),
        pytest.param("shop:", "NO_SUCH_CLASS", "has no ''", id="no class named"),
        pytest.param("crash:Plain", "BAD_MODULE", "No module named 'nothing_of_this_name'", id="it imports in vain"),
        pytest.param("leaves:Plain", "BAD_MODULE", "SystemExit: bye", id="it exits"),
        pytest.param("shop:number", "NOT_A_BOT", "wants a Bot or a function", id="no bot"),
        pytest.param("shop:Broken", "BAD_BOT", "OSError: no model file", id="its constructor raises"),
        pytest.param("shop:Odd", "BAD_BOT", "Odd.catch is 'SOMETIMES'", id="an impossible setting"),
    ],
)
def test_what_is_no_bot_is_refused_with_a_sentence(text: str, reason: str, sentence: str) -> None:
    """And a reason that programs can rely on."""
    with pytest.raises(InputError) as caught:
        find(text, 1)
    assert caught.value.reason == reason
    assert sentence in str(caught.value)


def test_a_file_may_be_called_like_a_house_bot(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A class of it is meant by its name; a setting is still the house bot's."""
    monkeypatch.chdir(folder)
    (folder / "greedy.py").write_text(SCRIPT)
    (folder / "search.py").write_text(SCRIPT)
    for name in ("greedy", "search"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    assert type(find("greedy:Plain", 1)).__module__ == "greedy"
    assert type(find("search:Plain", 1)).__module__ == "search"
    assert isinstance(find("search:50", 1), Search)
    assert type(find("greedy", 1)).__module__.startswith("referee.bots")


def test_a_file_called_like_a_module_of_pythons_own_must_be_renamed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`random` is a house bot, a module and a file here: what was meant cannot be had."""
    monkeypatch.chdir(folder)
    (folder / "random.py").write_text(SCRIPT)
    with pytest.raises(InputError, match="rename your file") as refused:
        find("random:Plain", 1)
    assert refused.value.reason == "OTHER_MODULE"
