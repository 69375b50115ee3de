"""One of the things that a seat may do, and the catalogue that makes each only once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import count, repeat
from typing import TYPE_CHECKING, Final

from lastcard.faces import CARDS, COLORS, FIRST_DOS, Card, Color
from lastcard.words import ACTS, Act

if TYPE_CHECKING:
    from lastcard.view import View

MOST: Final = 1 << 16  # options kept; far more than any game but DOS has
IN_HAND: Final = frozenset({Act.DRAW, Act.PASS, Act.KEEP, Act.REJECT})  # their card, if any, does not leave the hand


@dataclass(frozen=True, slots=True, repr=False)
class Option:
    """One of the things that a seat may do; equal ones of different turns are the same object."""

    index: int  # place among the options of its turn
    act: Act
    card: Card | None  # what it is done with
    second: Card | None  # DOS: the second card of a double match
    color: Color | None  # the colour it names
    slot: int  # DOS: which card of the row is matched
    points: int  # value of the cards that leave the hand
    open_color: bool  # a wild whose colour the answer names, where it is the last of a list

    def __str__(self) -> str:
        """Return it as a person would write it: `PLAY R5`, `PLAY W4 G`, `MATCH R1+R3 ON 0`."""
        what = "+".join(card for card in (self.card, self.second) if card)
        where = f"ON {self.slot}" if self.act is Act.MATCH else ""
        return " ".join(part for part in (self.act, what, self.color, where) if part)

    __repr__ = __str__


class Catalogue(dict[tuple[int, ...], Option]):
    """Options by (act, card, colour, index[, second, slot]), each made when it is first met."""

    __slots__ = ("points",)

    def __init__(self, points: tuple[int, ...]) -> None:
        """Start an empty catalogue; `points` is the value of each face."""
        super().__init__()
        self.points = points

    def __missing__(self, key: tuple[int, ...]) -> Option:
        if len(self) >= MOST:
            self.clear()
        option = self[key] = self.make(*key)
        return option

    def make(self, act: int, card: int, color: int, index: int, second: int = 0, slot: int = 0) -> Option:
        """Return the option that these bytes describe."""
        word = ACTS[act]
        stays = word in IN_HAND
        leaving = 0 if stays else self.points[card] + self.points[second]
        return Option(
            index=index,
            act=word,
            card=CARDS[card] if card else None,
            second=CARDS[second] if second else None,
            color=COLORS[color],
            slot=slot,
            points=leaving * 2 if word is Act.PLAY_DOUBLE else leaving,
            open_color=CARDS[card].wild and card < FIRST_DOS and not color and not stays,
        )

    def options(self, view: View) -> tuple[Option, ...]:
        """Return the options of a decision in canonical order."""
        columns: list[Iterable[int]] = [view.option_act, view.option_card or repeat(0), view.option_color or repeat(0)]
        columns.append(count())
        if view.option_second or view.option_slot:
            columns += [view.option_second or repeat(0), view.option_slot or repeat(0)]
        return tuple(map(self.__getitem__, zip(*columns, strict=False)))


@lru_cache(maxsize=16)  # a process plays few formats
def catalogue(points: tuple[int, ...]) -> Catalogue:
    """Return the catalogue of formats in which faces are worth `points`, by byte; beyond them nothing."""
    return Catalogue(points[: len(CARDS)] + (0,) * (len(CARDS) - len(points)))
