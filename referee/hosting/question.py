"""A question of another host, put to a session here: encoded there, its clock measured here."""

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from referee.clock import ClockRule
from referee.rules.round import Picks

if TYPE_CHECKING:
    from referee.hosting.lane import Lane
    from referee.hosting.sessions import Session

CLOSED: Final = -1


class Allowance:
    """How long a question may be open, as its host said: milliseconds."""

    __slots__ = ("_ms", "rule")

    def __init__(self, decision_ms: int, allowance_ms: int) -> None:
        self.rule = ClockRule(decision_ms=decision_ms)
        self._ms = allowance_ms

    def allowance_ms(self) -> int:
        """Milliseconds after which it is late."""
        return self._ms


@lru_cache(4_096)
def allowance(decision_ms: int, allowance_ms: int) -> Allowance:
    """Return how long a question may be open; the same few come again and again."""
    return Allowance(decision_ms, allowance_ms)


class Question:
    """The newest question of a round that is hosted elsewhere.

    It stands beside the seats of this referee in the open and waiting questions of a session.

    Attributes:
        session: who is asked; None: the session is gone.
        lane: where it came from.
        handle: round handle.
        act: decision id, or CLOSED.
        clock: when it is late.
        carried: nothing: its host has taken it from the time that it grants.
        given_back: seconds of it that were ours and are off its clock.
        released: always; what is not in the log does not leave its host.
        started: loop time at which it was handed to the transport, 0.0 = not yet.
        suspect: a first look found it late; the next look decides.
        last_act, last_answer: as of a seat.
        repeated: its host was asked whether the answer counts.
    """

    __slots__ = (
        "act",
        "clock",
        "given_back",
        "handle",
        "lane",
        "last_act",
        "last_answer",
        "repeated",
        "session",
        "started",
        "suspect",
        "turn",
    )

    carried: Final = 0.0
    released: Final = True

    def __init__(self, lane: "Lane", handle: int, act: int, clock: Allowance, turn: bytes) -> None:
        self.session: Session | None = lane.session
        self.lane = lane
        self.handle = handle
        self.act = act
        self.clock = clock
        self.turn = turn
        self.started = self.given_back = 0.0
        self.suspect = False
        self.last_act = CLOSED
        self.last_answer: tuple[Picks, int] | None = None
        self.repeated = False

    def offer(self, now: float) -> None:
        """Send it, or have it wait for room."""
        session = self.session
        if session is None or self.act < 0:
            return
        if len(session.open) >= session.greeting.max_open:
            session.waiting.append(self)
            return
        session.open[self] = None
        session.push(self.turn, self, now)

    def close(self, answer: tuple[Picks, int] | None = None) -> None:
        """Take no further answer; `answer` is the one that counts."""
        self.last_act, self.last_answer, self.act = self.act, answer, CLOSED

    def elapsed_ms(self, now: float) -> int:
        """Milliseconds since it was handed to the transport."""
        return max(0, int((now - self.started) * 1000)) if self.started else 0

    @property
    def given_back_ms(self) -> int:
        """Milliseconds of it that were ours."""
        return round(self.given_back * 1000)
