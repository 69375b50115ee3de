"""What rows must reach and what we are after: the one place for floors and goals."""

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Aim:
    """A ratio.

    Attributes:
        floor: below it the benchmark fails.
        goal: what we are after.
    """

    floor: float
    goal: float


@dataclass(frozen=True, slots=True)
class Limit:
    """A figure with a unit, of which less is better; its row shows the allowed figure over the measured one.

    Attributes:
        most: above it the benchmark fails.
        goal: what we are after.
    """

    most: float
    goal: float

    @property
    def aim(self) -> Aim:
        """The same of the row's ratio."""
        return Aim(1.0, round(self.most / self.goal, 1))


FIT_S: Final = Limit(10, 1)
PLAN_S: Final = Limit(1, 0.05)
IDLE_KIB: Final = Limit(100, 45)
P99_MS: Final = Limit(100, 20)
RESUME_S: Final = Limit(10, 3)

AIMS: Final = {
    "engine": Aim(8, 16),
    "engine_view": Aim(4, 8),
    "referee_2x256": Aim(6, 12),
    "referee_8x64": Aim(4, 10),
    "referee_32x16": Aim(2.5, 5),
    "referee_1": Aim(0.25, 0.5),
    "referee_cpu": Aim(4, 7),
    "log_cost": Aim(0.8, 1.0),
    "rating_2": Aim(0.25, 0.4),
    "tournament": Aim(0.8, 0.95),
    "celery_cpu": Aim(0.95, 0.98),
    "bt_fit": FIT_S.aim,
    "plan_1000": PLAN_S.aim,
    "idle_bot": IDLE_KIB.aim,
    "many_bots": P99_MS.aim,
    "resume": RESUME_S.aim,
}
"""By row; a row that is not here is shown for its figures, and cannot fail."""
