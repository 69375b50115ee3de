"""Shuffles are even: what is asked of 20,000 decks here, `./dev soak shuffle` asks of 200,000.

Seeds are fixed, so that a test passes always or never. An even shuffle gives an answer beyond 4.5 once in 150,000.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice

import numpy as np
import pytest

from referee.rules import cards
from referee.rules.chance import SEGMENTS
from tests.rules.shuffle.battery import Battery, apart, faces, uniform, worst
from tests.rules.shuffle.planted import PLANTED, right
from tests.rules.shuffle.shuffled import decks, rounds

pytestmark = pytest.mark.slow

SEED = 20_261_129
DECKS = 20_000
FAR = 4.5
DECKS_OF_GAMES = {
    "UNO": cards.uno_deck(),
    "Spin": cards.spin_deck(extra=False),
    "Spin with 128": cards.spin_deck(extra=True),
    "Duo": cards.duo_deck(extra=True),
    "DOS": cards.dos_deck(),
}


def far(found: dict[str, float]) -> dict[str, float]:
    """The answers that an even shuffle would not give."""
    return {name: round(z, 1) for name, z in found.items() if abs(z) > FAR}


def test_every_card_comes_to_every_position_alike() -> None:
    """Positions, pairs, runs, inversions, cycles and correlations of 20,000 decks, and of each with the one before."""
    battery = Battery(108)
    for part in decks(SEED, DECKS, 108):
        battery.add(part)
    assert battery.decks == DECKS
    assert battery.reached()
    assert far(battery.z()) == {}


@pytest.mark.parametrize("size", [2, 3, 7, 37, 128])
def test_piles_of_any_size_are_even(size: int) -> None:
    """What is reshuffled is seldom a whole deck."""
    (part,) = decks(SEED + size, 4_000, size)
    if size > 7:
        battery = Battery(size)
        battery.add(part)
        assert far(battery.z()) == {}
    assert abs(faces(part, bytes(range(size)))) < FAR


@pytest.mark.parametrize("deck", [pytest.param(deck, id=name) for name, deck in DECKS_OF_GAMES.items()])
def test_every_face_comes_to_every_position_of_a_real_deck(deck: bytes) -> None:
    """In proportion to its copies, for the deck of every game."""
    (part,) = decks(SEED + 1, 4_000, deck)
    assert abs(faces(part, deck)) < FAR


def test_what_is_reshuffled_has_nothing_to_do_with_the_deal() -> None:
    """Deck and reshuffles of one round, all from one key, are apart; so are the first and the second reshuffle."""
    whole = bytes(range(108))
    chances = list(islice(rounds(SEED + 2), 4_000))
    drawn = [
        [chance.deck(whole) for chance in chances],
        [chance.reshuffle(whole) for chance in chances],
        [chance.reshuffle(whole) for chance in chances],
    ]
    piles = [np.frombuffer(b"".join(one), np.uint8).reshape(-1, 108) for one in drawn]
    for one, other in ((0, 1), (1, 2), (0, 2)):
        assert far(apart(piles[one], piles[other])) == {}


def test_one_stream_for_two_purposes_would_be_seen() -> None:
    """Two piles of the same bytes are anything but apart."""
    (part,) = decks(SEED + 3, 500, 108)
    assert far(apart(part, part)) != {}
    assert far(apart(part, part[:, ::-1])) != {}


def test_wheel_orders_and_dealers_are_even() -> None:
    """Every segment, every order of four seats and every seat comes about equally often."""
    spins: list[int] = []
    orders: Counter[tuple[int, ...]] = Counter()
    dealers: list[int] = []
    for chance in islice(rounds(SEED + 4), 6_000):
        spins += [chance.wheel(), chance.wheel(), chance.wheel()]
        orders[tuple(chance.order(4, ()))] += 1
        dealers.append(chance.dealer(10))
    assert abs(uniform(spins, SEGMENTS)) < FAR
    assert abs(uniform(dealers, 10)) < FAR
    assert abs(uniform([number for number, n in enumerate(orders.values()) for _ in range(n)], 24)) < FAR
    pairs = [first * SEGMENTS + second for first, second in zip(spins[::3], spins[1::3], strict=True)]
    assert abs(uniform(pairs, SEGMENTS**2)) < FAR


@pytest.mark.parametrize("seed", range(3))
def test_the_battery_accuses_nobody_wrongly(seed: int) -> None:
    """An even shuffle of another make passes it."""
    battery = Battery(108)
    battery.add(right(4_000, 108, np.random.default_rng(seed)))
    assert far(battery.z()) == {}


@pytest.mark.parametrize("name", PLANTED)
def test_the_battery_finds_every_planted_fault(name: str) -> None:
    """Shuffles that are wrong in ways in which people get them wrong."""
    battery = Battery(108)
    battery.add(PLANTED[name](4_000, 108, np.random.default_rng(1)))
    assert abs(worst(battery.z())[1]) > 2 * FAR
