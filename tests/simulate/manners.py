"""How a simulated bot behaves; each number is a probability a decision unless it says seconds."""

from dataclasses import dataclass, fields, replace
from random import Random
from typing import Final

from referee.orders import ALWAYS, ASK, NEVER


@dataclass(frozen=True, slots=True)
class Manners:
    """A kind of bot.

    Attributes:
        think_s: least and most seconds of an ordinary thought.
        ponder: a long thought, within the decision's own time.
        brood: a thought that takes most of the bank, once a round.
        twice: the answer is sent twice.
        stale: an answer that was given before is sent again.
        foreign: an answer to a round that is not its own.
        garbage: bytes that are no message.
        silent: no answer at all.
        slow: an answer long after its time.
        illegal: an answer that is not among the options.
        malformed: an answer with a colour that does not exist.
        fickle: asked again, it may answer differently.
        moody: it draws new standing orders for every stream.
        backoff_s: first and longest wait before it dials again.
        nonce: `good`, `late`, `malformed` or `none`.
        batch_s: answers gather for so many seconds; 0 = each goes at once.
        max_games, max_open: of its Hello.
        orders: catch, challenge, late_call.
    """

    think_s: tuple[float, float] = (0.001, 0.02)
    ponder: float = 0.0
    brood: float = 0.0
    twice: float = 0.0
    stale: float = 0.0
    foreign: float = 0.0
    garbage: float = 0.0
    silent: float = 0.0
    slow: float = 0.0
    illegal: float = 0.0
    malformed: float = 0.0
    fickle: bool = False
    moody: bool = False
    backoff_s: tuple[float, float] = (0.05, 1.0)
    nonce: str = "good"
    batch_s: float = 0.0
    max_games: int = 4
    max_open: int = 4
    orders: tuple[int, int, int] = (NEVER, NEVER, NEVER)

    def __str__(self) -> str:
        changed = {one.name: getattr(self, one.name) for one in fields(self) if getattr(self, one.name) != one.default}
        return ", ".join(f"{name} {value}" for name, value in changed.items()) or "steady"

    @property
    def blameless(self) -> bool:
        """Whether it does nothing that could cost it a fault."""
        return not (self.silent or self.slow or self.illegal or self.malformed)

    @property
    def steady(self) -> bool:
        """Whether it plays the same whatever happens around it."""
        return self.blameless and not self.fickle and not self.moody and self.nonce == "good"


STEADY: Final = Manners()
KINDS: Final[tuple[Manners, ...]] = (
    STEADY,
    replace(STEADY, ponder=0.04),
    replace(STEADY, twice=0.2, stale=0.1, foreign=0.05, garbage=0.02),
    replace(STEADY, fickle=True, ponder=0.02),
    replace(STEADY, fickle=True, twice=0.2),
    replace(STEADY, brood=0.08),
    replace(STEADY, moody=True),
    replace(STEADY, moody=True, fickle=True, brood=0.04),
    replace(STEADY, silent=0.02),
    replace(STEADY, slow=0.02),
    replace(STEADY, illegal=0.02, malformed=0.01),
    replace(STEADY, nonce="late"),
    replace(STEADY, nonce="malformed"),
    replace(STEADY, nonce="none", fickle=True),
)
WEIGHTS: Final = (6, 3, 3, 5, 3, 5, 3, 3, 1, 1, 1, 1, 1, 1)


def draw(chance: Random) -> Manners:
    """Return the manners of a bot."""
    (kind,) = chance.choices(KINDS, WEIGHTS)
    return replace(
        kind,
        think_s=chance.choice(((0.001, 0.01), (0.002, 0.05), (0.01, 0.15))),
        backoff_s=chance.choice(((0.05, 1.0), (0.05, 1.0), (0.5, 4.0))),
        batch_s=chance.choice((0.0, 0.0, 0.003)),
        max_games=chance.choice((1, 2, 4, 8)),
        max_open=chance.choice((1, 2, 4)),
        orders=draw_orders(chance),
    )


def draw_orders(chance: Random) -> tuple[int, int, int]:
    """Return standing orders."""
    return chance.choice(((NEVER, NEVER, NEVER), (ALWAYS, ALWAYS, ALWAYS), (ASK, ASK, ASK), (ASK, NEVER, ALWAYS)))
