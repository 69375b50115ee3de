"""Time of one seat in one round: arithmetic on logged milliseconds, so that it is the same after a hand-over."""

from dataclasses import dataclass
from typing import Final

LAG_GAIN_MS: Final = 50
LAG_LIMIT_MS: Final = 1_000


@dataclass(frozen=True, slots=True)
class ClockRule:
    """Time control of a format, all in milliseconds.

    Attributes:
        decision_ms: free for every decision.
        bank_ms: for a whole round, used when a decision takes longer.
        round_ms: thinking time of a seat in a round, after which its decisions are defaulted at once.
    """

    decision_ms: int = 5_000
    bank_ms: int = 20_000
    round_ms: int = 600_000


class SeatClock:
    """What is left to one seat in one round."""

    __slots__ = ("bank_ms", "credit_ms", "encoded", "rule", "spent_ms")

    def __init__(self, rule: ClockRule) -> None:
        self.rule = rule
        self.encoded = b""  # what a turn says of it; for whoever writes turns, b"" when it has to be written anew
        self.bank_ms = rule.bank_ms
        self.credit_ms = 0
        self.spent_ms = 0

    def allowance_ms(self) -> int:
        """Milliseconds after which an open decision is late."""
        if self.spent_ms >= self.rule.round_ms:
            return 0
        return self.rule.decision_ms + min(LAG_LIMIT_MS, self.credit_ms + LAG_GAIN_MS) + self.bank_ms

    def charge(self, ms: int) -> None:
        """Book `ms` milliseconds of one decision: lag credit first, then the bank."""
        self.spent_ms += ms
        credit = min(LAG_LIMIT_MS, self.credit_ms + LAG_GAIN_MS)
        over = ms - self.rule.decision_ms
        if over > 0:
            lag = min(over, credit)
            credit -= lag
            self.bank_ms = max(0, self.bank_ms - (over - lag))
            self.encoded = b""
        self.credit_ms = credit
