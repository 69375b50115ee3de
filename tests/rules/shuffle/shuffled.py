"""Decks and numbers of the deal stream, many at once, counters going up as in play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product

import numpy as np
from numpy.typing import NDArray

from referee.rules.chance import StreamChance, StreamSource, deal_key

Decks = NDArray[np.uint8]
MEETINGS, DEALS, ROUNDS = 16, 4, 25


def rounds(seed: int) -> Iterator[StreamChance]:
    """The chance of one round after the other: all rounds of all games of a match, then of the next match."""
    for match in range(1 << 30):
        key = deal_key(seed.to_bytes(32, "big"), f"cup.{match}.1.0", [None, bytes(16)])
        for meeting, deal, number in product(range(MEETINGS), range(DEALS), range(ROUNDS)):
            yield StreamSource(key, meeting, deal).round(number)


def decks(seed: int, count: int, cards: bytes | int) -> Iterator[Decks]:
    """So many first decks of rounds, in parts; `cards` are shuffled, or as many as there are, each once."""
    deck = bytes(range(cards)) if isinstance(cards, int) else cards
    chances = rounds(seed)
    for part in range(0, count, 20_000):
        size = min(20_000, count - part)
        piles = b"".join(chance.deck(deck) for chance in islice(chances, size))
        yield np.frombuffer(piles, np.uint8).reshape(size, len(deck))
