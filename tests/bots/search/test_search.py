"""House bot `search`: what it decides, from what, and that nothing else matters."""

from __future__ import annotations

import random

import pytest

from lastcard.answer import compose
from lastcard.history import History, Match
from lastcard.practice import turn
from lastcard.turn import Turn
from referee import formats
from referee.bots import Careful, make
from referee.bots.search import Budget, Search
from referee.bots.search.choices import MOST, choices
from referee.formats.format import Format
from referee.local import arena
from referee.rules.errors import IllegalAnswerError
from referee.rules.games import resolve
from tests.bots.search.watching import some_turns, turns

pytestmark = pytest.mark.slow

FORMATS = ("uno-house-4", "uno-official-2", "uno-pairs-4", "spin-2", "dos-2", "dos-4", "duo", "uno-classic-500-2")


def decisions(bot: Search, name: str, games: int, seed: int) -> list[int | list[int]]:
    """Return what a bot answers to every question of some games."""
    return [bot.choose(asked) for asked, _ in some_turns(name, games, seed)]


@pytest.mark.sample(4)
@pytest.mark.parametrize("name", FORMATS)
def test_its_answers_are_legal(name: str) -> None:
    """Whatever is asked, with lists and single picks."""
    bot = Search(2, budget=Budget(6))
    for asked, round_ in some_turns(name, 2, 8):
        picks, call, color = compose(asked, bot.choose(asked))
        try:
            round_.copy().apply(asked.seat, picks if len(picks) != 1 else picks[0], call, color)
        except IllegalAnswerError as error:
            pytest.fail(f"{asked.kind}: {error}")


@pytest.mark.parametrize("name", ["uno-classic-2", "dos-2"])
def test_seed_and_turn_decide_everything(name: str) -> None:
    """With a budget of rounds; the global generator is neither read nor moved."""
    random.seed(1)
    state = random.getstate()
    once = decisions(Search(5, budget=Budget(20)), name, 2, 3)
    assert random.getstate() == state
    random.seed(2)
    assert decisions(Search(5, budget=Budget(20)), name, 2, 3) == once


def test_another_seed_imagines_other_rounds() -> None:
    """And comes to other decisions where they are close."""
    found = [decisions(Search(seed, budget=Budget(8)), "uno-classic-2", 6, 3) for seed in (1, 2)]
    assert found[0] != found[1]


def test_it_sees_what_a_seat_sees() -> None:
    """Other cards in hidden places change nothing that it decides."""
    bot = Search(1, budget=Budget(30))
    for asked, _ in some_turns("uno-official-4", 1, 5):
        again = Turn(asked.view, asked.history, act=asked.act)
        assert bot.choose(asked) == bot.choose(again)


def test_it_goes_out_when_it_can() -> None:
    """Rather than keep its last card."""
    bot = Search(1, budget=Budget(100))
    seen = 0
    for asked, _ in some_turns("uno-classic-2", 40, 1):
        if asked.kind == "TURN" and len(asked.hand) == 1 and len(asked.options) > 1:
            chosen = bot.choose(asked)
            assert isinstance(chosen, int)
            assert asked.options[chosen].act == "PLAY"
            seen += 1
    assert seen >= 3


@pytest.mark.parametrize(
    "match",
    [
        pytest.param(Match("m", ""), id="no format is named"),
        pytest.param(Match("m", "made-up-2"), id="a format that is not known"),
        pytest.param(Match("m", "uno-classic-2", ruleset="0123456789abcdef"), id="other rules under its name"),
    ],
)
def test_with_rules_that_it_does_not_know_it_plays_as_careful_does(match: Match) -> None:
    """It never guesses what they might be."""
    bot, careful = Search(1, budget=Budget(50)), Careful(1)
    for asked, _ in some_turns("uno-classic-2", 1, 4):
        history = History("x/0/0/0", asked.seat, match)
        seen = asked.history
        history.add(0, bytes(seen.kinds), bytes(seen.seats), bytes(seen.cards), bytes(seen.args))
        unknown = Turn(asked.view, history, act=asked.act)
        assert bot.choose(unknown) == careful.choose(unknown)


def test_a_turn_that_does_not_fit_its_events_is_answered_as_careful_does() -> None:
    """As one that is made of text."""
    asked = turn("PLAY R5", "PLAY B3", "DRAW", hand="R5 B3 G1", top="R3", color="R")
    assert Search(1).choose(asked) == Careful(1).choose(asked)


def test_with_a_time_it_stops_in_time() -> None:
    """More or less: a stage that has begun is finished."""
    bot = make("search:5ms", 1)
    assert all(isinstance(bot.choose(asked), int | list) for asked, _ in some_turns("uno-classic-2", 1, 1))


@pytest.mark.parametrize("name", FORMATS)
def test_choices_are_few_and_begin_with_the_one_of_careful(name: str) -> None:
    """None of them is there twice, and all are lists of options."""
    careful = Careful(1)
    for asked, _ in some_turns(name, 2, 7):
        chosen = careful.choose(asked)
        first = tuple(chosen) if isinstance(chosen, list) else (chosen,)
        found = choices(asked, careful.weigh(asked), first)
        assert found[0] == first
        assert 1 <= len(found) <= MOST
        assert len(set(found)) == len(found)
        assert all(0 <= pick < len(asked.options) for picks in found for pick in picks)


def test_choices_of_a_wild_are_its_best_colors() -> None:
    """And drawing is tried only where all else is a wild."""
    asked = turn("PLAY W R", "PLAY W Y", "PLAY W G", "PLAY W B", "DRAW", hand="W G1 G2 B1", top="R3", color="R")
    worth = Careful(1).weigh(asked)
    assert sorted(str(asked.options[pick]) for (pick,) in choices(asked, worth, (2,))) == [
        "DRAW",
        "PLAY W B",
        "PLAY W G",
    ]
    asked = turn("PLAY R5", "PLAY W R", "DRAW", hand="R5 W G1", top="R3", color="R")
    assert (2,) not in choices(asked, Careful(1).weigh(asked), (0,))


def test_few_games_at_a_time_so_that_none_is_late() -> None:
    """Even on the fast clock, with the budget that it has by default."""
    fast = formats.get("uno-classic-2-fast").clock
    assert Search.max_games * 50 <= fast.decision_ms


def test_a_format_of_a_file_is_known_once_it_is_played() -> None:
    """The arena tells house bots what is played, so that they need not guess its rules."""
    known = formats.get("dos-2")
    rules = resolve("dos", {"hand_size": 4, "row_min": 3, "target_score": 0}, 2)
    own = Format("evening-2", rules, known.clock, known.deals, known.outcome)
    bot = Search(1, budget=Budget(40))
    result = arena.play(own, [("search", bot), ("careful", Careful(1))], meetings=2, seed=1)
    assert not result.mistakes
    asked = next(asked for asked, _ in turns(own, 1, 3))
    assert bot.played(asked) == own
    assert Search(1).played(asked) is None
