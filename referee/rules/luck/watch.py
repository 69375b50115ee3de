"""Games whose rounds keep an account of their chance."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from referee.rules.chance import Chance, ChanceSource
from referee.rules.game import Game
from referee.rules.luck.account import Account
from referee.rules.luck.dos import DosWatch
from referee.rules.luck.duo import DuoWatch
from referee.rules.luck.spin import SpinWatch
from referee.rules.luck.stock import Watch
from referee.rules.luck.uno import UnoWatch
from referee.rules.options import Rules
from referee.rules.round import Round

WATCHES: Final[dict[str, type[Watch]]] = {watch.GAME: watch for watch in (UnoWatch, SpinWatch, DosWatch, DuoWatch)}


@lru_cache(maxsize=16)
def watched(kind: type[Round]) -> type[Round]:
    """The same game, whose rounds keep an account in `luck`; `account_of` gives it."""
    watch = WATCHES[kind.GAME]

    class Watched(watch):  # type: ignore[valid-type, misc]
        """A round with an account of its chance."""

        __slots__ = ("luck",)

        def _clear(self, rules: Rules, chance: Chance, dealer: int, out: Sequence[int]) -> None:
            super()._clear(rules, chance, dealer, out)
            self.luck = Account(self.n)

    return Watched


def account_of(round_: Round) -> Account:
    """The account of a watched round."""
    watched_round: Any = round_
    account: Account = watched_round.luck
    return account


def terms_of(rules: Rules) -> tuple[str, ...]:
    """The terms that the game of a ruleset has, in the order of every list of values."""
    return WATCHES[rules.game].TERMS


class WatchedGame(Game):
    """A game whose rounds are watched: play it like any other."""

    __slots__ = ()

    def prepare(self, rules: Rules, chance: ChanceSource) -> None:
        """A game without a round yet."""
        super().prepare(rules, chance)
        self.kind = watched(self.kind)
