"""What a ruleset of Spin means to its rounds."""

from referee.rules.cards import spin_deck
from referee.rules.options import Rules
from referee.rules.spin.codes import NUMBERS
from referee.rules.spin.tables import AFTER, FOLLOW
from referee.rules.uno.codes import COLOR_MASK, EVERYTHING, WILDS
from referee.rules.uno.facts import UnoFacts


class SpinFacts(UnoFacts):
    """The options of UNO, and those of the wheel."""

    __slots__ = ("fighters", "spins_first", "stops", "under")

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, spin_deck(extra=rules.flag("spin_cards_extra")))
        if self.voluntary and not self.doubles:
            self.follow, self.after = FOLLOW, AFTER
        self.spins_first = rules.word("start_spin_card") == "SPIN"  # P4; else the swirled card is a number
        wilds = WILDS if rules.flag("spin_draw_stops_on_wild") else 0
        self.stops = tuple(mask | wilds for mask in COLOR_MASK)  # by colour: what ends a draw of the wheel
        # The faces that take part in a war: numbers (P6), or all (004 L41, read literally).
        self.fighters = NUMBERS if rules.word("war_ranks") == "NUMBERS_ONLY" else EVERYTHING
        self.under = rules.word("wheel_discards") == "UNDER"  # discards go under the pile: top and colour stay (D 28)
