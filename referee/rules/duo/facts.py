"""What a ruleset of Duo means to its rounds."""

from referee.rules.cards import duo_deck
from referee.rules.options import Rules
from referee.rules.uno.facts import UnoFacts


class DuoFacts(UnoFacts):
    """The options of the UNO family, and those of draft and dump."""

    __slots__ = ("any_color", "gives_dump", "keeps_turn", "shuffled_in", "turned_over")

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, duo_deck(extra=rules.word("extra_cards") == "AS_WILD"))
        self.low = True  # 001: points count against their seat, and the lower total wins
        self.shuffled_in = rules.word("draft_discards") == "SHUFFLED_IN"
        self.turned_over = rules.word("recycle") == "FLIP"
        self.keeps_turn = rules.flag("guilty_keeps_turn")
        self.any_color = rules.flag("stack_any_color")
        self.gives_dump = rules.word("dump_last_reverse") == "GIVES_DUMP"
