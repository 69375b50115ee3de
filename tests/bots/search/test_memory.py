"""What a seat knows of hidden cards: never more than the truth, and all that was shown."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from lastcard.turn import Turn
from lastcard.words import Kind
from referee import formats
from referee.bots.search.guess import Guess
from referee.bots.search.memory import Memory, is_known
from referee.formats.format import Format
from referee.rules.games import GAMES, resolve
from referee.rules.round import Round
from tests.bots.search.watching import some_turns, turns

pytestmark = pytest.mark.slow

FORMATS = ("uno-classic-2", "uno-house-4", "uno-official-4", "uno-official-10", "uno-pairs-4", "spin-2", "spin-4",
           "dos-2", "dos-4", "duo", "duo-200")  # fmt: skip
GAMES_PLAYED = 6
# Options by which cards move in other ways than by default.
UNUSUAL: dict[str, dict[str, object]] = {
    "spin": {"wheel_discards": "UNDER", "war_ranks": "POINTS", "spin_draw_stops_on_wild": True, "call_mode": "WINDOW"},
    "duo": {"recycle": "FLIP", "draft_discards": "SHUFFLED_IN"},
    "classic": {"draw_until_max": 4, "start_wild": "RESHUFFLE", "hand_size": 20},
    "dos": {"refill": "ONE_PER_MATCH", "final_draw": "ANY_COLOR", "call_scope": "EVER_TWO", "row_min": 4},
}


def memory(turn: Turn, played: Format) -> Memory:
    """What the turn's seat knows."""
    return Memory(turn, played.rules, len(GAMES[played.rules.game].facts_of(played.rules).deck))


def check(turn: Turn, round_: Round, played: Format) -> None:
    """Compare what is known with what is so."""
    known = memory(turn, played)
    assert known.fits(turn)
    assert not Counter(known.discard) - Counter(round_.discard)
    assert known.discard[-1:] == list(round_.discard[-1:])
    assert bytes(known.bottom) == bytes(round_.draw)[: len(known.bottom)]
    assert (known.turns, known.dealer) == (round_.turns, round_.dealer)
    assert known.out == round_.out
    for seat, hand in enumerate(known.hands):
        shown = Counter(mask.bit_length() - 1 for mask in hand if is_known(mask))
        assert seat == turn.seat or not shown - Counter(round_.hands[seat])


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", FORMATS)
def test_what_is_known_is_true(name: str) -> None:
    """Piles, discards, cards that were shown, whose turn it is: at every question of some games."""
    played = formats.get(name)
    for turn, round_ in some_turns(name, GAMES_PLAYED, 5):
        check(turn, round_, played)


@pytest.mark.parametrize("preset", UNUSUAL)
def test_what_is_known_is_true_with_unusual_options(preset: str) -> None:
    """Cards go other ways; what is known follows them."""
    base = formats.get({"classic": "uno-classic-4"}.get(preset, "duo" if preset == "duo" else f"{preset}-2"))
    rules = resolve(preset, UNUSUAL[preset] | {"target_score": 0}, base.seats)
    played = Format(base.name, rules, base.clock, base.deals, base.outcome)
    for turn, round_ in turns(played, GAMES_PLAYED, 9):
        check(turn, round_, played)


@pytest.mark.parametrize("name", FORMATS)
def test_imagined_rounds_ask_the_same_and_hold_the_same_cards(name: str) -> None:
    """The seat's own hand, its options, all piles as large as they are, and no card twice."""
    played = formats.get(name)
    for number, (turn, round_) in enumerate(some_turns(name, 3, 6)):
        if number % 4 or turn.kind in {Kind.CALL_WINDOW, Kind.CHALLENGE_WINDOW}:
            continue
        guess = Guess(turn, played.rules, memory(turn, played), Random(number))
        for _ in range(3):
            dealt = guess.deal()
            assert dealt.everything() == round_.everything()
            assert list(map(len, dealt.hands)) == list(map(len, round_.hands))
            assert sorted(dealt.hands[turn.seat]) == sorted(round_.hands[turn.seat])
            assert dealt.columns(turn.seat) == round_.columns(turn.seat)
            assert dealt.picks(turn.seat) == round_.picks(turn.seat)
            assert dealt.discard[-1:] == round_.discard[-1:]


def test_a_hand_that_was_shown_is_known_from_then_on() -> None:
    """As long as its cards stay."""
    known = [
        sum(map(is_known, memory(turn, formats.get("spin-4")).hands[seat]))
        for turn, round_ in some_turns("spin-4", 8, 2)
        for seat in range(4)
        if seat != turn.seat
    ]
    assert max(known) >= 5


def test_who_drew_most_likely_holds_nothing_that_fitted() -> None:
    """Until it turns out to draw although it could play."""
    narrowed = free = 0
    for turn, _ in some_turns("uno-classic-2", 20, 4):
        known = memory(turn, formats.get("uno-classic-2"))
        other = 1 - turn.seat
        narrowed += any(mask != (1 << 128) - 1 for mask in known.hands[other])
        free += other in known._free
    assert narrowed > 20
