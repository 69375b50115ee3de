"""What a seat can know of the cards that it does not see, from the events of its round and nothing else.

A hidden card is a mask of the faces that it may be: bit c for face c. A card that was shown is one bit; what a seat
held when it drew, instead of playing, is most likely nothing that fitted.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

from lastcard.turn import Turn
from referee.rules.cards import BIT, COLOR_OF, DOS_NAMES
from referee.rules.dos.matching import SINGLES
from referee.rules.events import DOUBLE
from referee.rules.games import GAMES
from referee.rules.options import Rules
from referee.rules.uno.codes import COLOR_MASK, EVERYTHING, WILDS, matching
from referee.rules.vocabulary import DrawReason, EventKind, Segment

ANY: Final = (1 << 128) - 1  # a card of which nothing is known
PLACE: Final = 127  # bits of MATCHED's arg that are a place
IN_COLOR: Final = 128
STOPPED_BY_COLOR: Final = 1  # the arg of KEPT on the wheel
STOPPED_BY_WILD: Final = 2
DRAWS_TO: Final = {1 + Segment.DRAW_BLUE: COLOR_MASK[4], 1 + Segment.DRAW_RED: COLOR_MASK[1]}  # by SPUN's arg

Handler: TypeAlias = Callable[["Memory", int, int, int], None]


def is_known(mask: int) -> bool:
    """Whether only one face is left, as where a card was shown."""
    return not mask & (mask - 1)


class Memory:
    """The round as its events tell it to one seat.

    Attributes:
        dealer: who dealt.
        hands: by seat, its cards as masks. Those of the seat itself are not kept well: it sees its hand.
        discard: faces of the discard pile, the top last.
        loose: masks of cards that lie under it, or anywhere in the draw pile if nothing is led: hands of leavers.
        bottom: faces known to lie at the bottom of the draw pile, the lowest first.
        size: cards in the draw pile.
        row: DOS: the cards in the middle.
        out: seats that left, in order.
        turn, turns: whose turn it is, and how many have begun.
        passes, passed: turns in a row that were passed, the last of them with this number.
        color, ok: colour in force, and mask of the faces that fit.
        before: both as they were before the last play, and the seat that made it.
        singles: DOS: single matches of colour in this turn.
    """

    __slots__ = (
        "_flips",
        "_free",
        "_last",
        "_matched",
        "_me",
        "_packet",
        "_shown",
        "_stop",
        "_under",
        "before",
        "bottom",
        "color",
        "dealer",
        "discard",
        "dos",
        "hands",
        "loose",
        "ok",
        "out",
        "passed",
        "passes",
        "row",
        "singles",
        "size",
        "turn",
        "turns",
    )

    def __init__(self, turn: Turn, rules: Rules, deck: int) -> None:
        """Remember what `turn` tells of a round of these rules; `deck` is the number of cards."""
        seen = turn.history
        self.dos = GAMES[rules.game].NAMES is DOS_NAMES
        self.hands: list[list[int]] = [[] for _ in range(rules.seats)]
        self.discard: list[int] = []
        self.loose: list[int] = []
        self.bottom: list[int] = []
        self.row: list[int] = []
        self.out: list[int] = []
        self.size = deck
        self.dealer = self.turn = self.turns = self.passes = self.passed = self.color = self.singles = 0
        self.ok = EVERYTHING
        self.before = (0, EVERYTHING, 0)
        self._me = seen.seat
        self._under = rules.options.get("wheel_discards") == "UNDER"
        self._flips = rules.options.get("recycle") == "FLIP"
        self._packet = False  # whether the discards are those of a draft
        self._free: set[int] = set()  # seats that draw although they could play
        self._matched: dict[int, list[int]] = {}  # by place in the row: what lies on it
        self._stop = 0  # the colour at which a draw of the wheel ends, as a mask
        self._shown = 0  # cards shown one after the other by now
        self._last = 0  # the kind of the event before
        for kind, seat, card, arg in zip(seen.kinds, seen.seats, seen.cards, seen.args, strict=True):
            if self._matched and kind not in AMID_MATCHES:
                self._take_matched()
            see = SEE.get(kind)
            if see is not None:
                see(self, seat, card, arg)
            self._last = kind
        self._take_matched()

    def fits(self, turn: Turn) -> bool:
        """Whether all piles are as large as the view says: nothing happened that this memory does not understand."""
        view = turn.view
        piles = (view.draw_pile, view.discard_pile, len(view.row))
        known = (self.size, len(self.discard) + len(self.loose), len(self.row))
        return known == piles and bytes(map(len, self.hands)) == view.counts and bytes(self.row) == view.row

    # -- hands ------------------------------------------------------------------------------------------------------

    def _lose(self, seat: int, card: int) -> None:
        """A card leaves a hand: the one that is known, else the one of which most is known that it may have been."""
        hand, bit = self.hands[seat], BIT[card]
        able = [(mask.bit_count(), place) for place, mask in enumerate(hand) if mask & bit]
        if able:
            del hand[min(able)[1]]
        elif hand:
            hand.pop()

    def _rule_out(self, seat: int, barred: int, places: slice = slice(None)) -> None:
        """Cards of a hand are none of these faces; a seat that turns out to hold one anyhow is not judged again."""
        if seat in self._free or seat == self._me:
            return
        hand = self.hands[seat]
        left = [mask & ~barred for mask in hand[places]]
        if all(left):
            hand[places] = [mask if is_known(rest) else rest for mask, rest in zip(hand[places], left, strict=True)]
        else:
            self._free.add(seat)
            self.hands[seat] = [mask if is_known(mask) else ANY for mask in hand]

    def _unfitting(self) -> int:
        """Mask of what would have been played now."""
        if not self.dos:
            return self.ok
        barred = 0
        for card in self.row:
            barred |= SINGLES[card]
        return barred

    # -- what events say --------------------------------------------------------------------------------------------

    def _round_start(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002  (as all events are told)
        self.dealer = seat

    def _dealt(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002
        self.hands[seat] = [ANY] * arg
        self.size -= arg

    def _turned_up(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002
        if self._packet:  # the discards of a draft go under the draw pile as one packet
            self._packet = False
            self.bottom = self.discard[::-1]
            self.size += len(self.discard)
            self.discard = []
        self._take_off()
        if self.dos:
            self.row.append(card)
        else:
            self._lay(card)

    def _refilled(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002
        self._take_off()
        self.row.append(card)

    def _take_off(self) -> int:
        """The top of the draw pile goes somewhere; returns its face if that is known, else 0."""
        known = self.bottom.pop() if self.size == len(self.bottom) > 0 else 0
        self.size -= 1
        return known

    def _lay(self, card: int, named: int = 0) -> None:
        """A card becomes the top."""
        self.discard.append(card)
        self.color = named or COLOR_OF[card]
        self.ok = matching(self.color, card)

    def _color_named(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002
        self.color = arg
        self.ok = matching(arg, self.discard[-1] if self.discard else 0)

    def _drafted(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002
        self._packet = True
        self.hands[seat].append(ANY)
        self.discard.append(card)
        self.size -= 2

    def _turn_began(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002
        self.turn = seat
        self.turns += 1
        self.singles = 0

    def _played(self, seat: int, card: int, arg: int) -> None:
        self.before = (self.color, self.ok, seat)
        for _ in range(2 if arg & DOUBLE else 1):
            self._lose(seat, card)
            self._lay(card, arg & 7)

    def _dumped(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002
        self._lose(seat, card)
        self._lay(card)

    def _matched_card(self, seat: int, card: int, arg: int) -> None:
        self._lose(seat, card)
        on = self._matched.setdefault(arg & PLACE, [])
        on.append(card)
        self.singles += (arg & IN_COLOR > 0) * (1 if len(on) == 1 else -1)

    def _take_matched(self) -> None:
        """The stacks of a turn's matches go to the discard pile."""
        for place in sorted(self._matched):
            self.discard += [self.row[place], *self._matched[place]]
        self.row = [card for place, card in enumerate(self.row) if place not in self._matched]
        self._matched = {}

    def _drew(self, seat: int, card: int, arg: int) -> None:
        if arg == DrawReason.TURN:
            self._rule_out(seat, self._unfitting())
        self._shown = self._shown + 1 if arg == DrawReason.WHEEL else 0
        known = self._take_off() or card
        self.hands[seat].append(BIT[known] if known else ANY)

    def _kept(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002
        if not self._stop:
            self._rule_out(seat, self._unfitting(), slice(-1, None))
            return
        hand, stop, drawn = self.hands[seat], self._stop, self._shown
        self._stop = self._shown = 0
        ended = arg in (STOPPED_BY_COLOR, STOPPED_BY_WILD)
        for place in range(len(hand) - drawn, len(hand) - ended):
            hand[place] &= ~stop
        if ended and drawn:
            hand[-1] &= stop if arg == STOPPED_BY_COLOR else WILDS

    def _pass_by(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002
        self.passes = self.passes + 1 if self.passed == self.turns - 1 else 1
        self.passed = self.turns

    def _placed(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002
        self._lose(seat, card)
        self.row.append(card)

    def _reshuffled(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002
        """The discards are the draw pile now, but for the top where one lies; at the start all go back."""
        kept = self.discard[-1:] if self.turns and not self.dos else []
        self.bottom = self.discard[-2::-1] if self._flips and self.turns and not self.loose else []
        self.discard = kept
        self.loose = []
        self.size = arg
        if self._packet:
            self._packet = False
        elif not self.turns:
            self.color, self.ok = 0, EVERYTHING

    def _hand_shown(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002
        if card:
            self._shown = self._shown + 1 if self._last == EventKind.HAND_SHOWN else 1
            self.hands[seat][self._shown - 1] = BIT[card]

    def _war_shown(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002
        hand, bit = self.hands[seat], BIT[card]
        if bit not in hand:
            able = [(mask.bit_count(), place) for place, mask in enumerate(hand) if mask & bit]
            if able:
                hand[min(able)[1]] = bit

    def _spun(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002
        self._stop = DRAWS_TO.get(arg, 0)
        self._shown = 0

    def _discarded(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002
        self._lose(seat, card)
        if self._under:
            self.discard.insert(0, card)
        else:
            self._lay(card)

    def _traded(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002
        """Every hand goes one seat to the left; of its own old one a seat remembers what it drew."""
        there = [seat for seat in range(len(self.hands)) if seat not in self.out]
        hands = [self.hands[seat] for seat in there]
        for seat_, hand in zip(there, (hands[-1], *hands[:-1]), strict=True):
            self.hands[seat_] = hand
        self._free.clear()

    def _forfeited(self, seat: int, card: int, arg: int) -> None:  # noqa: ARG002
        self.out.append(seat)
        if self.discard or self.dos:
            self.loose += self.hands[seat]
        else:
            self.size += len(self.hands[seat])
            self.bottom = []
        self.hands[seat] = []


# A match is not over while these follow each other.
AMID_MATCHES: Final = frozenset((EventKind.MATCHED, EventKind.DREW, EventKind.RESHUFFLED))

SEE: Final[dict[int, Handler]] = {
    EventKind.ROUND_START: Memory._round_start,
    EventKind.DEALT: Memory._dealt,
    EventKind.TURNED_UP: Memory._turned_up,
    EventKind.COLOR_NAMED: Memory._color_named,
    EventKind.DRAFTED: Memory._drafted,
    EventKind.TURN: Memory._turn_began,
    EventKind.PLAYED: Memory._played,
    EventKind.MATCHED: Memory._matched_card,
    EventKind.DUMPED: Memory._dumped,
    EventKind.DREW: Memory._drew,
    EventKind.KEPT: Memory._kept,
    EventKind.PASSED: Memory._pass_by,
    EventKind.PLACED: Memory._placed,
    EventKind.REFILLED: Memory._refilled,
    EventKind.RESHUFFLED: Memory._reshuffled,
    EventKind.HAND_SHOWN: Memory._hand_shown,
    EventKind.SPUN: Memory._spun,
    EventKind.DISCARDED: Memory._discarded,
    EventKind.TRADED: Memory._traded,
    EventKind.WAR_SHOWN: Memory._war_shown,
    EventKind.FORFEITED: Memory._forfeited,
}
