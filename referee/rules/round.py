"""The shape of a round that all games share.

A round is one slotted mutable object owned by one table. A game is a subclass. It says how its round starts (`_start`),
which options a decision has (`_list`), what an answer does (`_act`), what a closed window does (`_settle`), and what
becomes of an open decision when a seat leaves (`_lapse`, `_left_window`). Asking is in `decisions`, cards in `piles`.
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import ClassVar, Self

from mypy_extensions import mypyc_attr

from referee.rules.cards import UNO_NAMES, canonical, mask_of
from referee.rules.chance import Chance
from referee.rules.decisions import NO_SEATS, Answer, Codes, Decisions, Picks, Sealed
from referee.rules.errors import IllegalAnswerError
from referee.rules.events import NOBODY, rings
from referee.rules.notation import read_option, write_option
from referee.rules.options import Rules
from referee.rules.scoring import RoundEnd, everybody_adds, round_places, winner_takes
from referee.rules.setup import Setup
from referee.rules.situation import Situation
from referee.rules.vocabulary import EventKind, RoundEnding

__all__ = ["Answer", "Codes", "Picks", "Round", "Sealed"]


@lru_cache(maxsize=64)
def _fields(kind: type) -> tuple[str, ...]:
    """The names of what a round of this class has; a compiled class has a list of its own in place of slots."""
    names = {}
    for base in kind.__mro__:
        found = vars(base)
        names.update(dict.fromkeys((*found.get("__slots__", ()), *found.get("__mypyc_attrs__", ()))))
    names.pop("__dict__", None)
    return tuple(names)


@mypyc_attr(allow_interpreted_subclasses=True)
class Round(Decisions):
    """One round of one game; see the module."""

    GAME: ClassVar[str]
    SEATS: ClassVar[tuple[int, int]]  # fewest and most
    NAMES: ClassVar[Mapping[str, int]] = UNO_NAMES  # how cards are written

    __slots__ = ()

    def __init__(self, rules: Rules, chance: Chance, dealer: int, out: Sequence[int] = ()) -> None:
        self._clear(rules, chance, dealer, out)
        self._deal(chance.deck(self.facts.deck))
        self._open()

    # -- what a game says -------------------------------------------------------------------------------------------

    @classmethod
    @abstractmethod
    def check(cls, rules: Rules) -> None:
        """Raises InvalidOptionError for options that do not go together (a deal larger than the deck)."""

    def _open(self) -> None:
        """What follows the deal: the start rule, unless something comes before it."""
        self._start()

    @abstractmethod
    def _start(self) -> None:
        """The start rule, after the deal: opens the first decision."""

    @abstractmethod
    def _lapse(self, seat: int) -> None:
        """The one seat that was asked left: its decision lapses, the next seat moves (D 15, D 16, D 18)."""

    @abstractmethod
    def _left_window(self, seat: int) -> bool:
        """A seat left while a window is open; True if the window was closed for that (D 16)."""

    # -- leaving and ending -----------------------------------------------------------------------------------------

    def forfeit(self, seat: int) -> None:
        """The seat leaves the match, asked or not.

        Raises:
            IllegalAnswerError: the round is over, or the seat is not in the game.
        """
        if self.result is not None:
            raise IllegalAnswerError("ROUND_OVER", "the round is over")
        if not 0 <= seat < self.n or seat in self.out:
            raise IllegalAnswerError("NOT_IN_GAME", f"seat {seat} is not in the game; use one of {self.seats_in()}")
        self.acts += 1
        self._leave(seat)
        remaining = self.seats_in()
        if len({self.facts.team_of[k] for k in remaining}) == 1:
            self._end(RoundEnding.FORFEIT, remaining[0])  # scored as for a win (D 19, D 46)
        elif seat == self.seat:
            self._lapse(seat)
        elif self.seat >= 0:
            self._ask(self.seat, self.kind)  # what can be drawn may have changed, and an answer picks by place
        else:
            self._window.pop(seat, None)
            self._sealed.pop(seat, None)
            if not self._left_window(seat) and not self._window:
                self._settle(self._window_of)

    def _end(self, ending: RoundEnding, winner: int | None) -> None:
        """The round is over; what was still owed, or still to be placed, is not any more."""
        self.pending = self.bonus = 0
        left = tuple([self.gone[seat] if seat in self.gone else self.worth(seat) for seat in range(self.n)])
        team_of = self.facts.team_of
        points = self._score(ending, winner, left)
        places = round_places(left, winner, self.out, team_of)
        self.result = RoundEnd(ending, winner, points, left, places, tuple(self.out))
        self.seat = -1
        self._window = NO_SEATS
        self._say(EventKind.ROUND_END, NOBODY if winner is None else winner, 0, ending)

    def _limit_reached(self) -> None:
        self._end(RoundEnding.TURN_LIMIT, None)

    def _score(self, ending: RoundEnding, winner: int | None, left: Sequence[int]) -> tuple[int, ...]:  # noqa: ARG002
        """What the round adds to the scores, by seat."""
        score = everybody_adds if self.facts.low else winner_takes
        return score(left, winner, self.facts.team_of)

    def next_dealer(self) -> int:
        """The dealer of the next round: the next seat to the left that is still in the match (D 13)."""
        return rings(self.n, self.out)[0][self.dealer]

    # -- as text ----------------------------------------------------------------------------------------------------

    def read(self, seat: int, act: Mapping[str, object]) -> Answer:
        """The answer that an act in notation means.

        Raises:
            IllegalAnswerError: nothing is asked of the seat, or there is no such option.
            NotationError: the act cannot be read.
        """
        return read_option(self.columns(seat), self.NAMES, act)

    def write(self, seat: int, answer: Answer) -> dict[str, object]:
        """The act in notation of an answer to the open decision; `read` gives the answer back."""
        return write_option(self.columns(seat), seat, answer)

    def carry_out(self, seat: int, act: Mapping[str, object]) -> None:
        """Answers by an act in notation; a game in which an act may say more than one answer carries out all of it.

        Raises:
            IllegalAnswerError: not a legal act now; nothing has changed.
            NotationError: it cannot be read.
        """
        self.apply(seat, *self.read(seat, act))

    @classmethod
    def blank(cls, rules: Rules, chance: Chance, dealer: int) -> Self:
        """A round without cards, to be set up by `place` and started by `begin`."""
        round_ = cls.__new__(cls)
        round_._clear(rules, chance, dealer, ())  # noqa: SLF001
        return round_

    def begin(self, turn: int | None) -> None:
        """Opens the first decision of what is set up: a turn of this seat, or by the start rule."""
        if turn is None:
            self._start()
        else:
            self._begin_turn(turn)

    def place(self, setup: Setup) -> None:
        """Takes in hands and piles that are set up instead of dealt."""
        self.hands = [bytearray(hand) for hand in setup.hands]
        self.masks = [mask_of(hand) for hand in setup.hands]
        self.draw, self.discard, self.row = bytearray(setup.draw), bytearray(setup.discard), bytearray(setup.row)
        self.color = setup.color
        if setup.direction < 0:
            self.dir = -1
            self.ring, self.back = self.back, self.ring

    @classmethod
    def resume(cls, rules: Rules, chance: Chance, found: Situation) -> Self:
        """A round that goes on from the middle, where `found` tells what is open; its events begin there."""
        round_ = cls.__new__(cls)
        round_._clear(rules, chance, found.dealer, found.out)  # noqa: SLF001
        round_.turns = found.turns - 1
        round_.place(found.setup)
        round_.turn, round_.turns = found.turn, found.turns
        round_.pending, round_.drawn, round_.bonus = found.pending, found.drawn, found.bonus
        round_._reopen(found)  # noqa: SLF001
        return round_

    def _reopen(self, found: Situation) -> None:
        """Asks what is open, when everything else lies as it did."""
        self._ask(found.seat, found.kind)

    def observe(self) -> dict[str, object]:
        """What this game has beside hands and piles, in the words of `expect` in scenarios."""
        return {}

    # -- as a whole -------------------------------------------------------------------------------------------------

    def copy(self) -> Self:
        """The same round, independent of this one; chance is copied, too."""
        other = self.__new__(type(self))
        for name in _fields(type(self)):
            setattr(other, name, getattr(self, name))
        other.chance = self.chance.copy()
        other.hands = [bytearray(hand) for hand in self.hands]
        other.masks = list(self.masks)
        other.draw, other.discard, other.row = bytearray(self.draw), bytearray(self.discard), bytearray(self.row)
        other.events = bytearray(self.events)
        other.private = [list(seen) for seen in self.private]
        other.out, other.gone = list(self.out), dict(self.gone)
        other._window, other._sealed = dict(self._window), dict(self._sealed)  # noqa: SLF001
        return other

    def state(self) -> tuple[object, ...]:
        """The complete state as plain values, hidden cards included; hands are multisets."""
        hands = [canonical(hand) for hand in self.hands]
        piles = (bytes(self.draw), bytes(self.discard), bytes(self.row), self.color, self.dir, self.pending, self.bonus)
        asked = [(seat, int(kind)) for seat, kind in sorted(self.asked.items())]
        turn = (self.turn, self.turns, self.acts, self.asked_at, self.drawn)
        window = (self.subject, sorted(self._sealed.items())) if self._window else ()
        left = (list(self.out), sorted(self.gone.items()))
        ended = () if self.result is None else (int(self.result.ending), self.result.winner, self.result.points)
        return (self.dealer, hands, piles, asked, turn, window, left, ended, bytes(self.events), self.private)

    def digest(self) -> bytes:
        """8 bytes over the complete state and all events."""
        return blake2b(repr(self.state()).encode(), digest_size=8).digest()
