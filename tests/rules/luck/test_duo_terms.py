"""The terms of Duo, exactly: draft, packet, and a pile that is turned over."""

from __future__ import annotations

from fractions import Fraction as F  # noqa: N817 (the tables are full of them)
from typing import Any

import pytest

from referee.rules.calls import KEEP, REJECT
from referee.rules.cards import UNO_NAMES
from referee.rules.chance import ScriptedChance
from referee.rules.games import GAMES, resolve
from referee.rules.luck.watch import account_of, watched
from referee.rules.round import Round
from referee.rules.vocabulary import DrawReason
from tests.rules.luck.states import exact, placed

PENALTY = DrawReason.PENALTY


def draft(deck: str, hand_size: int = 7, **opts: Any) -> Round:  # noqa: ANN401
    """Return a draft from this deck, top first; seat 0 picks first."""
    chance = ScriptedChance(decks=[bytes(UNO_NAMES[face] for face in deck.split())])
    return watched(GAMES["duo"])(resolve("duo", {"hand_size": hand_size, **opts}), chance, 0)


def pick(round_: Round, code: int) -> None:
    """Keep or reject the card that is shown."""
    round_.apply(round_.seat, round_.options(round_.seat).index(code))


def test_both_cards_count_for_who_rejects_the_first() -> None:
    """No wild of four cards with one, then one of three."""
    round_ = draft("R1 W B2 G3")
    pick(round_, REJECT)
    assert exact(round_, 0, "l1") == F(-1, 4) + F(2, 3)


def test_the_card_put_away_unseen_does_not_count() -> None:
    """A wild kept, a number put away; then the other seat sees a number where there is no wild left."""
    round_ = draft("W R1 B2 G3")
    pick(round_, KEEP)
    assert exact(round_, 0, "l1") == F(3, 4)
    assert exact(round_, 1, "l1") == 0


def test_in_a_draft_a_card_counts_whether_it_goes_with_those_kept() -> None:
    """The first card goes with nothing; then two of three have the colour of the one that was kept."""
    round_ = draft("R1 B2 B3 B4 R5 R6 G7", hand_size=2)
    for _ in range(2):
        pick(round_, KEEP)
    assert exact(round_, 0, "l8") == 1 - F(2, 3)
    assert exact(round_, 1, "l8") == 0


@pytest.mark.parametrize(
    ("discards", "known"),
    [pytest.param("UNDER", 4, id="they lie under the pile"), pytest.param("SHUFFLED_IN", 0, id="they are shuffled in")],
)
def test_cards_of_the_draft_are_known_until_a_shuffle(discards: str, known: int) -> None:
    """Four of them, with two picks a seat."""
    deck = [*["R1", "R2", "R3", "R4", "Y1", "Y2", "Y3", "Y4"], *["G1", "B2", "W", "W4", "G5"]]
    piles = [bytes(UNO_NAMES[face] for face in [*deck[8:], "R2", "R4", "Y2", "Y4"])] if known == 0 else []
    chance = ScriptedChance(decks=[bytes(UNO_NAMES[face] for face in deck)], reshuffles=piles)
    rules = resolve("duo", {"hand_size": 2, "draft_discards": discards})
    round_ = watched(GAMES["duo"])(rules, chance, 0)
    for _ in range(4):
        pick(round_, KEEP)
    assert account_of(round_).known == known


def test_a_known_packet_counts_nothing() -> None:
    """The last card of the stock is certain, those below it are known."""
    hands = [["R5"], ["B1"]]
    round_ = placed("duo", {"hands": hands, "draw": ["B2", "R1", "W"], "discard": ["R7"], "turn": 0})
    account_of(round_).known = 2
    round_.take(1, 3, PENALTY)
    assert exact(round_, 1, "l1") == 0
    assert exact(round_, 1, "l2") == 0


@pytest.mark.parametrize(
    ("recycle", "gain"),
    [pytest.param("FLIP", F(0), id="turned over"), pytest.param("SHUFFLE", F(2, 3), id="shuffled")],
)
def test_a_pile_that_is_turned_over_is_known(recycle: str, gain: F) -> None:
    """Whoever remembers what was played knows its order."""
    state = {"hands": [["R5"], ["B1"]], "draw": [], "discard": ["W", "Y1", "G5", "R7"], "color": "R", "turn": 0}
    piles = [] if recycle == "FLIP" else [["W", "Y1", "G5"]]
    round_ = placed("duo", state, {"recycle": recycle}, reshuffle=piles)
    round_.take(1, 1, PENALTY)
    assert exact(round_, 1, "l1") == gain
