"""What a ruleset of Spin means to its rounds."""

from referee.rules.cards import RANK_OF, SKIP, spin_deck
from referee.rules.options import Rules
from referee.rules.uno.codes import COLOR_MASK, WILDS
from referee.rules.uno.facts import UnoFacts


class SpinFacts(UnoFacts):
    """The options of UNO, and those of the wheel."""

    __slots__ = ("by_table", "fights_not", "spins_first", "stops", "under")

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, spin_deck(extra=rules.flag("spin_cards_extra")))
        self.by_table = self.voluntary and not self.doubles  # else options depend on more than the faces held
        self.spins_first = rules.word("start_spin_card") != "NUMBER_ONLY"  # P4; else it is a mere number
        wilds = WILDS if rules.flag("spin_draw_stops_on_wild") else 0
        self.stops = tuple(mask | wilds for mask in COLOR_MASK)  # by colour: what ends a draw of the wheel
        # The cards that take no part in a war: all but numbers (P6), or none (004 L41, read literally).
        numbers_only = rules.word("war_ranks") == "NUMBERS_ONLY"
        self.fights_not = bytes(card for card in range(77) if RANK_OF[card] >= SKIP) if numbers_only else b""
        self.under = rules.word("wheel_discards") == "UNDER"  # discards go under the pile: top and colour stay (D 28)
