"""A round of UNO Duo."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import ClassVar

from mypy_extensions import mypyc_attr

from referee.rules.calls import FIRST_ACT
from referee.rules.cards import color_letter
from referee.rules.chance import Chance
from referee.rules.columns import Columns
from referee.rules.duo.acts import is_dump, read_dump, write_dump
from referee.rules.duo.codes import COLUMNS, DUMP_COLOR
from referee.rules.duo.draft import PICK_OPTIONS
from referee.rules.duo.dump import DUMPING
from referee.rules.duo.facts import DuoFacts
from referee.rules.duo.start import DuoStart
from referee.rules.errors import InvalidOptionError
from referee.rules.events import NOBODY, event
from referee.rules.options import Rules
from referee.rules.round import Answer, Codes
from referee.rules.uno.codes import COLOR_MASK
from referee.rules.uno.state import PASS_CODE
from referee.rules.vocabulary import DecisionKind, EventKind


@lru_cache(maxsize=256)
def _facts(rules: Rules) -> DuoFacts:
    return DuoFacts(rules)


@mypyc_attr(allow_interpreted_subclasses=True)
class DuoRound(DuoStart):
    """A round of UNO Duo: preset `duo`. The dealer is Player 1, who drafts first."""

    GAME: ClassVar[str] = "duo"
    SEATS: ClassVar[tuple[int, int]] = (2, 2)

    __slots__ = ()

    @classmethod
    def facts_of(cls, rules: Rules) -> DuoFacts:
        """What the ruleset means to a round of Duo."""
        return _facts(rules)

    @classmethod
    def check(cls, rules: Rules) -> None:
        """Raises InvalidOptionError if the draft takes more cards than there are, or leaves none to turn up."""
        facts = cls.facts_of(rules)
        most = (len(facts.deck) - 1) // 4  # a pick takes two cards, and two seats pick
        if facts.hand_size > most:
            raise InvalidOptionError("hand_size", facts.hand_size, f"1 to {most} with {len(facts.deck)} cards")

    def _clear(self, rules: Rules, chance: Chance, dealer: int, out: Sequence[int]) -> None:
        super()._clear(rules, chance, dealer, out)
        self.events = bytearray(event(EventKind.ROUND_START, dealer, 0, self.n))  # nothing is dealt

    # -- options ----------------------------------------------------------------------------------------------------

    def _list(self, seat: int, kind: DecisionKind) -> bytes:
        if kind is DecisionKind.DRAFT_PICK:
            return PICK_OPTIONS
        return super()._list(seat, kind)

    def _turn_options(self, seat: int) -> bytes:
        """Nobody is ever obliged to play: with nothing to draw a seat may pass (D 37)."""
        codes = super()._turn_options(seat)
        return codes if codes[-1] >= FIRST_ACT else codes + PASS_CODE

    def _stackable(self, seat: int) -> int:
        """Mask of the faces that may answer the draw card on top: of any colour, or of its own only."""
        mask = super()._stackable(seat)
        return mask if self.duo.any_color else mask & ~sum(COLOR_MASK) | mask & COLOR_MASK[self.color]

    def columns(self, seat: int) -> Columns:
        """The options of an asked seat as columns of enum values."""
        kind = self.kind if seat == self.seat else self._kind_of(seat)
        return COLUMNS[kind][self.options(seat)]

    # -- answers ----------------------------------------------------------------------------------------------------

    def _act(self, seat: int, codes: Codes, call: bool, color: int) -> None:  # noqa: FBT001  (an answer)
        if self.kind is DecisionKind.DRAFT_PICK:
            self._pick(seat, codes[0])
        elif self.kind in DUMPING and DUMP_COLOR[codes[0]]:
            self._dump(seat, codes, call)
        else:
            super()._act(seat, codes, call, color)

    def _after_bluff(self) -> int:
        """Whose turn it is after a bluff was found out: the challenger's, or still the bluffer's (D 41)."""
        return self.subject if self.duo.keeps_turn else super()._after_bluff()

    def _recycle(self) -> bool:
        """The discards below the top, turned over as they lie (001: the oldest is drawn first), or shuffled."""
        cut = len(self.discard) - self.KEPT_BACK
        if not self.duo.turned_over or cut < 1:
            return super()._recycle()
        self.draw = self.discard[:cut][::-1]
        del self.discard[:cut]
        self._say(EventKind.RESHUFFLED, NOBODY, 0, min(cut, 255))
        return True

    # -- as text ----------------------------------------------------------------------------------------------------

    def read(self, seat: int, act: Mapping[str, object]) -> Answer:
        """The answer that an act in notation means; see `Round.read`."""
        if self._kind_of(seat) not in DUMPING or not is_dump(act):
            return super().read(seat, act)
        return read_dump(self.options(seat), self.dump_right(), self.NAMES, act)

    def write(self, seat: int, answer: Answer) -> dict[str, object]:
        """The act in notation of an answer to the open decision; `read` gives the answer back."""
        picks = answer[0]
        codes = self.options(seat)
        first = codes[picks if isinstance(picks, int) else picks[0]]
        if self._kind_of(seat) in DUMPING and DUMP_COLOR[first]:
            return write_dump(codes, seat, answer)
        return super().write(seat, answer)

    def observe(self) -> dict[str, object]:
        """What Duo has beside hands and piles."""
        return {"dump_right": color_letter(self.dump_right())}
