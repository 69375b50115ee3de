"""Bots that err, and bots that listen, in the arena."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lastcard.bot import Bot
from lastcard.errors import IllegalChoiceError
from lastcard.words import Order
from referee import formats
from referee.bots import Careful, First, Random
from referee.local import arena
from referee.local.local_bot import LocalBot
from referee.local.local_match import LocalMatch
from referee.logbook import LeaveReason
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.rules.chance import play_seed
from tests.arena.bots import Listening, Raising, Returning, Rude, Thoughtful


def rude_match(first: int, meetings: int, name: str = "uno-classic-2") -> MatchPlay:
    """Play a match of a rude bot against `careful` ones."""
    played = formats.get(name)
    bots = [Rude("rude", first), *(LocalBot(f"careful#{n}", Careful()) for n in range(1, played.seats))]
    spec = MatchSpec("local", played, tuple(bot.name for bot in bots), meetings, with_nonces=False)
    play = MatchPlay(spec, play_seed(5))
    LocalMatch(play, bots).run(lambda _: None)
    return play


def test_a_bot_that_raises_gets_the_first_option_and_is_counted() -> None:
    """A referee never sees it, so it is no fault."""
    result = arena.play("uno-classic-2", [("raising", Raising()), ("first", First())], meetings=2, seed=1)
    mistakes = result.mistakes["raising"]
    assert list(result.mistakes) == ["raising"]
    assert mistakes.count > 5
    assert isinstance(mistakes.first, ZeroDivisionError)
    assert json.loads(result.matches[0].result)["faults"] == [0, 0]


@pytest.mark.parametrize(
    "garbage",
    [
        pytest.param(None, id="nothing"),
        pytest.param("PLAY R5", id="a text"),
        pytest.param(-1, id="an index below"),
        pytest.param(1000, id="an index above"),
        pytest.param([0, 0], id="a list where one pick is wanted"),
        pytest.param([], id="an empty list"),
        pytest.param(2.5, id="a fraction"),
        pytest.param(object(), id="an object"),
    ],
)
def test_garbage_is_answered_by_the_first_option_and_counted(garbage: Any) -> None:  # noqa: ANN401 (garbage)
    """Whatever it is."""
    result = arena.play("uno-classic-2", [("odd", Returning(garbage)), ("first", First())], meetings=1, seed=1)
    assert isinstance(result.mistakes["odd"].first, IllegalChoiceError)
    assert json.loads(result.matches[0].result)["faults"] == [0, 0]


def test_a_bot_that_only_errs_plays_like_one_that_takes_the_first_option() -> None:
    """Always the first option, and nothing else happens."""
    odd = arena.play("uno-classic-2", [("a", Returning(None)), ("b", Random(1))], meetings=3, seed=1)
    plain = arena.play("uno-classic-2", [("a", Returning(0)), ("b", Random(1))], meetings=3, seed=1)
    assert [match.result for match in odd.matches] == [match.result for match in plain.matches]


def test_three_illegal_answers_forfeit_a_meeting() -> None:
    """The default is played, a fault counted; from the third on defaults without faults, ranked last."""
    play = rude_match(first=0, meetings=2)
    result = play.result()
    assert result["faults"] == [6, 0]
    assert result["fault_kinds"] == [
        {"late": 0, "illegal": 6, "malformed": 0},
        {"late": 0, "illegal": 0, "malformed": 0},
    ]
    assert all(game.ranks == (2, 1) for game in play.results if game is not None)
    assert not play.gone


def test_three_forfeited_meetings_end_the_match_for_a_bot() -> None:
    """It leaves, and everything that is left is lost."""
    play = rude_match(first=0, meetings=5)
    assert play.gone == {0: LeaveReason.FAULTS}
    assert play.result()["faults"] == [9, 0]
    assert all(game.ranks == (2, 1) for game in play.results if game is not None)


def test_an_illegal_answer_hurts_nobody_else() -> None:
    """At a table of four the others are ranked among themselves."""
    play = rude_match(first=25, meetings=4, name="uno-house-4")
    assert play.result()["faults"] == [9, 0, 0, 0]
    assert all(game.ranks[0] == 4 for game in play.results[-4:] if game is not None)
    assert {game.ranks[1] for game in play.results if game is not None} > {1}


def test_an_async_bot_plays_like_any_other() -> None:
    """What it returns is awaited."""
    waited = arena.play("uno-classic-2", [("a", Thoughtful()), ("b", Random(1))], meetings=2, seed=1)
    plain = arena.play("uno-classic-2", [("a", Careful()), ("b", Random(1))], meetings=2, seed=1)
    assert not waited.mistakes
    assert [match.result for match in waited.matches] == [match.result for match in plain.matches]


def test_a_bot_hears_what_a_referee_would_tell_it() -> None:
    """Names, rounds, games and matches; what it raises there is counted."""
    bot = Listening()
    result = arena.play("uno-classic-500-2", [("ear", bot), ("first", First())], meetings=1, seed=2)
    assert bot.names == ["ear"]
    assert len(bot.rounds) == result.rounds
    assert [game.game_id for game in bot.games] == ["local/0/0", "local/0/1"]
    assert [game.seat for game in bot.games] == [0, 1]
    ranks = [game["ranks"][0] for game in json.loads(result.matches[0].result)["meetings"][0]["games"]]
    assert [game.place for game in bot.games] == ranks
    assert [match.proven for match in bot.matches] == [True]
    assert isinstance(result.mistakes["ear"].first, LookupError)


def test_a_bot_sees_every_event_once() -> None:
    """From the first of the round to the last."""
    bot = Listening()
    arena.play("uno-classic-2", [("ear", bot), ("first", First())], meetings=1, seed=2)
    for ended in bot.rounds:
        kinds = [event.kind for event in ended.history.events()]
        assert kinds[0] == "ROUND_START"
        assert kinds[-2:] == ["ROUND_END", "MATCH_END"]
    assert bot.seen < sum(len(ended.history) for ended in bot.rounds), "what follows its last turn is not in a turn"


def test_standing_orders_answer_for_a_bot() -> None:
    """Who asks to be asked is asked in windows; all others are not."""
    bot, silent = Listening(), Listening()
    silent.catch = silent.late_call = Order.NEVER
    arena.play("uno-classic-2", [("ear", bot), ("first", First())], meetings=5, seed=2)
    arena.play("uno-classic-2", [("ear", silent), ("first", First())], meetings=5, seed=2)
    assert bot.kinds > silent.kinds
    assert bot.kinds - silent.kinds == {"CALL_WINDOW"}


def test_a_bot_has_the_time_that_a_referee_would_give() -> None:
    """Nobody measures it here."""
    seen: set[float] = set()

    class Timed(Bot):
        def choose(self, turn: Any) -> int:  # noqa: ANN401 (as authors write it)
            seen.add(turn.seconds_left)
            return 0

    arena.play("uno-classic-2-fast", [("timed", Timed()), ("first", First())], meetings=1)
    assert seen == {2.5}
