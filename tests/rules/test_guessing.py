"""Nobody learns a seed from what all seats see, nor guesses it from a hand and the clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from random import Random

import pytest

from referee.rules import cards
from referee.rules.chance import StreamSource, deal_key, play_seed
from referee.rules.game import Game
from referee.rules.games import resolve
from referee.rules.vocabulary import EventKind
from tests.rules.playing import play

pytestmark = pytest.mark.slow

GAMES = 1_000
WINDOW = 4
"""So many bytes of a seed in a row: chance puts as many into the events of one game in a hundred thousand."""
NOW_MS = 1_800_000_000_000
MATCH = "cup.1.1.0"
HAND = 7


def windows(secret: bytes) -> set[bytes]:
    """Return all parts of a secret of this length, also as they stand in hex."""
    parts = {secret[first : first + WINDOW] for first in range(len(secret) - WINDOW + 1)}
    text = secret.hex().encode()
    return parts | {text[first : first + 4 * WINDOW] for first in range(len(text) - 4 * WINDOW + 1)}


def shown(events: bytes, secret: bytes) -> set[bytes]:
    """Return which parts of a secret stand in events."""
    return {part for part in windows(secret) if part in events}


@pytest.mark.sample(2)
@pytest.mark.parametrize("preset", ["classic", "spin", "duo", "dos"])
def test_the_events_of_a_thousand_games_hold_nothing_of_seed_or_key(preset: str) -> None:
    """Public ones, and those of every seat; a quarter of the games each."""
    rules, found, seen = resolve(preset, {}, 2), 0, 0
    for number in range(GAMES // 4):
        seed = sha256(f"{preset} {number}".encode()).digest()
        key = deal_key(seed, MATCH)
        game = Game(rules, StreamSource(key, 0, number), 1)
        play(game.round, Random(number))
        events = bytes(game.round.events)
        seen += len(events)
        found += len(shown(events, seed)) + len(shown(events, key.reveal()))
        kinds, faces = events[::4], events[2::4]
        assert set(kinds) <= set(EventKind)
        assert not shown(faces, seed), "a seed spelled out in the cards would be one, too"
    assert (found, seen > 40 * GAMES) == (0, True)


def test_a_seed_in_the_events_would_be_found() -> None:
    """Four bytes of it, anywhere, and in hex."""
    seed = sha256(b"planted").digest()
    assert shown(b"\x01\x02" + seed[9:13] + b"\x03", seed)
    assert shown(b"note " + seed.hex()[20:36].encode(), seed)


# -- from a hand and the clock


def drawn_by_python(ms: int) -> bytes:
    """Return the hand of who seeds Python's generator with the clock: `shuffle` settles the last cards first."""
    deck, chance = list(cards.uno_deck()), Random(ms)
    for place in reversed(range(len(deck) - HAND, len(deck))):
        other = chance.randrange(place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return bytes(deck[-HAND:])


def dealt(seed: bytes) -> bytes:
    """Return the first cards that a seed deals."""
    return bytes(StreamSource(deal_key(seed, MATCH), 0, 0).round(0).deck(cards.uno_deck())[-HAND:])


WAYS: dict[str, Callable[[int], bytes]] = {
    "Python's generator": drawn_by_python,
    "the number as seed": lambda ms: dealt(ms.to_bytes(32, "big")),
    "the number in seconds": lambda ms: dealt((ms // 1000).to_bytes(32, "big")),
    "its hash": lambda ms: dealt(sha256(str(ms).encode()).digest()),
    "the seed of local play": lambda ms: dealt(play_seed(ms)),
}


def guesses(hand: bytes, around_ms: int, reach: int) -> Iterator[tuple[str, int]]:
    """Yield how a seed of the clock, so many milliseconds around a moment, would have dealt this hand."""
    for ms in range(around_ms - reach, around_ms + reach):
        for name, way in WAYS.items():
            if way(ms) == hand:
                yield name, ms


@pytest.mark.parametrize("way", WAYS)
def test_a_deal_of_the_clock_is_guessed_from_one_hand(way: str) -> None:
    """So the search can find something: with the seed all other hands are known."""
    hand = WAYS[way](NOW_MS + 17)
    assert (way, NOW_MS + 17) in set(guesses(hand, NOW_MS + 10, 20))


def test_no_hand_of_ours_is_guessed_from_the_clock() -> None:
    """Of a match whose seed comes from the system, or from the secret of a tournament."""
    for seed in (sha256(b"of the system").digest(), sha256(b"of a tournament").digest()):
        assert list(guesses(dealt(seed), NOW_MS, 300)) == []


def test_who_settles_the_last_cards_first_shuffles_as_python_does() -> None:
    """Or the search would look for nothing."""
    deck = list(cards.uno_deck())
    Random(NOW_MS).shuffle(deck)
    assert bytes(deck[-HAND:]) == drawn_by_python(NOW_MS)


@pytest.mark.nightly
@pytest.mark.timeout(7_200)
def test_no_hand_of_ours_is_guessed_from_hours_of_the_clock() -> None:
    """Nearly five hours in milliseconds, 2^24, by the generator; by our own scheme every sixteenth of them."""
    hand = dealt(sha256(b"of the system").digest())
    assert not [ms for ms in range(NOW_MS, NOW_MS + 2**24) if drawn_by_python(ms) == hand]
    assert not [ms for ms in range(NOW_MS, NOW_MS + 2**24, 16) if WAYS["the number as seed"](ms) == hand]
