"""Options that say nothing while another option is as it is, and values that mean the same as another one.

Whoever changes the former means something else; of the latter each would have a ladder of its own. A ruleset may hold
any values; this is for people who write one down.
"""

from dataclasses import dataclass
from typing import Final

from referee.rules.options import OptionValue, Rules

SEATS: Final = "seats"
TEAMS: Final = "team_of"


@dataclass(frozen=True, slots=True)
class Idle:
    """An option that says nothing while `other` has one of `values`, or, with `unless`, none of them.

    `other` is an option, or SEATS. With `still`, an option and a value, it says something all the same.
    """

    option: str
    other: str
    values: tuple[OptionValue, ...]
    unless: bool = False
    still: tuple[str, OptionValue] | None = None

    def holds(self, rules: Rules) -> bool:
        """Whether the option says nothing in these rules; options of other games are no matter."""
        known = {SEATS: rules.seats, **rules.options}
        if self.option not in known or self.other not in known:
            return False
        if self.still is not None and known.get(self.still[0]) == self.still[1]:
            return False
        return (known[self.other] in self.values) is not self.unless


IDLE: Final = (
    Idle("rounds", "target_score", (0,), unless=True),  # conformance: used when target_score is 0
    Idle("max_rounds", "target_score", (0,)),
    Idle("call_penalty", "call_mode", ("OFF",)),
    Idle("late_call", "call_mode", ("OFF", "AUTO")),  # only a window asks for it
    Idle("challenge_guilty_extra", "wd4_enforcement", ("REJECT",)),  # nobody challenges
    Idle("challenge_innocent_extra", "wd4_enforcement", ("REJECT",)),
    Idle("wd4_challengers", "wd4_enforcement", ("REJECT",)),
    Idle("guilty_keeps_turn", "wd4_enforcement", ("REJECT",)),
    Idle("challenge_guilty_extra", "wd4_rule", ("FREE",)),  # nobody is ever guilty
    Idle("guilty_keeps_turn", "wd4_rule", ("FREE",)),
    Idle("wd4_challengers", SEATS, (2,)),  # there is but the next seat
    Idle("start_stacking", "stacking", ("OFF",)),
    Idle("start_stacking", "start_mode", ("NO_FLIP",)),  # no card is turned up
    Idle("start_wild", "start_mode", ("NO_FLIP",)),
    Idle("start_reverse", "start_mode", ("NO_FLIP",)),
    Idle("start_reverse", SEATS, (2,)),  # D 25, D 53
    Idle("points", "scoring", ("CARD_COUNT",), still=("war_ranks", "POINTS")),
    Idle("start_spin_card", "start_mode", ("NO_FLIP",)),
    Idle("stack_any_color", "stacking", ("OFF",)),
    Idle("call_scope", "call_mode", ("OFF", "AUTO")),  # D 35: only the active seat can be fined
    Idle("off_turn_penalty", "call_mode", ("OFF", "AUTO")),
    Idle("off_turn_penalty", "call_scope", ("TURN_END",)),
)


def idle(rules: Rules, option: str) -> Idle | None:
    """Why an option says nothing in these rules; None if it does."""
    return next((row for row in IDLE if row.option == option and row.holds(rules)), None)


SAME: Final[dict[str, tuple[OptionValue, OptionValue]]] = {"draw_until_max": (1, 0)}  # 003 L12: one card either way
"""By option: a value, and the plainer one that means the same."""


def plainly(rules: Rules, option: str) -> OptionValue:
    """The value of an option in these rules as it is to be written: the plainest one that means the same."""
    value = rules.options[option]
    if option == TEAMS and isinstance(value, tuple):
        numbers: dict[int, int] = {}
        return tuple(numbers.setdefault(team, len(numbers)) for team in value)
    other, plain = SAME.get(option, (None, None))
    return plain if other is not None and value == other else value
