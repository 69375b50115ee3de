"""Every decision of every game: one bare option, and no option at all, become answers that the rules accept."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastcard.answer import Picked, compose, fallback
from lastcard.errors import IllegalChoiceError
from lastcard.history import History, Match
from lastcard.turn import Turn
from referee.clock import ClockRule
from referee.local.local_bot import ask
from referee.rules.errors import IllegalAnswerError
from referee.rules.games import points_of
from referee.rules.presets import PRESETS
from referee.rules.round import Round
from tests.rules.playing import play, rulesets, start

pytestmark = pytest.mark.slow

CLOCK = ClockRule()
MOST_TRIED = 6


def asked_of(round_: Round, seat: int) -> Turn:
    """Return the turn that a bot on this seat would see."""
    match = Match("local", "an-own-format", points=points_of(round_.rules))
    return ask(round_, seat, History("local/0/0/0", seat, match), CLOCK)


def refused(round_: Round, seat: int, picked: Picked) -> IllegalAnswerError | None:
    """Return why the rules refuse an answer."""
    picks = picked.picks[0] if len(picked.picks) == 1 else picked.picks
    try:
        round_.copy().apply(seat, picks, picked.call, picked.color)
    except IllegalAnswerError as error:
        return error
    return None


def look_at(round_: Round, rng: Random) -> None:
    """Try bare options, the fallback and random lists at every seat that is asked something."""
    for seat in round_.asked:
        if round_.forced(seat):
            continue  # a table answers by itself
        turn = asked_of(round_, seat)
        number = len(turn.options)
        told = [str(option) for option in turn.options]
        for pick in rng.sample(range(number), min(number, MOST_TRIED)):
            picked = compose(turn, pick)
            assert refused(round_, seat, picked) is None, (turn.kind, told, pick, picked)
        assert refused(round_, seat, fallback(turn)) is None, (turn.kind, told)
        for _ in range(MOST_TRIED if turn.max_picks > 1 else 0):
            chosen = [rng.randrange(number) for _ in range(rng.randint(0, min(turn.max_picks, number)))]
            try:
                picked = compose(turn, chosen)
            except IllegalChoiceError:
                wrong = Picked(tuple(chosen), call=False, color=1)
                assert refused(round_, seat, wrong) is not None, (turn.kind, told, chosen)
            else:
                assert refused(round_, seat, picked) is None, (turn.kind, told, chosen)


@pytest.mark.sample(3)
@pytest.mark.parametrize("preset", PRESETS)
@settings(max_examples=30)
@given(st.data(), st.integers(0, 2**32))
def test_what_the_sdk_makes_of_a_choice_is_what_the_rules_accept(preset: str, data: st.DataObject, seed: int) -> None:
    """A bare option never is illegal; a list is refused here exactly where the rules refuse it."""
    rng, rules = Random(seed), data.draw(rulesets(preset))
    play(start(rules, seed), rng, lambda round_: look_at(round_, rng))
