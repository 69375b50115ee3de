"""Who is asked what in a round: decisions of one seat, sealed windows of several, and what an answer must be.

`seat` and `kind` are the seat that is asked and what, while one seat is asked and no window is open; `seat` is
-1 otherwise. That is the usual case and the fast path. `asked` is right always.
"""

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar, TypeAlias

from mypy_extensions import mypyc_attr

from referee.rules.chance import Chance
from referee.rules.columns import Columns
from referee.rules.errors import IllegalAnswerError
from referee.rules.events import ASKED, TURN
from referee.rules.options import Rules
from referee.rules.piles import Piles
from referee.rules.scoring import RoundEnd
from referee.rules.vocabulary import DecisionKind

Picks: TypeAlias = int | tuple[int, ...]
Answer: TypeAlias = tuple[Picks, bool, int]  # picks, call, colour 0-4
Codes: TypeAlias = tuple[int, ...]  # the options picked
Sealed: TypeAlias = tuple[Codes, bool, int]

NO_SEATS: dict[int, DecisionKind] = {}


@mypyc_attr(allow_interpreted_subclasses=True)
class Decisions(Piles):
    """Seats and piles with the decision that is open."""

    TURN_KIND: ClassVar[DecisionKind] = DecisionKind.TURN

    __slots__ = (
        "_codes",
        "_sealed",
        "_then",
        "_window",
        "_window_of",
        "acts",
        "asked_at",
        "bonus",
        "drawn",
        "kind",
        "pending",
        "result",
        "seat",
        "subject",
        "turn",
        "turns",
    )

    pending: int  # cards owed by whoever takes them
    drawn: int  # the card under PLAY_DRAWN, or shown under DRAFT_PICK; has no meaning elsewhere
    bonus: int  # DOS: bonus cards to place
    turn: int  # the seat whose turn it is
    turns: int  # turns begun
    acts: int  # answers applied, also forced ones, and seats that left
    asked_at: int  # id of what is open now in this round; grows, and says nothing that is hidden
    seat: int
    kind: DecisionKind
    subject: int  # whom an open window is about
    result: RoundEnd | None
    _codes: Any  # cached options of `seat`, bytes or a sequence by game; empty = not listed yet
    _window: dict[int, DecisionKind]  # a sealed window: whose answer is missing
    _window_of: DecisionKind
    _sealed: dict[int, Sealed]
    _then: tuple[str, tuple[int, ...]]  # method and arguments to go on with when a window is closed

    def _clear(self, rules: Rules, chance: Chance, dealer: int, out: Sequence[int]) -> None:
        super()._clear(rules, chance, dealer, out)
        self.pending = self.drawn = self.bonus = 0
        self.turn = self.ring[dealer]
        self.turns = self.acts = self.asked_at = 0
        self.seat = self.subject = -1
        self.kind = self._window_of = self.TURN_KIND
        self.result = None
        self._codes = b""
        self._window = NO_SEATS
        self._sealed = {}
        self._then = ("", ())

    # -- what a game says -------------------------------------------------------------------------------------------

    @abstractmethod
    def _list(self, seat: int, kind: DecisionKind) -> Sequence[int]:
        """The options of this seat in this decision, in canonical order. Empty only where no pick at all is legal."""

    @abstractmethod
    def _act(self, seat: int, codes: Codes, call: bool, color: int) -> None:  # noqa: FBT001  (an answer is three values)
        """Acts on the answer of the one seat that is asked. It is legal, and `acts` counts it already."""

    @abstractmethod
    def _settle(self, kind: DecisionKind) -> None:
        """Acts on `_sealed`: the window is closed. `kind` is what it was opened with."""

    @abstractmethod
    def _limit_reached(self) -> None:
        """Another turn would be one too many: the round ends."""

    @abstractmethod
    def default(self, seat: int) -> Answer:
        """The answer of a seat that gives none; always legal."""

    @abstractmethod
    def columns(self, seat: int) -> Columns:
        """The options of an asked seat as columns of enum values."""

    def picks(self, seat: int) -> tuple[int, int]:  # noqa: ARG002  (list decisions say more)
        """Fewest and most picks of a legal answer."""
        return 1, 1

    def _compose(self, seat: int, codes: Codes, color: int) -> None:
        """Raises IllegalAnswerError unless these picks, each of them listed, go together."""

    # -- asking and answering ---------------------------------------------------------------------------------------

    @property
    def asked(self) -> dict[int, DecisionKind]:
        """Seats whose answer is missing, and to what; {} when the round is over. Not to be changed."""
        return ASKED[self.kind][self.seat] if self.seat >= 0 else self._window

    def options(self, seat: int) -> Sequence[int]:
        """The options of an asked seat, in canonical order.

        Raises:
            IllegalAnswerError: nothing is asked of this seat.
        """
        if seat == self.seat:
            codes: Sequence[int] = self._codes
            if not codes:
                self._codes = codes = self._list(seat, self.kind)
            return codes
        return self._list(seat, self._kind_of(seat))

    def _kind_of(self, seat: int) -> DecisionKind:
        kind = self.asked.get(seat)
        if kind is None:
            if self.result is not None:
                raise IllegalAnswerError("ROUND_OVER", "the round is over")
            raise IllegalAnswerError("NOT_ASKED", f"nothing is asked of seat {seat}; asked are {sorted(self.asked)}")
        return kind

    def forced(self, seat: int) -> bool:
        """True if the seat has exactly one legal answer (but for the call): the default."""
        options = self.options(seat)
        return not options or (len(options) == 1 and self.picks(seat) == (1, 1))

    def apply(self, seat: int, picks: Picks, call: bool = False, color: int = 0) -> None:  # noqa: FBT001, FBT002
        """Answers the open decision of a seat; in a sealed window the answer is kept until all are in.

        Args:
            seat: an asked seat.
            picks: an index into its options, or several, in order.
            call: the UNO or DOS call; counts where the act leaves the calling number of cards.
            color: 1-4 where a list of picks ends in a wild; ignored where none is needed.

        Raises:
            IllegalAnswerError: not a legal answer; nothing has changed.
        """
        codes = self._picked(seat, picks, color)
        self.acts += 1
        if seat == self.seat:
            self._act(seat, codes, call, color)
            return
        del self._window[seat]
        self._sealed[seat] = (codes, call, color)
        if not self._window:
            self._settle(self._window_of)

    def _picked(self, seat: int, picks: Picks, color: int) -> Codes:
        """The options picked, if that is a legal answer."""
        options = self.options(seat)
        indices = (picks,) if isinstance(picks, int) else picks
        least, most = self.picks(seat)
        if not least <= len(indices) <= most or len(set(indices)) != len(indices):
            raise IllegalAnswerError("BAD_PICKS", f"{len(indices)} picks; give {least} to {most} different ones")
        if not all(0 <= index < len(options) for index in indices):
            raise IllegalAnswerError("NO_SUCH_OPTION", f"pick {list(indices)} is not below {len(options)}")
        codes = tuple(options[index] for index in indices)
        self._compose(seat, codes, color)
        return codes

    def _ask(self, seat: int, kind: DecisionKind) -> None:
        """Opens a decision of one seat."""
        self.seat = seat
        self.kind = kind
        self._number()
        self._codes = b""

    def _number(self) -> None:
        """Gives what is opened its id: from the events so far, which everybody can count.

        The number of answers would tell who was asked what: whether a drawn card could be played, for one.
        """
        self.asked_at = max(len(self.events), self.asked_at + 1)

    def _begin_turn(self, seat: int) -> None:
        """The next turn, unless the limit is reached."""
        if self._count_turn(seat):
            self._ask(seat, self.TURN_KIND)

    def _count_turn(self, seat: int) -> bool:
        """Counts a turn of this seat; False if the limit ends the round instead (D 7)."""
        if self.turns >= self.facts.limit:
            self._limit_reached()
            return False
        self.turns += 1
        self.turn = seat
        self.events += TURN[self.dir][seat]
        return True

    def _open_window(self, kind: DecisionKind, asked: dict[int, DecisionKind]) -> None:
        """Asks several seats at once; `_settle(kind)` follows when all have answered."""
        self.seat = -1
        self._number()
        self._codes = b""
        self._window = asked
        self._window_of = kind
        self._sealed = {}

    def _first(self, reacting: Sequence[int]) -> int:
        """The one of the reacting seats that counts; an order is used only where two or more react (D 21)."""
        if len(reacting) == 1:
            return reacting[0]
        return next(seat for seat in self.chance.order(self.n, reacting) if seat in reacting)

    def _go_on(self) -> None:
        """Continues with what was put off until a window is closed."""
        name, arguments = self._then
        getattr(self, name)(*arguments)
