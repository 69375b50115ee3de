"""A turn of DOS (rules page A3): matching, bonus cards, going out, and the call that is checked when it ends.

Order of a match (A3.1): cards onto the row; forced draws of the others; the stacks to the discard pile; out?; refill;
bonus cards; out?; the end of the turn.
"""

from collections.abc import Sequence
from typing import Final

from mypy_extensions import mypyc_attr

from referee.rules.cards import canonical
from referee.rules.chance import Chance
from referee.rules.dos.codes import Match, match_of
from referee.rules.dos.matching import COLORS
from referee.rules.dos.row import DosRow
from referee.rules.events import MOST_SEATS
from referee.rules.options import Rules
from referee.rules.situation import Situation
from referee.rules.vocabulary import DecisionKind, DrawReason, EventKind, RoundEnding

CALLING: Final = 2  # the hand that has to be called
IN_COLOR: Final = 128  # bit of MATCHED's arg
# By seat: the first two bytes of the event of a card on the row.
MATCHED: Final = tuple(bytes((EventKind.MATCHED, seat)) for seat in range(MOST_SEATS))

BONUS: Final = DecisionKind.DOS_PLACE_BONUS


@mypyc_attr(allow_interpreted_subclasses=True)
class DosTurn(DosRow):
    """What the acts of a turn do."""

    __slots__ = ("called", "exposed", "flipped", "owes", "pushed", "singles")

    called: bool  # an act of this turn came with the call
    singles: int  # single matches of colour in this turn
    pushed: tuple[int, ...]  # opponents whom this turn brought to exactly two cards, clockwise (EVER_TWO)
    exposed: tuple[int, ...]  # seats whose missed call is still to be settled at the end of this turn
    owes: tuple[int, ...]  # by seat: cards for a call missed off its turn, drawn at the end of its own
    flipped: frozenset[int]  # places in the row whose two cards are to lie the other way round: text may say so

    def _clear(self, rules: Rules, chance: Chance, dealer: int, out: Sequence[int]) -> None:
        super()._clear(rules, chance, dealer, out)
        self.called = False
        self.singles = 0
        self.pushed = self.exposed = ()
        self.owes = (0,) * rules.seats
        self.flipped = frozenset()

    def _begin_turn(self, seat: int) -> None:
        self.called = False
        self.singles = 0
        self.pushed = ()
        super()._begin_turn(seat)

    def _reopen(self, found: Situation) -> None:
        self.called, self.singles = found.called, found.singles
        self.owes = found.owes or self.owes
        super()._reopen(found)

    # -- matching ---------------------------------------------------------------------------------------------------

    def _match(self, seat: int, codes: Sequence[int]) -> None:
        """Puts cards on the row, whatever they earn, and takes the stacks away; the order of the picks says nothing."""
        found = [match_of(code) for code in sorted(codes)]
        stacks, doubles = self._put_on_row(seat, found)
        if doubles and self.dos.color_draw:
            self._draw_for_colors(seat, doubles)
        self.discard += stacks
        self._take_matched([place for place, _, _ in found])
        if not self.hands[seat]:
            self._go_out(seat)
            return
        self._refill(len(found))
        self._earned(seat, self.singles + doubles)

    def _put_on_row(self, seat: int, found: Sequence[Match]) -> tuple[bytearray, int]:
        """The stacks as they will lie, in order of the row, and the number of double matches of colour."""
        stacks = bytearray()
        doubles = 0
        for place, first, second in found:
            top = self.row[place]
            common = COLORS[top] & COLORS[first]
            cards = bytes((first,))
            if second:
                common &= COLORS[second]
                cards = bytes((second, first) if place in self.flipped else (first, second))
                doubles += common > 0
            else:
                self.singles += common > 0
            arg = place | IN_COLOR if common else place
            for card in cards:
                self._shed(seat, card)
                self.events += MATCHED[seat] + bytes((card, arg))
            stacks.append(top)
            stacks += cards
        return stacks, doubles

    def _draw_for_colors(self, seat: int, doubles: int) -> None:
        """Every opponent, clockwise, draws for the double matches of colour, before the stacks are discarded (D 36)."""
        pushed = []
        opponent = self.ring[seat]
        while opponent != seat:
            got = self.take(opponent, doubles * self.dos.color_draw, DrawReason.BONUS)
            if got and len(self.hands[opponent]) == CALLING:
                pushed.append(opponent)
            opponent = self.ring[opponent]
        if self.dos.ever_two:
            self.pushed = tuple(pushed)

    # -- bonus cards ------------------------------------------------------------------------------------------------

    def _earned(self, seat: int, count: int) -> None:
        """Bonus cards: all that are left are placed unasked; else the seat chooses (A3.1-6, D 34, D 52)."""
        hand = self.hands[seat]
        bonus = min(count, len(hand))
        if not bonus:
            self._end_turn(seat)
        elif bonus == len(hand) and self.dos.mandatory:
            self._place_cards(seat, canonical(hand))
        else:
            self.bonus = bonus
            self._ask(seat, BONUS)

    def _place_cards(self, seat: int, cards: Sequence[int]) -> None:
        """Places bonus cards, or the one after a draw; the turn is over, and perhaps the round."""
        self.bonus = 0
        self._put_in_row(seat, cards)
        if self.hands[seat]:
            self._end_turn(seat)
        else:
            self._go_out(seat)

    def _go_out(self, seat: int) -> None:
        """The hand is empty. With ANY_COLOR the others draw for the single matches of colour, too (D 33)."""
        if self.dos.final_singles and self.singles:
            opponent = self.ring[seat]
            while opponent != seat:
                self.take(opponent, self.singles, DrawReason.BONUS)
                opponent = self.ring[opponent]
        self._end(RoundEnding.OUT, seat)

    # -- the end of a turn ------------------------------------------------------------------------------------------

    def _end_turn(self, seat: int) -> None:
        """Pays what the seat owes, then checks the call, first of this seat, then of those it pushed (D 35)."""
        owed = self.owes[seat]
        if owed:
            self._owe(seat, 0)
            self.take(seat, owed, DrawReason.CALL)
        exposed = self.pushed
        if len(self.hands[seat]) == CALLING and self.dos.calls:
            if self.called:
                self._say(EventKind.CALLED, seat)
            else:
                exposed = (seat, *exposed)
        self.exposed = exposed
        self._next_exposed()

    def _next_exposed(self) -> None:
        """Settles the next missed call; after the last one the next seat moves."""
        while self.exposed:
            seat, *others = self.exposed
            self.exposed = tuple(others)
            if seat not in self.out:
                self._call_missed(seat, "_next_exposed")
                return
        self._begin_turn(self.ring[self.turn])

    def _caught(self, seat: int) -> None:
        """The seat draws now, or owes it until the end of its own next turn (000; the sheet)."""
        if seat == self.turn or self.dos.at_once:
            super()._caught(seat)
        else:
            self._owe(seat, self.owes[seat] + self.dos.penalty)

    def _owe(self, seat: int, cards: int) -> None:
        self.owes = (*self.owes[:seat], cards, *self.owes[seat + 1 :])

    def _end(self, ending: RoundEnding, winner: int | None) -> None:
        """The round is over, and with it what is owed."""
        self.owes = (0,) * self.n
        super()._end(ending, winner)

    def state(self) -> tuple[object, ...]:
        """The complete state as plain values."""
        return (*super().state(), self.called, self.singles, self.pushed, self.exposed, self.owes)
