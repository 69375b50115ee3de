"""Thousands of random rounds of Spin with options drawn at random, and every turn against a plain reading."""

from collections import Counter
from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards import FACE, canonical, format_cards
from referee.rules.events import SIZE
from referee.rules.games import resolve
from referee.rules.round import Round
from referee.rules.spin.round import SpinRound
from referee.rules.vocabulary import Act, DecisionKind, EventKind, RoundEnding, Segment
from tests.rules.playing import play, rulesets, some_options, spelled, start

ROUNDS: Final = 2000
OF_THE_PRESET: Final = 500
NUMBERS: Final = {
    "hand_size": (1, 3, 7, 7, 7),
    "call_penalty": (0, 2, 2),
    "draw_until_max": (0, 0, 3),
    "challenge_guilty_extra": (0, 2),
    "max_turns_per_round": (1, 9, 200, 1000),
}


def options(rng: Random, seats: int) -> dict[str, object]:
    """A value for every option that changes a round."""
    chosen = some_options("spin", rng, NUMBERS)
    if rng.random() < 0.2:
        chosen["team_of"] = [seat % 2 for seat in range(seats)]
    return chosen


@pytest.mark.slow
def test_random_rounds_conserve_cards_and_end() -> None:
    """Cards are in order before every act; every round ends; all decisions, segments and endings are met."""
    met: Counter[object] = Counter()

    def look(now: Round) -> None:
        assert now.everything() == now.facts.deck
        assert all(now.hands[seat] for seat in now.seats_in())
        assert not now.pending or now.kind not in (DecisionKind.TURN, DecisionKind.PLAY_DRAWN) or now.seat < 0
        met.update(now.asked.values())

    for seed in range(ROUNDS):
        rng = Random(seed)
        seats = rng.choice((2, 2, 3, 4, 5, 10))
        round_ = play(start(resolve("spin", options(rng, seats), seats), seed), rng, look)
        assert round_.result is not None
        assert round_.everything() == round_.facts.deck
        assert round_.turns <= round_.facts.limit
        met[round_.result.ending] += 1
        spins = range(0, len(round_.events), SIZE)
        met.update(Segment(round_.events[at + 3] - 1) for at in spins if round_.events[at] == EventKind.SPUN)
    asked = set(DecisionKind) - {DecisionKind.DRAFT_PICK} - {kind for kind in DecisionKind if "DOS" in kind.name}
    assert set(met) >= asked | set(Segment) | (set(RoundEnding) - {RoundEnding.BLOCKED})


@pytest.mark.slow
def test_rounds_of_the_preset_have_winners() -> None:
    """With the preset's options seats that play what they can nearly always come to an end."""
    endings: Counter[RoundEnding] = Counter()
    for seed in range(OF_THE_PRESET):
        rng = Random(seed)
        round_ = start(resolve("spin", {}, 2 + seed % 3), seed)
        result = play(round_, rng).result
        assert result is not None
        endings[result.ending] += 1
    assert endings[RoundEnding.OUT] > 0.8 * OF_THE_PRESET


def plain_plays(round_: SpinRound) -> set[tuple[str, str, str | None]]:
    """Act, card and colour of every legal play, read from the page on faces as text."""
    set_ = round_.rules.options
    held = format_cards(round_.hands[round_.seat])
    top = FACE[round_.discard[-1]].rstrip("*") if round_.discard else None
    color = " RYGB"[round_.color]

    def fits(card: str) -> bool:
        if card[0] == "W" or top is None:
            return True
        return card[0] == color or (top[0] != "W" and card[1:].rstrip("*") == top[1:])

    def forbids(card: str) -> bool:
        rule = set_["wd4_rule"]
        if rule == "OFFICIAL_COLOR":
            return card[0] == color
        if rule == "ANY_MATCH":
            return card[0] != "W" and fits(card)
        return rule == "ANY_PLAYABLE" and card != "W4" and fits(card)

    may_four = set_["wd4_enforcement"] == "BLUFF" or not any(map(forbids, held))
    ranks = {"OFF": "", "NUMBERS": "0123456789", "IDENTICAL_ANY": "0123456789SVD"}[str(set_["double_play"])]
    plays: set[tuple[str, str, str | None]] = set()
    for card in filter(fits, held):
        if card[0] == "W":
            plays |= {("PLAY", card, letter) for letter in "RYGB" if card == "W" or may_four}
        else:
            plays.add(("PLAY", card, None))
            if card[1] in ranks and held.count(card) > 1:
                plays.add(("PLAY_DOUBLE", card, None))
    return plays


@settings(max_examples=60, deadline=None)
@given(data=st.data(), seed=st.integers(0, 10**6))
def test_turn_options_are_those_of_a_plain_reading(data: st.DataObject, seed: int) -> None:
    """In every turn: exactly the plays that the page allows, in canonical order, and DRAW or PASS."""
    round_ = start(data.draw(rulesets("spin")), seed)

    def look(now: Round) -> None:
        if now.kind is not DecisionKind.TURN or now.seat < 0:
            return
        assert isinstance(now, SpinRound)
        options_ = spelled(now)
        plays = plain_plays(now)
        drawable = bool(now.draw) or len(now.discard) > 1
        draws = drawable and (now.rules.flag("voluntary_draw") or not plays)
        rest = {("DRAW", "", None)} if draws else set() if plays else {("PASS", "", None)}
        assert len(options_) == len(set(options_))
        assert set(options_) == plays | rest
        columns = now.columns(now.seat)
        played = [c for a, c in zip(columns.act, columns.card, strict=True) if a == Act.PLAY]
        assert list(canonical(played)) == played

    play(round_, Random(seed), look)
