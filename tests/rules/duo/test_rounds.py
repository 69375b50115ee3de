"""Thousands of random rounds of Duo with options drawn at random, and every turn against a plain reading."""

from collections import Counter
from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards import FACE, format_cards
from referee.rules.duo.round import DuoRound
from referee.rules.games import resolve
from referee.rules.round import Round
from referee.rules.vocabulary import DecisionKind, EventKind, RoundEnding
from tests.rules.playing import play, rulesets, some_options, spelled, start

ROUNDS: Final = 2000
OF_THE_PRESET: Final = 500
NUMBERS: Final = {
    "hand_size": (1, 3, 7, 7, 7, 20),
    "call_penalty": (0, 2, 2),
    "challenge_guilty_extra": (0, 2),
    "max_turns_per_round": (1, 9, 200, 1000),
}
ASKED: Final = {
    DecisionKind.TURN,
    DecisionKind.PLAY_DRAWN,
    DecisionKind.RESPOND_STACK,
    DecisionKind.RESPOND_WILD_DRAW_FOUR,
    DecisionKind.CALL_WINDOW,
    DecisionKind.FIRST_COLOR,
    DecisionKind.DRAFT_PICK,
}


@pytest.mark.slow
def test_random_rounds_conserve_cards_and_end() -> None:
    """Cards are in order before every act; every round ends; all decisions and endings are met, dumps of both kinds."""
    met: Counter[object] = Counter()

    def look(now: Round) -> None:
        assert isinstance(now, DuoRound)
        assert now.everything() == now.facts.deck
        assert now.kind is DecisionKind.DRAFT_PICK or all(now.hands)
        assert not now.dump_right() or now.asked == {now.seat: DecisionKind.TURN}
        met.update(now.asked.values())
        met["right"] += bool(now.dump_right())

    for seed in range(ROUNDS):
        rng = Random(seed)
        round_ = play(start(resolve("duo", some_options("duo", rng, NUMBERS)), seed), rng, look)
        assert round_.result is not None
        assert round_.everything() == round_.facts.deck
        assert sum(points > 0 for points in round_.result.points) <= 2
        met[round_.result.ending] += 1
        met["dumped"] += EventKind.DUMPED in round_.events[::4]
    assert set(met) >= ASKED | (set(RoundEnding) - {RoundEnding.BLOCKED})
    assert met["dumped"] > ROUNDS // 4
    assert met["right"]


@pytest.mark.slow
def test_seats_that_never_play_are_blocked() -> None:
    """All draw until nothing is left, then pass twice: both add their hands (measured: 98 turns)."""
    round_ = start(resolve("duo"), 1)
    while round_.result is None:
        round_.apply(round_.seat, *round_.default(round_.seat))
    assert round_.result.ending is RoundEnding.BLOCKED
    assert round_.turns < 110
    assert min(round_.result.points) > 100


@pytest.mark.slow
def test_rounds_of_the_preset_have_winners() -> None:
    """With the preset's options seats that play what they can nearly always come to an end."""
    endings: Counter[RoundEnding] = Counter()
    for seed in range(OF_THE_PRESET):
        result = play(start(resolve("duo"), seed), Random(seed)).result
        assert result is not None
        endings[result.ending] += 1
    assert endings[RoundEnding.OUT] > 0.8 * OF_THE_PRESET


def plain_options(round_: DuoRound) -> set[tuple[str, str, str | None]]:
    """Act, card and colour of every option of a turn, read from the page on faces as text."""
    set_ = round_.rules.options
    held = format_cards(round_.hands[round_.seat])
    top, color = FACE[round_.discard[-1]], " RYGB"[round_.color]

    def fits(card: str) -> bool:
        return card[0] == "W" or card[0] == color or (top[0] != "W" and card[1:] == top[1:])

    def forbids(card: str) -> bool:
        rule = set_["wd4_rule"]
        if rule == "OFFICIAL_COLOR":
            return card[0] == color
        if rule == "ANY_MATCH":
            return card[0] != "W" and fits(card)
        return rule == "ANY_PLAYABLE" and card != "W4" and fits(card)

    may_four = set_["wd4_enforcement"] == "BLUFF" or not any(map(forbids, held))
    right = " RYGB"[round_.dump_right()].strip()
    found: set[tuple[str, str, str | None]] = set()
    if right in {card[0] for card in held}:
        found.add(("DUMP", "", right))
    for card in filter(fits, held):
        if card[0] == "W":
            found |= {("PLAY", card, letter) for letter in "RYGB" if card != "W4" or may_four}
        else:
            found.add(("PLAY", card, None))
            if card[1] == "V" and sum(other[0] == card[0] for other in held) > 1:
                found.add(("DUMP", card, None))
    drawable = bool(round_.draw) or len(round_.discard) > 1
    return found | {("DRAW" if drawable else "PASS", "", None)}


@settings(max_examples=60, deadline=None)
@given(data=st.data(), seed=st.integers(0, 10**6))
def test_turn_options_are_those_of_a_plain_reading(data: st.DataObject, seed: int) -> None:
    """In every turn: exactly the plays and dumps that the page allows, DRAW or PASS, and the cards of the dumps."""
    round_ = start(data.draw(rulesets("duo")), seed)

    def look(now: Round) -> None:
        if now.kind is not DecisionKind.TURN or now.seat < 0:
            return
        assert isinstance(now, DuoRound)
        rows = spelled(now)
        others = [row for row in rows if row[0] != "DISCARD"]
        assert len(others) == len(set(others))
        assert set(others) == plain_options(now)
        dumped = {card[0] if card else named for act, card, named in rows if act == "DUMP"}
        assert {card[0] for act, card, _ in rows if act == "DISCARD"} == dumped
        assert list(now.options(now.seat)) == sorted(now.options(now.seat))

    play(round_, Random(seed), look)
