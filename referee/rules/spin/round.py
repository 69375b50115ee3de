"""A round of UNO Spin."""

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

from mypy_extensions import mypyc_attr

from referee.rules.options import Rules
from referee.rules.round import Answer
from referee.rules.spin.acts import read_list, write_list
from referee.rules.spin.facts import SpinFacts
from referee.rules.spin.wheel import Wheel


@lru_cache(maxsize=256)
def _facts(rules: Rules) -> SpinFacts:
    return SpinFacts(rules)


@mypyc_attr(allow_interpreted_subclasses=True)
class SpinRound(Wheel):
    """A round of UNO Spin: preset `spin`."""

    GAME: ClassVar[str] = "spin"

    __slots__ = ()

    @classmethod
    def facts_of(cls, rules: Rules) -> SpinFacts:
        """What the ruleset means to a round of Spin."""
        return _facts(rules)

    def read(self, seat: int, act: Mapping[str, object]) -> Answer:
        """The answer that an act in notation means; see `Round.read`."""
        kind = self._kind_of(seat)
        if kind not in self.LISTS:
            return super().read(seat, act)
        picks, call, color = read_list(kind, self.columns(seat), self.NAMES, act)
        if self.picks(seat) == (1, 1) and isinstance(picks, tuple) and len(picks) == 1:
            picks = picks[0]
        return picks, call, color

    def write(self, seat: int, answer: Answer) -> dict[str, object]:
        """The act in notation of an answer to the open decision; `read` gives the answer back."""
        kind = self._kind_of(seat)
        if kind not in self.LISTS:
            return super().write(seat, answer)
        return write_list(kind, self.columns(seat), seat, answer)
