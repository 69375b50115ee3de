"""The shape of a round that all games share: who is asked what, answers, sealed windows, leaving, the end.

A round is one slotted mutable object owned by one table. A game is a subclass. It says how its round starts (`_start`),
which options a decision has (`_list`), what an answer does (`_act`), what a closed window does (`_settle`), and what
becomes of an open decision when a seat leaves (`_lapse`, `_left_window`).

`seat` and `kind` are the seat that is asked and what, while exactly one seat is asked and nothing is sealed; `seat` is
-1 otherwise. That is the usual case and the fast path. `asked` is right always.
"""

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import ClassVar, NamedTuple, Self, TypeAlias

from referee.rules.cards import UNO_NAMES, canonical, mask_of
from referee.rules.chance import Chance
from referee.rules.errors import IllegalAnswerError
from referee.rules.events import ASKED, NOBODY, TURN, rings
from referee.rules.notation import read_option, write_option
from referee.rules.options import Rules
from referee.rules.piles import Piles
from referee.rules.scoring import RoundResult, everybody_adds, round_places, winner_takes
from referee.rules.setup import Setup
from referee.rules.vocabulary import DecisionKind, EventKind, RoundEnding

Picks: TypeAlias = int | tuple[int, ...]
Answer: TypeAlias = tuple[Picks, bool, int]  # picks, call, colour 0-4
Codes: TypeAlias = tuple[int, ...]  # the options picked
Sealed: TypeAlias = tuple[Codes, bool, int]

_NO_SEATS: dict[int, DecisionKind] = {}


class Columns(NamedTuple):
    """The options of a seat as parallel bytes; b"" where all would be zero."""

    act: bytes
    card: bytes
    second: bytes
    color: bytes
    slot: bytes


class Round(Piles):
    """One round of one game; see the module."""

    GAME: ClassVar[str]
    SEATS: ClassVar[tuple[int, int]]  # fewest and most
    NAMES: ClassVar[Mapping[str, int]] = UNO_NAMES  # how cards are written
    TURN_KIND: ClassVar[DecisionKind] = DecisionKind.TURN
    COPIED: ClassVar[tuple[str, ...]] = ()  # all slots, found by __init_subclass__

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
    result: RoundResult | None
    _codes: Sequence[int]  # cached options of `seat`; empty = not listed yet
    _window: dict[int, DecisionKind]  # a sealed window: whose answer is missing
    _window_of: DecisionKind
    _sealed: dict[int, Sealed]
    _then: tuple[str, tuple[int, ...]]  # method and arguments to go on with when a window is closed

    def __init_subclass__(cls) -> None:
        cls.COPIED = tuple(name for base in cls.__mro__ for name in base.__dict__.get("__slots__", ()))

    def __init__(self, rules: Rules, chance: Chance, dealer: int, out: Sequence[int] = ()) -> None:
        self._clear(rules, chance, dealer, out)
        self._deal(chance.deck(self.facts.deck))
        self._open()

    def _clear(self, rules: Rules, chance: Chance, dealer: int, out: Sequence[int]) -> None:
        super()._clear(rules, chance, dealer, out)
        self.pending = self.drawn = self.bonus = 0
        self.turn = self.ring[dealer]
        self.turns = self.acts = self.asked_at = 0
        self.seat = self.subject = -1
        self.kind = self._window_of = self.TURN_KIND
        self.result = None
        self._codes = b""
        self._window = _NO_SEATS
        self._sealed = {}
        self._then = ("", ())

    # -- what a game says -------------------------------------------------------------------------------------------

    @classmethod
    def check(cls, rules: Rules) -> None:
        """Raises InvalidOptionError for options that do not go together (a deal larger than the deck)."""
        raise NotImplementedError

    def _open(self) -> None:
        """What follows the deal: the start rule, unless something comes before it."""
        self._start()

    def _start(self) -> None:
        """The start rule, after the deal: opens the first decision."""
        raise NotImplementedError

    def _list(self, seat: int, kind: DecisionKind) -> Sequence[int]:
        """The options of this seat in this decision, in canonical order. Empty only where no pick at all is legal."""
        raise NotImplementedError

    def _act(self, seat: int, codes: Codes, call: bool, color: int) -> None:  # noqa: FBT001  (an answer is three values)
        """Acts on the answer of the one seat that is asked. It is legal, and `acts` counts it already."""
        raise NotImplementedError

    def _settle(self, kind: DecisionKind) -> None:
        """Acts on `_sealed`: the window is closed. `kind` is what it was opened with."""
        raise NotImplementedError

    def _lapse(self, seat: int) -> None:
        """The one seat that was asked left: its decision lapses, the next seat moves (D 15, D 16, D 18)."""
        raise NotImplementedError

    def _left_window(self, seat: int) -> bool:
        """A seat left while a window is open; True if the window was closed for that (D 16)."""
        raise NotImplementedError

    def default(self, seat: int) -> Answer:
        """The answer of a seat that gives none; always legal."""
        raise NotImplementedError

    def columns(self, seat: int) -> Columns:
        """The options of an asked seat as columns of enum values."""
        raise NotImplementedError

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
            if not self._codes:
                self._codes = self._list(seat, self.kind)
            return self._codes
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

    def _limit_reached(self) -> None:
        self._end(RoundEnding.TURN_LIMIT, None)

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
            self._codes = b""  # what can be drawn may have changed
        else:
            self._window.pop(seat, None)
            self._sealed.pop(seat, None)
            if not self._left_window(seat) and not self._window:
                self._settle(self._window_of)

    def _end(self, ending: RoundEnding, winner: int | None) -> None:
        """The round is over."""
        left = tuple([self.gone[seat] if seat in self.gone else self.worth(seat) for seat in range(self.n)])
        team_of = self.facts.team_of
        points = self._score(ending, winner, left)
        places = round_places(left, winner, self.out, team_of)
        self.result = RoundResult(ending, winner, points, left, places, tuple(self.out))
        self.seat = -1
        self._window = _NO_SEATS
        self._say(EventKind.ROUND_END, NOBODY if winner is None else winner, 0, ending)

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

    @classmethod
    def blank(cls, rules: Rules, chance: Chance, dealer: int) -> Self:
        """A round without cards, to be set up by `place` and started by `begin`."""
        round_ = object.__new__(cls)
        round_._clear(rules, chance, dealer, ())
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

    def observe(self) -> dict[str, object]:
        """What this game has beside hands and piles, in the words of `expect` in scenarios."""
        return {}

    # -- as a whole -------------------------------------------------------------------------------------------------

    def copy(self) -> Self:
        """The same round, independent of this one; chance is copied, too."""
        other = object.__new__(type(self))
        for name in self.COPIED:
            setattr(other, name, getattr(self, name))
        other.chance = self.chance.copy()
        other.hands = [bytearray(hand) for hand in self.hands]
        other.masks = list(self.masks)
        other.draw, other.discard, other.row = bytearray(self.draw), bytearray(self.discard), bytearray(self.row)
        other.events = bytearray(self.events)
        other.private = [list(seen) for seen in self.private]
        other.out, other.gone = list(self.out), dict(self.gone)
        other._window, other._sealed = dict(self._window), dict(self._sealed)
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
