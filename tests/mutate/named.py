"""All faults that are planted by name."""

from typing import Final

from tests.mutate.mutant import Mutant
from tests.mutate.named_others import DOS, DUO, SPIN
from tests.mutate.named_shared import SHARED
from tests.mutate.named_uno import UNO

NAMED: Final[dict[str, Mutant]] = {mutant.name: mutant for mutant in (*UNO, *SPIN, *DUO, *DOS, *SHARED)}

SMOKE: Final = (
    "reverse-of-two-is-nothing",
    "top-is-shuffled-in",
    "bluff-judged-by-the-new-color",
    "debt-is-paid-twice",
    "payoff-of-two",
    "leaver-takes-its-cards-along",
    "colour-pair-by-pair",
    "draws-lost-at-the-end",
    "war-winner-discards-all",
    "draft-swaps",
)
"""A few of them for the test suite, found out by what is quick."""
