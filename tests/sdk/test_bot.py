"""What may be a bot."""

from __future__ import annotations

import pytest

from lastcard import Bot, Turn
from lastcard.bot import as_bot
from lastcard.errors import InputError
from lastcard.practice import turn


class First(Bot):
    def choose(self, turn: Turn) -> int:
        return 0


@pytest.mark.parametrize(
    "what",
    [
        pytest.param(First(), id="an object"),
        pytest.param(First, id="its class"),
        pytest.param(lambda turn: 0, id="a lambda"),
        pytest.param(First().choose, id="a method"),
    ],
)
def test_objects_classes_and_functions_are_bots(what: Bot) -> None:
    """All choose."""
    assert as_bot(what).choose(turn("DRAW")) == 0


@pytest.mark.parametrize(
    ("name", "value"),
    [
        pytest.param("formats", (), id="no format"),
        pytest.param("formats", tuple("a" * 65), id="too many formats"),
        pytest.param("version", "", id="no version"),
        pytest.param("version", "x" * 65, id="a long version"),
        pytest.param("version", "é", id="a version that is not ASCII"),
        pytest.param("version", 2, id="a version that is a number"),
        pytest.param("formats", None, id="formats that are nothing"),
        pytest.param("formats", ("duo", 7), id="a format that is a number"),
        pytest.param("max_games", 0, id="no games"),
        pytest.param("max_games", 257, id="too many games"),
        pytest.param("max_games", "64", id="a number as text"),
        pytest.param("max_open", 0, id="nothing open"),
        pytest.param("max_open", 1.5, id="half a decision"),
        pytest.param("processes", 9, id="too many processes"),
        pytest.param("catch", "SOMETIMES", id="no such order"),
    ],
)
def test_settings_that_are_not_possible_are_refused(name: str, value: object) -> None:
    """With the setting, its value and what is allowed."""
    bot = First()
    setattr(bot, name, value)
    with pytest.raises(InputError, match=rf"First\.{name} is") as caught:
        as_bot(bot)
    assert (caught.value.field, caught.value.value, caught.value.exit_code) == (name, value, 2)


def test_one_format_may_be_named_without_a_tuple() -> None:
    """`formats = "duo"` means what it looks like."""

    class Duo(First):
        formats = "duo"

    assert as_bot(Duo).formats == ("duo",)


def test_what_is_neither_bot_nor_function_is_refused() -> None:
    """By a sentence, not an AttributeError later."""
    with pytest.raises(InputError, match="a Bot or a function"):
        as_bot(7)  # type: ignore[arg-type]


def test_a_bot_without_choose_is_refused() -> None:
    """Before it is dialled with, not at its first turn."""

    class Mute(Bot):
        pass

    with pytest.raises(InputError, match="Mute needs a method choose"):
        as_bot(Mute)
