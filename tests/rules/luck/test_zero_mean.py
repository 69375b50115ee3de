"""Luck is luck: whatever the bots do, every term has mean zero; and a deal that is not fair is noticed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest

from referee import formats
from referee.formats.format import Format
from referee.rules.calls import CATCH
from referee.rules.cards import COLOR_OF, RANK_OF, SKIP
from referee.rules.chance import Chance
from referee.rules.duo.round import DuoRound
from referee.rules.luck.duo import DuoWatch
from referee.rules.luck.uno import UnoWatch
from referee.rules.round import Round
from referee.rules.vocabulary import DecisionKind
from tests.rules.luck.driving import Style, dearest, drawn, luck_by_style, wants, watched_round

pytestmark = pytest.mark.slow

SEED = 5


ROUNDS = {
    "uno-classic-2": 1000,
    "uno-classic-4": 600,
    "uno-house-2": 1000,
    "uno-house-4": 600,
    "uno-official-10": 500,
    "uno-pairs-4": 600,
    "spin-2": 1000,
    "spin-4": 500,
    "dos-2": 1200,
    "dos-4": 700,
    "duo": 700,
}
AT_LENGTH = 8
"""Times as many rounds at night."""
QUICK = {"uno-classic-2", "dos-2"}


@pytest.mark.parametrize(
    ("name", "rounds"),
    [
        *(
            pytest.param(name, n, marks=() if name in QUICK else pytest.mark.nightly, id=name)
            for name, n in ROUNDS.items()
        ),
        *(
            pytest.param(name, n * AT_LENGTH, marks=pytest.mark.nightly, id=f"{name} at length")
            for name, n in ROUNDS.items()
        ),
    ],
)
def test_nobody_is_lucky_on_average(name: str, rounds: int) -> None:
    """All styles together, and every style in every seat; with the order in which reactions count."""
    pooled, single = drawn(luck_by_style(formats.get(name), rounds, SEED))
    assert max(pooled.values()) < 4, (SEED, pooled)
    assert max(single.values()) < 5, (SEED, single)


def test_a_known_packet_counted_in_the_stock_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: the cards put away in Duo's draft are mostly worth little, so that the rest is worth more."""
    monkeypatch.setattr(DuoWatch, "_end_draft", DuoRound._end_draft)
    pooled, _ = drawn(luck_by_style(formats.get("duo"), 1000, SEED, {"greedy": dearest}))
    assert pooled["l2"] > 4, (SEED, pooled)


@pytest.mark.slow
@pytest.mark.thorough
def test_first_discards_left_at_one_end_of_the_pile_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Planted: a number is turned up, and what was turned up before it goes back on top without a shuffle."""

    def turn_up(self: UnoWatch) -> int:
        skipped = []
        while RANK_OF[self.draw[-1]] >= SKIP:
            skipped.append(self.draw.pop())
        card = self.draw.pop()
        self.discard.append(card)
        self.color = COLOR_OF[card]
        self._match(card)
        self.draw += bytes(skipped)
        return card

    monkeypatch.setattr(UnoWatch, "_turn_up", turn_up)
    pooled, _ = drawn(luck_by_style(formats.get("uno-classic-2"), 4000, SEED))
    assert pooled["l2"] > 4, (SEED, pooled)


class OneStream:
    """Planted: the order of windows, and what somebody else decides by, come from the same place."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance

    def peek(self, seats: int) -> list[int]:
        """Return the next order without using it up."""
        return self._chance.copy().order(seats, range(seats))

    def deck(self, canonical: bytes) -> bytearray:
        """Return the deck as shuffled."""
        return self._chance.deck(canonical)

    def reshuffle(self, cards: bytes) -> bytearray:
        """Return these cards as a new pile."""
        return self._chance.reshuffle(cards)

    def order(self, seats: int, reacting: Sequence[int]) -> list[int]:
        """Return an order of the seats."""
        return self._chance.order(seats, reacting)

    def wheel(self) -> int:
        """Return a segment of the wheel."""
        return self._chance.wheel()

    def copy(self) -> OneStream:
        """Return the same chance from here on."""
        return OneStream(self._chance.copy())


def test_one_stream_for_two_purposes_is_noticed() -> None:
    """A bot whose dice are those of the window's order reacts just when it will be first."""

    def insider(round_: Round, seat: int, chance: Random) -> int | None:
        if round_.seat >= 0 or round_.asked[seat] is not DecisionKind.CALL_WINDOW:
            return None
        assert isinstance(round_.chance, OneStream)
        first = round_.chance.peek(round_.n)[0] == seat
        return wants(CATCH)(round_, seat, chance) if first else 0

    def made(chosen: Format, chance: Chance) -> Round:
        return watched_round(chosen, OneStream(chance))

    styles: Mapping[str, Style] = {"insider": insider, "catcher": wants(CATCH)}
    _, single = drawn(luck_by_style(formats.get("uno-classic-4"), 400, SEED, styles, made))
    assert single["w1"] > 5, (SEED, single)
