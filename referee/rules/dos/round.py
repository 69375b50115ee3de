"""A round of DOS."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from mypy_extensions import mypyc_attr

from referee.rules.cards import DOS_NAMES
from referee.rules.dos import codes as dos
from referee.rules.dos import text
from referee.rules.dos.facts import DosFacts
from referee.rules.dos.options import AFTER_DRAW, BONUS, TURN, DosOptions
from referee.rules.errors import InvalidOptionError
from referee.rules.notation import call_of
from referee.rules.options import Rules
from referee.rules.round import Answer, Codes, Picks
from referee.rules.vocabulary import Act, DecisionKind, DrawReason, EventKind, RoundEnding


@lru_cache(maxsize=256)
def _facts(rules: Rules) -> DosFacts:
    return DosFacts(rules)


@mypyc_attr(allow_interpreted_subclasses=True)
class DosRound(DosOptions):
    """A round of DOS: preset `dos`."""

    GAME: ClassVar[str] = "dos"
    SEATS: ClassVar[tuple[int, int]] = (2, 4)
    NAMES: ClassVar[Mapping[str, int]] = DOS_NAMES
    TURN_KIND: ClassVar[DecisionKind] = TURN

    __slots__ = ()

    @classmethod
    def facts_of(cls, rules: Rules) -> DosFacts:
        """What the ruleset means to a round of DOS."""
        return _facts(rules)

    @classmethod
    def check(cls, rules: Rules) -> None:
        """Raises InvalidOptionError if the deck does not suffice for the hands and the row."""
        facts = cls.facts_of(rules)
        deck, seats = len(facts.deck), rules.seats
        most = (deck - facts.row_min) // seats
        if most < 1:
            raise InvalidOptionError("row_min", facts.row_min, f"1 to {deck - seats} with {seats} seats")
        if facts.hand_size > most:
            raise InvalidOptionError(
                "hand_size", facts.hand_size, f"1 to {most} with {seats} seats and row_min {facts.row_min}"
            )

    def _start(self) -> None:
        """Turns up the first row; a wild in it stays one (000). The seat left of the dealer begins."""
        self._turn_up(self.dos.row_min - len(self.row), EventKind.TURNED_UP)
        self._begin_turn(self.ring[self.dealer])

    # -- answers ----------------------------------------------------------------------------------------------------

    def _act(self, seat: int, codes: Codes, call: bool, color: int) -> None:  # noqa: FBT001, ARG002
        if call:
            self.called = True
        if self.kind is BONUS or codes[0] >= dos.PLACED:
            self._place(seat, codes)
        elif codes[0] < dos.DRAW:
            self._match(seat, codes)
        else:
            self.take(seat, 1, DrawReason.TURN)  # nothing to draw: the turn goes on all the same (A5)
            self._ask(seat, AFTER_DRAW)

    def _place(self, seat: int, codes: Codes) -> None:
        """Bonus cards, or the one card of a turn without a match, before which the row is refilled."""
        if self.kind is not BONUS:
            self._refill(0)
        self._place_cards(seat, bytes([dos.card_of(code) for code in codes]))

    def _settle(self, kind: DecisionKind) -> None:  # noqa: ARG002  (there is one window)
        self._settle_call()

    # -- leaving and ending -----------------------------------------------------------------------------------------

    def _leave(self, seat: int) -> None:
        """The seat leaves; what it owes is void."""
        super()._leave(seat)
        self._owe(seat, 0)

    def _lapse(self, seat: int) -> None:
        """Nothing is played or placed for the seat; the next one moves (D 15)."""
        self.bonus = 0
        self._begin_turn(self.ring[seat])

    def _left_window(self, seat: int) -> bool:
        return self._left_call(seat)

    def _limit_reached(self) -> None:
        """The one lowest hand wins; if several are the lowest nobody does (rules page A6)."""
        worth = {seat: self.worth(seat) for seat in self.seats_in()}
        lowest = [seat for seat, value in worth.items() if value == min(worth.values())]
        self._end(RoundEnding.TURN_LIMIT, lowest[0] if len(lowest) == 1 else None)

    def _score(self, ending: RoundEnding, winner: int | None, left: Sequence[int]) -> tuple[int, ...]:
        """What the others hold; at the limit what they hold more than the winner, and hands that left (D 12)."""
        if ending is not RoundEnding.TURN_LIMIT or winner is None:
            return super()._score(ending, winner, left)
        gain = sum(left[seat] - left[winner] for seat in self.seats_in()) + sum(self.gone.values())
        return tuple(gain if seat == winner else 0 for seat in range(self.n))

    def next_dealer(self) -> int:
        """The winner of the round (000), or the next seat to the left: by option, or without a winner."""
        winner = None if self.result is None else self.result.winner
        return super().next_dealer() if winner is None or not self.dos.winner_deals else winner

    # -- as text ----------------------------------------------------------------------------------------------------

    def read(self, seat: int, act: Mapping[str, object]) -> Answer:
        """The answer that an act in notation means; see `Round.read`. Bonus cards named ahead are no part of it."""
        options = self.options(seat)
        picks: Picks
        if isinstance(options, bytes):
            return super().read(seat, act)
        match act.get("act"):
            case Act.MATCH.name:
                picks = text.pick_matches(options, self.slots, text.read_matches(act))
            case Act.PLACE.name:
                picks = text.pick_placed(options, text.read_placed(act))
            case _:
                return super().read(seat, act)
        return picks, call_of(act), 0

    def write(self, seat: int, answer: Answer) -> dict[str, object]:
        """The act in notation of an answer to the open decision."""
        options = self.options(seat)
        if isinstance(options, bytes):
            return super().write(seat, answer)
        picks, call, _ = answer
        codes = [options[pick] for pick in ((picks,) if isinstance(picks, int) else picks)]
        act = {"seat": seat, **text.write_act(codes, self.slots)}
        return act | {"call": True} if call else act

    def carry_out(self, seat: int, act: Mapping[str, object]) -> None:
        """Answers by an act in notation: a MATCH may lay two cards in an order of its own, and name bonus cards ahead.

        Those are placed if the whole list may be; else the seat is asked (D 34).
        """
        if act.get("act") != Act.MATCH.name:
            super().carry_out(seat, act)
            return
        ahead, stacks = text.read_ahead(act), text.read_matches(act)
        answer = self.read(seat, act)
        self.flipped = frozenset(self.slots.index(stack.slot) for stack in stacks if stack.flipped)
        try:
            self.apply(seat, *answer)
        finally:
            self.flipped = frozenset()
        if ahead is not None and seat == self.seat and self.kind is BONUS:
            self._place_ahead(seat, ahead)

    def _place_ahead(self, seat: int, cards: bytes) -> None:
        hand = self.hands[seat]
        least, most = self.picks(seat)
        if least <= len(cards) <= most and all(cards.count(card) <= hand.count(card) for card in cards):
            self.apply(seat, text.pick_placed(self.options(seat), cards))

    def observe(self) -> dict[str, object]:
        """Slots and debts, in the words of `expect` in scenarios."""
        return {"slots": list(self.slots), "owes": list(self.owes)}
