"""What must hold in every run, whatever goes wrong in it, and the note of a breach."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias


class Invariant(Enum):
    """A promise of the referee; the name is what tables and summaries call it."""

    ENDS = "every match ends: finished, or void or parked by a rule"
    FOLDS = "the log can be replayed, and leads to the result"
    UNDISTURBED = "games of steady bots go as they do when nothing goes wrong"
    BLAMELESS = "nobody pays for what is our fault: no fault, no forfeit, no time"
    SEEN = "nobody sees what the log lacks, and nothing that was seen changes"
    EPOCHS = "epochs grow, entries follow one another, and an epoch has one writer"
    KEPT = "what is logged was answered, and what was acknowledged is logged"
    SEED = "a match has one seed, committed to before the first deal"
    FAREWELL = "who stops says so, and streams end for a reason that is told"
    ALARM = "nothing crashes, and there is no alarm"
    ROOM = "nobody has more rounds at once than its Hello takes, as long as nothing goes wrong"
    REST = "when all is over nothing is left behind"

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Problem:
    """A breach of an invariant.

    Attributes:
        at: virtual time in seconds at which it was noticed.
        invariant: what was broken.
        text: who, where and how.
    """

    at: float
    invariant: Invariant
    text: str

    def __str__(self) -> str:
        return f"{self.at:.6f} s [{self.invariant}] {self.text}"


Complain: TypeAlias = Callable[[Invariant, str], None]
