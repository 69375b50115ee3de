"""House bots together: their names, their settings, and that a seed decides everything."""

from __future__ import annotations

import random

import pytest

from lastcard.bot import Bot, checked
from lastcard.errors import InputError
from lastcard.history import History, Match
from lastcard.practice import turn
from lastcard.turn import Turn
from referee import formats
from referee.bots import BOTS, HouseBot, get

PLAYS = ("PLAY R1", "PLAY R5", "PLAY R9", "PLAY W R", "PLAY W Y", "PLAY W G", "PLAY W B", "DRAW")


def asked(act: int = 0, round_id: str = "local/0/0/0", seat: int = 0) -> Turn:
    """Return the same question in another place."""
    view = turn(*PLAYS, hand="R1 R5 R9 W", top="R3", color="R").view
    return Turn(view, History(round_id, seat, Match("local", "uno-classic-2")), act=act)


def answers(bot: HouseBot) -> list[int | list[int]]:
    """Return what a bot says to many questions."""
    return [
        bot.choose(asked(act, f"local/{game}/0/0", seat)) for act in range(20) for game in range(5) for seat in (0, 1)
    ]


def test_the_house_has_these_bots() -> None:
    """In the order in which they are listed to people."""
    assert list(BOTS) == ["random", "first", "greedy", "careful", "search"]
    assert [bot.name for bot in BOTS.values()] == list(BOTS)


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    """Never a default."""
    with pytest.raises(InputError, match="no house bot 'clever'") as caught:
        get("clever")
    assert (caught.value.reason, caught.value.allowed) == ("UNKNOWN_BOT", tuple(BOTS))


@pytest.mark.parametrize("name", BOTS)
def test_a_house_bot_is_a_bot_that_plays_every_format(name: str) -> None:
    """With settings that every referee takes."""
    bot = get(name)(1)
    assert isinstance(checked(bot), Bot)
    assert set(formats.names()) <= set(bot.formats)
    for played in bot.formats:
        formats.get(played)


@pytest.mark.parametrize("name", BOTS)
def test_the_same_seed_decides_the_same(name: str) -> None:
    """Whatever was asked before, in whatever order, by whichever process."""
    bot = get(name)(7)
    bot.choose(asked(99))
    assert answers(bot) == answers(get(name)(7))


@pytest.mark.parametrize("name", BOTS)
def test_the_global_generator_is_left_alone(name: str) -> None:
    """Neither read nor moved."""
    random.seed(1)
    before = random.getstate()
    first = answers(get(name)(7))
    assert random.getstate() == before
    random.seed(2)
    assert answers(get(name)(7)) == first


def test_another_seed_decides_otherwise() -> None:
    """Of the bot that plays at random; the others have no use for a seed."""
    assert answers(get("random")(7)) != answers(get("random")(8))


def test_two_seats_of_one_seed_are_not_alike() -> None:
    """Or two bots of one name would mirror each other."""
    bot = get("random")(7)
    assert [bot.choose(asked(act, seat=0)) for act in range(40)] != [
        bot.choose(asked(act, seat=1)) for act in range(40)
    ]


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize(
    ("kind", "options", "expected"),
    [
        pytest.param("TURN", ("DRAW",), {0}, id="drawing is all there is"),
        pytest.param("TURN", ("PLAY R5", "DRAW"), {0}, id="a play before a draw"),
        pytest.param("PLAY_DRAWN", ("PLAY R5", "KEEP"), {0}, id="a drawn card that fits is played"),
        pytest.param("RESPOND_STACK", ("STACK RD", "ACCEPT"), {0}, id="a draw card is passed on"),
        pytest.param("FIRST_COLOR", ("COLOR R", "COLOR Y", "COLOR G", "COLOR B"), {0, 1, 2, 3}, id="any first colour"),
        pytest.param("CHALLENGE_WINDOW", ("PASS", "CHALLENGE"), {0, 1}, id="any answer in a window"),
    ],
)
def test_every_house_bot_plays_rather_than_draws(
    name: str, kind: str, options: tuple[str, ...], expected: set[int]
) -> None:
    """In every kind of decision with one pick."""
    assert get(name)(3).choose(turn(*options, hand="R5 RD B1", top="R3", color="R", kind=kind)) in expected
