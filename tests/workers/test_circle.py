"""The parts of a pairing change who acts after whom."""

from __future__ import annotations

from collections import Counter

import pytest

from workers.schedule.circle import orders, turned
from workers.schedule.dice import Dice

SEATS = range(2, 11)


@pytest.mark.parametrize("seats", SEATS)
def test_everybody_follows_everybody(seats: int) -> None:
    """Over all orders each ordered pair is adjacent equally often; where that cannot be, opposite places once more."""
    follows = Counter((order[place - 1], one) for order in orders(seats) for place, one in enumerate(order))
    assert len(follows) == seats * (seats - 1)
    assert max(follows.values()) - min(follows.values()) == (1 if seats in {6, 8, 10} else 0)


@pytest.mark.parametrize("seats", SEATS)
def test_orders_are_orders(seats: int) -> None:
    """Everybody sits at the table once, whoever leads, and the first place changes from turn to turn."""
    for turn in range(20):
        assert sorted(turned(tuple(range(seats)), turn)) == list(range(seats))
    assert len({turned(tuple(range(seats)), turn)[0] for turn in range(4 * seats)}) > 1


def test_two_take_turns() -> None:
    """At two seats they lead in turn."""
    assert [turned((7, 3), turn) for turn in range(3)] == [(7, 3), (3, 7), (7, 3)]


def test_four_have_every_partner() -> None:
    """In three turns each of four has been the partner of each other one once."""
    partners = Counter(frozenset(turned((0, 1, 2, 3), turn)[side::2]) for turn in range(3) for side in (0, 1))
    assert set(partners.values()) == {1}
    assert len(partners) == 6


def test_dice_are_the_same_everywhere() -> None:
    """The first numbers of a text are fixed: schedules are made from them."""
    dice = Dice("lastcard")
    assert [dice.below(1000) for _ in range(6)] == EXPECTED


@pytest.mark.parametrize("n", [1, 2, 7])
def test_dice_are_fair(n: int) -> None:
    """Every number below the bound comes about as often."""
    dice, throws = Dice(f"fair {n}"), 7000
    found = Counter(dice.below(n) for _ in range(throws))
    assert set(found) == set(range(n))
    assert all(abs(count - throws / n) < 5 * (throws / n) ** 0.5 for count in found.values())


def test_shuffled_keeps_all() -> None:
    """A shuffle loses nothing."""
    assert sorted(Dice("x").shuffled(range(50))) == list(range(50))


EXPECTED = [800, 45, 650, 383, 330, 443]
