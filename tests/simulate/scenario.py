"""What a seed stands for: who plays what on how many referees, and what goes wrong when."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Final

from referee.formats import get
from tests.simulate.manners import Manners, draw

FORMATS: Final = (
    "uno-classic-2-fast",
    "uno-classic-2-fast",
    "uno-house-2-fast",
    "uno-house-3-fast",
    "uno-official-3-fast",
    "dos-2-fast",
    "uno-classic-2",
    "spin-2-fast",
    "duo-fast",
)
WRITES_BETWEEN: Final = 60
SECONDS_BETWEEN: Final = 1.0
LONGEST_NAP_S: Final = 2.9
"""A referee that stands still for longer loses its lease."""


class Kind(Enum):
    """What can go wrong."""

    KILL = "kill"
    KILL_IN_STALL = "stall the store and kill"
    PARTITION = "part from the store"
    FREEZE = "freeze"
    DRAIN = "drain"
    STALL = "stall the store"
    RESTART = "restart the store"
    CUT_LOG = "cut the log connection"
    DRAIN_IN_OUTAGE = "restart the store and drain"
    SKEW = "move the wall clock"
    SKEW_AND_KILL = "move the wall clock and kill"
    SKEW_AND_DRAIN = "move the wall clock and drain"
    STORE_SKEW = "move the store's clock"
    BOT_CUT = "cut a bot"
    BOT_CUT_IN_OUTAGE = "restart the store and cut a bot"
    BOT_HALF_OPEN = "cut a bot silently"
    BOT_FORGETS = "restart a bot"
    BOT_TWICE = "dial twice"
    BOT_AWAY = "take a bot away"
    BOT_DEAF = "stop reading"
    BOT_ORDERS = "change standing orders"
    VOID = "void a match"
    BOT_DROPS = "take the format out of a bot's Hello"


WEIGHTS: Final[dict[Kind, int]] = {
    Kind.KILL: 10,
    Kind.KILL_IN_STALL: 8,
    Kind.PARTITION: 4,
    Kind.FREEZE: 8,
    Kind.DRAIN: 5,
    Kind.STALL: 4,
    Kind.RESTART: 4,
    Kind.CUT_LOG: 5,
    Kind.DRAIN_IN_OUTAGE: 2,
    Kind.SKEW: 1,
    Kind.SKEW_AND_KILL: 2,
    Kind.SKEW_AND_DRAIN: 2,
    Kind.STORE_SKEW: 1,
    Kind.BOT_CUT: 4,
    Kind.BOT_CUT_IN_OUTAGE: 3,
    Kind.BOT_HALF_OPEN: 2,
    Kind.BOT_FORGETS: 3,
    Kind.BOT_TWICE: 2,
    Kind.BOT_AWAY: 1,
    Kind.BOT_DEAF: 1,
    Kind.BOT_ORDERS: 2,
    Kind.VOID: 1,
    Kind.BOT_DROPS: 0,  # on request only, so that seeds stay the runs that they are
}


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that goes wrong, some time after the one before it.

    Attributes:
        writes: so many writes to logs later; games go on then.
        seconds: so many virtual seconds later, if it does not wait for writes.
        kind: what.
        target: which referee, bot or match, modulo their number.
        size: seconds that it lasts, where it lasts.
        steps: a kill happens so many steps of the process later.
    """

    writes: int
    seconds: float
    kind: Kind
    target: int
    size: float
    steps: int

    def __str__(self) -> str:
        when = f"{self.writes} writes" if self.writes else f"{self.seconds:.3f} s"
        return f"after {when}: {self.kind.value} #{self.target} for {self.size:.3f} s, {self.steps} steps"


@dataclass(frozen=True, slots=True)
class Scenario:
    """A run.

    Attributes:
        format_name: what is played.
        slots: referees; each bot has a process at each of them.
        bots: their manners.
        matches: entrants by bot number, and meetings.
        in_tournament: whether the deals come from a tournament's seed.
        absent_s: seconds without a session after which a bot forfeits.
        loss: probability that a request to the store, or its reply, is lost.
        old: whether the matches were planned a minute ago.
        faults: one after the other.
    """

    seed: int
    format_name: str
    slots: int
    bots: tuple[Manners, ...]
    matches: tuple[tuple[tuple[int, ...], int], ...]
    in_tournament: bool
    absent_s: float
    loss: float
    old: bool
    faults: tuple[Fault, ...]

    def __str__(self) -> str:
        where = "tournament" if self.in_tournament else "ladder"
        age = ", old matches" if self.old else ""
        lines = [f"seed {self.seed}: {self.format_name}, {self.slots} referees, {where}{age}"]
        lines += [f"  absent after {self.absent_s} s, loss {self.loss}"]
        lines += [f"  bot {number}: {manners}" for number, manners in enumerate(self.bots)]
        lines += [f"  match {number}: bots {who}, {count} meetings" for number, (who, count) in enumerate(self.matches)]
        lines += [f"  {fault}" for fault in self.faults]
        return "\n".join(lines)


def scenario(seed: int, kinds: Iterable[Kind] = ()) -> Scenario:
    """Return the run that a seed stands for; with `kinds`, one in which these alone go wrong, and do."""
    chance = Random(f"scenario {seed}")
    format_name = chance.choice(FORMATS)
    seats = get(format_name).seats
    bots = tuple(draw(chance) for _ in range(seats + chance.choice((0, 0, 1))))
    matches = tuple(
        (tuple(chance.sample(range(len(bots)), seats)), 1 if chance.random() < 0.8 else 2)
        for _ in range(chance.choice((1, 2, 2, 3, 4)))
    )
    return Scenario(
        seed=seed,
        format_name=format_name,
        slots=chance.choice((1, 1, 2, 2, 3)),
        bots=bots,
        matches=matches,
        in_tournament=chance.random() < 0.5,
        absent_s=chance.choice((6.5, 8.0, 20.0)),
        loss=chance.choice((0.0, 0.0, 0.0, 0.01, 0.05)),
        old=chance.random() < 0.5,
        faults=_faults(chance, dict.fromkeys(kinds, 1) or WEIGHTS),
    )


def empty() -> Scenario:
    """Return the run in which one referee has nothing to do."""
    return Scenario(
        seed=0, format_name=FORMATS[0], slots=1, bots=(), matches=(), in_tournament=False, absent_s=20.0, loss=0.0,
        old=False, faults=(),
    )  # fmt: skip


def _faults(chance: Random, weights: dict[Kind, int]) -> tuple[Fault, ...]:
    count = chance.choice((0 if weights is WEIGHTS else 1, 1, 2, 2, 3, 3, 4, 5, 6, 8))
    kinds = chance.choices(list(weights), list(weights.values()), k=count)
    return tuple(_fault(chance, kind) for kind in kinds)


def _fault(chance: Random, kind: Kind) -> Fault:
    size = chance.choice((chance.uniform(0.02, 0.3), chance.uniform(0.3, 2.8), chance.uniform(2.8, 7.0)))
    if kind is Kind.FREEZE and chance.random() < 0.6:
        size = chance.uniform(0.3, LONGEST_NAP_S)
    if kind is Kind.BOT_AWAY:
        size = chance.choice((1.0, 12.0, 30.0))
    writes = chance.randrange(1, WRITES_BETWEEN) if chance.random() < 0.6 else 0
    seconds = chance.choice((chance.uniform(0.0, 0.1), chance.uniform(0.0, SECONDS_BETWEEN)))
    return Fault(writes, seconds, kind, chance.randrange(60), size, chance.randrange(400))
