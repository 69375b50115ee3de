"""A round that is set up in the middle goes on as the round that it was taken from."""

from random import Random

import pytest

from referee.rules.games import GAMES, resolve
from referee.rules.round import Round
from referee.rules.setup import Setup
from referee.rules.situation import Situation
from referee.rules.vocabulary import DecisionKind
from tests.rules.playing import AVAILABLE, some_answer, start, step

pytestmark = pytest.mark.slow

WINDOWS = (DecisionKind.CALL_WINDOW, DecisionKind.CHALLENGE_WINDOW)


def situation(round_: Round, seat: int) -> Situation:
    """What is open for this seat, with all cards as they really lie."""
    setup = Setup(
        hands=tuple(bytes(hand) for hand in round_.hands),
        draw=bytes(round_.draw),
        discard=bytes(round_.discard),
        row=bytes(round_.row),
        color=round_.color,
        direction=round_.dir,
        dump_right=getattr(round_, "dump_right", int)(),
    )
    return Situation(
        setup=setup,
        seat=seat,
        kind=round_.asked[seat],
        turn=round_.turn,
        turns=round_.turns,
        dealer=round_.dealer,
        pending=round_.pending,
        drawn=round_.drawn,
        bonus=round_.bonus,
        accused=round_.subject,
        bluff=getattr(round_, "bluff", False),
        passes=getattr(round_, "passes", 0) if getattr(round_, "passed", 0) == round_.turns - 1 else 0,
        called=getattr(round_, "called", False),
        singles=getattr(round_, "singles", 0),
        owes=getattr(round_, "owes", ()),
    )


def lie(round_: Round) -> tuple[object, ...]:
    """What can be compared of two rounds whose events began at different times."""
    hands = [sorted(hand) for hand in round_.hands]
    piles = (bytes(round_.draw), bytes(round_.discard), bytes(round_.row), round_.color, round_.dir)
    return (hands, piles, round_.asked, round_.pending, round_.turn, round_.turns, round_.bonus, round_.result)


def play_on(one: Round, other: Round, rng: Random) -> None:
    """Give both rounds the same answers to their ends."""
    while one.result is None:
        seat = rng.choice(sorted(one.asked))
        answer = some_answer(one, seat, rng)
        assert bytes(one.columns(seat).act) == bytes(other.columns(seat).act)
        one.apply(seat, *answer)
        other.apply(seat, *answer)
        assert lie(one) == lie(other)


@pytest.mark.parametrize("preset", AVAILABLE)
@pytest.mark.parametrize("seats", [2, 3])
def test_a_round_resumed_from_a_situation_goes_on_alike(preset: str, seats: int) -> None:
    """In every kind of decision that a seat is asked alone, and in the windows of the wheel and of a W4."""
    least, most = GAMES[resolve(preset).game].SEATS
    rules = resolve(preset, {"max_turns_per_round": 60}, min(max(seats, least), most))
    seen: set[DecisionKind] = set()
    for seed in range(60):
        rng = Random(seed)
        round_ = start(rules, seed)
        for _ in range(rng.randrange(40)):
            if round_.result is None:
                step(round_, rng)
        seat = min(round_.asked, default=-1)
        if seat < 0 or round_.out or round_._sealed or round_.asked[seat] in WINDOWS:
            continue
        if len(round_.asked) > 1 and round_.asked[seat] is DecisionKind.RESPOND_WILD_DRAW_FOUR:
            continue
        found = situation(round_, seat)
        resumed = type(round_).resume(rules, round_.chance.copy(), found)
        assert lie(resumed) == lie(round_)
        play_on(round_.copy(), resumed, rng)
        seen.add(found.kind)
    assert len(seen) >= 2
    assert GAMES[rules.game].TURN_KIND in seen


def test_seats_that_left_are_not_in_it() -> None:
    """The turn goes past them."""
    rules = resolve("classic", seats=3)
    round_ = start(rules, 2)
    seat = round_.seat
    round_.forfeit((seat + 1) % 3)
    found = situation(round_, seat)
    left = Situation(**{name: getattr(found, name) for name in Situation.__slots__} | {"out": tuple(round_.out)})
    resumed = type(round_).resume(rules, round_.chance.copy(), left)
    assert resumed.ring == round_.ring
    assert resumed.live == 2
