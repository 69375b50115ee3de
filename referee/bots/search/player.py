"""Who plays every seat of an imagined round."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TypeAlias

from referee.bots.search.family import Family
from referee.bots.search.matcher import Matcher
from referee.rules.games import GAMES
from referee.rules.options import Rules
from referee.rules.round import Answer, Round
from referee.rules.uno.facts import UnoFacts

Player: TypeAlias = Callable[[Round, int, Sequence[int]], Answer]


@lru_cache(maxsize=128)
def player_of(rules: Rules) -> Player:
    """Return what plays rounds of these rules quickly, and not badly."""
    facts = GAMES[rules.game].facts_of(rules)
    return Family(rules, facts) if isinstance(facts, UnoFacts) else Matcher()
