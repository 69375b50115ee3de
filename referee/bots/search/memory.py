"""What a seat can know of the cards that it does not see, from the events of its round and nothing else.

A hidden card is a mask of the faces that it may be: bit c for face c. A card that was shown is one bit; what a seat
held when it drew, instead of playing, is most likely nothing that fitted.
"""

from lastcard.turn import Turn
from referee.bots.search.seeing import AMID_MATCHES, SEE, UNKNOWN, Seen
from referee.rules.cards import BIT, COLOR_OF, DOS_NAMES
from referee.rules.dos.matching import SINGLES
from referee.rules.games import GAMES
from referee.rules.options import Rules
from referee.rules.uno.codes import EVERYTHING, matching


def is_known(mask: int) -> bool:
    """Whether only one face is left, as where a card was shown."""
    return not mask & (mask - 1)


class Memory:
    """The round as its events tell it to one seat. What each event changes is in `seeing`.

    Attributes:
        matches: whether cards are matched with a row, as in DOS.
        flips, under: options of Duo and Spin: discards are turned over unshuffled; the wheel's go under the pile.
        dealer: who dealt.
        hands: by seat, its cards as masks. Those of the seat itself are not kept well: it sees its hand.
        discard: faces of the discard pile, the top last.
        loose: masks of cards that lie under it: hands of leavers.
        bottom: faces known to lie at the bottom of the draw pile, the lowest first.
        size: cards in the draw pile.
        row: DOS: the cards in the middle.
        on_row: DOS: what was put on them in this turn, by place.
        singles: DOS: single matches of colour in this turn.
        packet: Duo: the discards are those of the draft.
        out: seats that left, in order.
        turns: turns begun.
        passes, passed: turns in a row that were passed, the last of them with this number.
        color, ok: colour in force, and mask of the faces that fit.
        before: both as they were before the last play, and the seat that made it.
        stop: Spin: the faces at which the draw of the wheel ends, as a mask; 0 if none is under way.
        shown: cards that were shown, or drawn by the wheel, one after the other by now.
        last: the kind of the event before.
    """

    __slots__ = (
        "_free",
        "_seat",
        "before",
        "bottom",
        "color",
        "dealer",
        "discard",
        "flips",
        "hands",
        "last",
        "loose",
        "matches",
        "ok",
        "on_row",
        "out",
        "packet",
        "passed",
        "passes",
        "row",
        "shown",
        "singles",
        "size",
        "stop",
        "turns",
        "under",
    )

    def __init__(self, turn: Turn, rules: Rules, deck: int) -> None:
        """Remember what `turn` tells of a round of these rules; `deck` is the number of cards."""
        self.matches = GAMES[rules.game].NAMES is DOS_NAMES
        self.flips = rules.options.get("recycle") == "FLIP"
        self.under = rules.options.get("wheel_discards") == "UNDER"
        self.hands: list[list[int]] = [[] for _ in range(rules.seats)]
        self.discard: list[int] = []
        self.loose: list[int] = []
        self.bottom: list[int] = []
        self.row: list[int] = []
        self.on_row: dict[int, list[int]] = {}
        self.out: list[int] = []
        self.packet = False
        self.size = deck
        self.dealer = self.turns = self.passes = self.passed = self.color = self.singles = 0
        self.stop = self.shown = self.last = 0
        self.ok = EVERYTHING
        self.before = (0, EVERYTHING, 0)
        self._seat = turn.seat
        self._free: set[int] = set()  # seats that draw although they could play
        self._see_all(turn)

    def _see_all(self, turn: Turn) -> None:
        seen = turn.history
        for event in map(Seen._make, zip(seen.kinds, seen.seats, seen.cards, seen.args, strict=True)):
            if self.on_row and event.kind not in AMID_MATCHES:
                self.take_matched()
            see = SEE.get(event.kind)
            if see is not None:
                see(self, event)
            self.last = event.kind
        self.take_matched()

    def fits(self, turn: Turn) -> bool:
        """Whether all piles are as large as the view says: nothing happened that this memory does not understand."""
        view = turn.view
        piles = (view.draw_pile, view.discard_pile, view.row)
        known = (self.size, len(self.discard) + len(self.loose), bytes(self.row))
        return known == piles and bytes(map(len, self.hands)) == view.counts

    # -- what events do ---------------------------------------------------------------------------------------------

    def lose(self, seat: int, card: int) -> None:
        """A card leaves a hand: the one that is known, else the one of which most is known that it may have been."""
        hand, bit = self.hands[seat], BIT[card]
        able = [(mask.bit_count(), place) for place, mask in enumerate(hand) if mask & bit]
        if able:
            del hand[min(able)[1]]
        elif hand:
            hand.pop()

    def learn(self, seat: int, card: int) -> None:
        """A hand holds this card: one that may be it is known from now on."""
        hand, bit = self.hands[seat], BIT[card]
        able = [(mask.bit_count(), place) for place, mask in enumerate(hand) if mask & bit]
        if able:
            hand[min(able)[1]] = bit

    def rule_out_fitting(self, seat: int, places: slice) -> None:
        """These cards of a hand fitted nothing; a seat that turns out to hold what did is not judged again."""
        if seat in self._free or seat == self._seat:
            return
        hand, barred = self.hands[seat], self._fitting()
        left = [mask & ~barred for mask in hand[places]]
        if all(left):
            hand[places] = [mask if is_known(rest) else rest for mask, rest in zip(hand[places], left, strict=True)]
        else:
            self._free.add(seat)
            self.hands[seat] = [mask if is_known(mask) else UNKNOWN for mask in hand]

    def _fitting(self) -> int:
        """Mask of what would have been played now."""
        if not self.matches:
            return self.ok
        fitting = 0
        for card in self.row:
            fitting |= SINGLES[card]
        return fitting

    def lay(self, card: int, named: int = 0) -> None:
        """A card becomes the top, a wild in the colour that is named."""
        self.discard.append(card)
        self.color = named or COLOR_OF[card]
        self.ok = matching(self.color, card)

    def take_off(self) -> int:
        """The top of the draw pile goes somewhere; returns its face if that is known, else 0."""
        known = self.bottom.pop() if self.size == len(self.bottom) > 0 else 0
        self.size -= 1
        return known

    def take_matched(self) -> None:
        """The stacks of a turn's matches go to the discard pile."""
        for place in sorted(self.on_row):
            self.discard += [self.row[place], *self.on_row[place]]
        self.row = [card for place, card in enumerate(self.row) if place not in self.on_row]
        self.on_row = {}

    def trade(self) -> None:
        """Every hand goes one seat to the left; of its own old one a seat remembers what it drew."""
        there = [seat for seat in range(len(self.hands)) if seat not in self.out]
        hands = [self.hands[seat] for seat in there]
        for seat, hand in zip(there, (hands[-1], *hands[:-1]), strict=True):
            self.hands[seat] = hand
        self._free.clear()
