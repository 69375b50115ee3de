"""Random rounds of every preset, so many that what is rare happens: nobody may meet an assertion or an error."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Final

from referee.rules.games import GAMES, resolve
from referee.rules.options import Choice, Flag, Option, Rules, Whole
from referee.rules.presets import OPTIONS, PRESETS
from referee.rules.round import Round
from tests.rules.playing import play, start

LONGEST: Final = 400
"""Turns of a round: random seats may draw for ever."""
LOOKED_AT: Final = 10
"""In every tenth round the cards are counted before every act, in the others at the end."""
KEPT: Final = frozenset({"hand_size", "target_score", "rounds", "max_rounds", "max_turns_per_round"})


def played(preset: str, rounds: range) -> Counter[str]:
    """Play rounds with random answers, in which no card is lost; returns how they ended.

    Every other round has options changed at random; the number of seats goes round.
    """
    seen: Counter[str] = Counter()
    least, most = GAMES[PRESETS[preset].game].SEATS
    for number in rounds:
        rng = Random(f"{preset} {number}")
        rules = _rules(preset, least + number % (most - least + 1), rng, changed=number % 2)
        round_ = start(rules, number)
        play(round_, rng, look=_in_order if number % LOOKED_AT == 0 else lambda _round: None)
        assert round_.everything() == round_.facts.deck, (preset, number)
        assert round_.result is not None
        assert round_.turns <= LONGEST, (preset, number)
        seen[round_.result.ending.name] += 1
    return seen


def _in_order(now: Round) -> None:
    """The cards of hands and piles together are the deck, and the mask of a hand says what it holds."""
    assert now.everything() == now.facts.deck
    for hand, mask in zip(now.hands, now.masks, strict=True):
        assert mask == sum(1 << card for card in set(hand))


def _rules(preset: str, seats: int, rng: Random, *, changed: int) -> Rules:
    known = OPTIONS[PRESETS[preset].game]
    options: dict[str, object] = {"max_turns_per_round": LONGEST}
    for name in rng.sample(sorted(set(known) - KEPT), 4 * changed):
        value = _value(known[name], rng)
        if value is not None:
            options[name] = value
    return resolve(preset, options, seats)


def _value(option: Option, rng: Random) -> object:
    match option.kind:
        case Choice(values):
            return rng.choice(values)
        case Flag():
            return rng.random() < 0.5
        case Whole(least):
            return rng.randrange(least, least + 4)
        case _:
            return None
