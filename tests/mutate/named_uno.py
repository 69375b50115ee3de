"""Faults of UNO: cards and their effects, calls, challenges, drawing, the start."""

# ruff: noqa: E501  (rows of code: what stands there, and what is put in its place)

from tests.mutate.mutant import group

EFFECTS = group(
    "uno/effects.py",
    (
        "reverse-of-two-is-nothing",
        "self._begin_turn(self.ring[following] if self.uno.reverse_skips else following)",
        "self._begin_turn(following)",
        "C1: Reverse does nothing with two players",
    ),
    (
        "drawn-wild-draw-four-is-harmless",
        "self.pending += OWED[card] * count\n        self.color",
        "self.pending += OWED[card] * count if self.kind is DecisionKind.TURN else 0\n        self.color",
        "C7: a Wild Draw Four that was drawn makes nobody draw",
    ),
    (
        "bluff-judged-by-the-new-color",
        "self.bluff = not self._honest(seat)",
        "self.bluff = not self.uno.honest(self.masks[seat], COLOR_AFTER[code], MATCH_AFTER[code])",
        "C13: a bluff is judged after the new colour was chosen",
    ),
    (
        "leaver-hands-its-debt-on",
        "            self.pending = 0  # what is owed by a seat that left is dropped (D 16)\n            self._begin_turn(self.ring[self.victim])",
        "            self._pay(self.ring[self.victim])",
        "C14: what a victim that left owed goes to somebody else",
    ),
    (
        "debt-is-paid-twice",
        "        self.take(victim, self.pending, DrawReason.PENALTY)\n        self.pending = 0\n",
        "        self.take(victim, self.pending, DrawReason.PENALTY)\n",
        "C15, F13: pending cards are counted twice",
    ),
    (
        "debt-stays-on-the-card",
        "        self.pending = 0\n        self._begin_turn(self.ring[victim] if self.uno.skips else victim)",
        "        self.pending = OWED[self.discard[-1]] // 4\n        self._begin_turn(self.ring[victim] if self.uno.skips else victim)",
        "C24: a Draw Four on top is owed again though it was paid",
    ),
    (
        "call-asked-of-two-cards",
        "        if len(self.hands[seat]) > 1:\n            self.events += PLAYED[0][seat][code]",
        "        if len(self.hands[seat]) > 2:\n            self.events += PLAYED[0][seat][code]",
        "C19: the call concerns two cards, too",
    ),
    (
        "last-draw-card-ends-nothing",
        "        if not held:\n            self._go_out(seat)",
        "        if not held and not OWED[card]:\n            self._go_out(seat)",
        "C20: a last special card does not end the round",
    ),
    (
        "last-draw-card-owes-nothing",
        "if owed and self.uno.final_draw:",
        "if False:",
        "F19: a last Draw Two or Four ends the round without the draw",
    ),
    (
        "penalty-by-draw-until",
        "self.take(victim, self.pending, DrawReason.PENALTY)",
        "self.take(victim, 1 if self.uno.draws_until else self.pending, DrawReason.PENALTY)",
        "C22: drawing until a card fits gets into the way of a penalty",
    ),
    ("double-skip-skips-one", "if count > 1 and self.live > 2:", "if count > 9 and self.live > 2:", "C28: pairs of actions"),
    ("double-reverse-turns", "        if count == 1:\n            self._turn_round()", "        self._turn_round()", "C28"),
    ("double-draw-owes-once", "OWED[card] * count\n", "OWED[card]\n", "C28: a pair of Draw Twos counts as one"),
    ("skip-skips-nobody", "following = self.ring[self.ring[seat]]", "following = self.ring[seat]", "002 L31"),
    ("turn-is-kept-after-paying", "self.ring[victim] if self.uno.skips else victim", "victim", "C5; 003 L20"),
    ("turn-is-always-lost", "self.ring[victim] if self.uno.skips else victim", "self.ring[victim]", "002 L65-69"),
    ("stacked-four-is-a-bluff", "        self.bluff = False\n        self._say(EventKind.STACKED", "        self.bluff = True\n        self._say(EventKind.STACKED", "a Wild Draw Four in a stack is never a bluff"),
    ("guilty-pays-no-extra", "self.pending + self.uno.guilty_extra", "self.pending", "002 L39"),
    ("guilty-owes-still", "            self.pending = 0\n            self._begin_turn(self._after_bluff())", "            self._begin_turn(self._after_bluff())", "C15"),
    ("innocent-costs-nothing", "self._pay(victim, self.uno.innocent_extra)", "self._pay(victim)", "O1: six"),
    ("third-challenger-pays-the-stack", "self.take(challenger, 4 + self.uno.innocent_extra", "self.take(challenger, self.pending + self.uno.innocent_extra", "D 22"),
    ("third-challenger-pays-no-extra", "4 + self.uno.innocent_extra", "4", "D 22"),
    ("challenge-of-all-settles-nothing", "if challengers and self._challenge(self._first(challengers)):", "if challengers and not self._challenge(self._first(challengers)):", "D 22"),
    ("hand-is-shown-to-all", "self._show(accused, canonical(self.hands[accused]), challenger)", "self._show(accused, canonical(self.hands[accused]), None)", "C29, F22: a hand is shown to seats that may not see it"),
    ("anyone-may-not", "if not self.uno.anyone or not others:", "if True:", "002 L39"),
    ("accused-may-challenge", "seat not in (accused, victim)", "seat != victim", "002 L39"),
    ("two-seats-of-more-is-more", "        if self.live == 2:\n            following = self.ring[seat]", "        if self.n == 2:\n            following = self.ring[seat]", "D 17: two seats means two that are still there"),
)  # fmt: skip

STATE = group(
    "uno/state.py",
    ("draw-from-nothing", "if (self.draw or len(self.discard) > 1) and (facts.voluntary or not codes):", "if facts.voluntary or not codes:", "C3: piles run out, and drawing crashes"),
    ("nobody-may-bluff", "        if mask & W4_BIT and facts.reject and not self._honest(seat):", "        if mask & W4_BIT and not self._honest(seat):", "C30: a bluff can be called, but not made"),
    ("no-going-out-on-a-wild", "mask = self.masks[seat] & self.ok\n", "mask = self.masks[seat] & (self.ok if len(self.hands[seat]) > 1 else self.ok & ~W4_BIT)\n", "C21: the last card may not be a Wild Draw Four"),
    ("drawn-must-be-played", "if self.uno.must_play and (", "if (", "002 L63: it may"),
    ("bluff-is-forced", "if self.uno.must_play and (self.drawn != WILD_DRAW_FOUR or self._honest(seat)):", "if self.uno.must_play:", "D 23: a bluff is never forced"),
    ("two-of-one-card", "for card in self._plays(mask) if hand.count(card) > 1", "for card in self._plays(mask) if hand.count(card) > 0", "F3: a card that is held once is used twice"),
    ("default-plays", "            if code >= FIRST_ACT:\n                return index, False, 0", "            if code >= FIRST_ACT and code != DRAW:\n                return index, False, 0", "A3: the default of a turn is to draw"),
    ("four-on-two", "return self.masks[seat] & (self.uno.stack_draw_two if draw_two else self.uno.stack_draw_four)", "return self.masks[seat] & (self.uno.stack_draw_two | self.uno.stack_draw_four)", "002 L99-113: like on like"),
)  # fmt: skip

ROUND = group(
    "uno/round.py",
    ("drawn-wild-cannot-be-played", "        if self.ok & BIT[card] and (card != WILD_DRAW_FOUR or not facts.reject", "        if self.ok & BIT[card] and card < 53 and (card != WILD_DRAW_FOUR or not facts.reject", "C7: what was drawn may not always be played"),
    ("color-is-lost-by-drawing", "        facts = self.uno\n        hand = self.hands[seat]\n        if facts.draws_until:", "        if self.discard and self.discard[-1] >= 53:\n            self.color = 0\n            self._match(self.discard[-1])\n        facts = self.uno\n        hand = self.hands[seat]\n        if facts.draws_until:", "C11, F14: a wild loses its colour when somebody draws"),
    ("draw-without-end", "        self.events += KEPT[seat]\n        self._begin_turn(self.ring[seat])", "        self.events += KEPT[seat]\n        self._begin_turn(seat)", "C23, F23: who keeps a drawn card draws again"),
    ("first-color-is-lost", "if self.kind is DecisionKind.FIRST_COLOR:\n            self._ask", "if False:\n            self._ask", "C10, F15: a seat leaves before it named the colour, and nobody names one"),
    ("lapse-keeps-the-debt", "        self.pending = 0\n        if self.kind is DecisionKind.FIRST_COLOR:", "        if self.kind is DecisionKind.FIRST_COLOR:", "C14, D 16"),
    ("lapse-jumps-to-the-first-seat", "        else:\n            self._begin_turn(self.ring[seat])\n\n    def _left_window", "        else:\n            self._begin_turn(self.seats_in()[0])\n\n    def _left_window", "C25: a seat leaves, and the turn jumps to the first one"),
    ("one-turn-too-many", "        turns = self.turns\n        if turns >= self.uno.limit:", "        turns = self.turns\n        if turns > self.uno.limit:", "C26: the limit of turns"),
    ("one-turn-too-many-fast", "        if self.turns >= facts.limit:", "        if self.turns > facts.limit:", "C26, on the short way"),
    ("blocked-too-late", "if self.passes >= self.live:", "if self.passes > self.live:", "A3: n passes in a row block the round"),
    ("passes-need-no-row", "self.passes = self.passes + 1 if self.passed == self.turns - 1 else 1", "self.passes = self.passes + 1", "A3: passes in a row"),
    ("draw-until-takes-a-bluff", "if self.ok & BIT[card] and (card != WILD_DRAW_FOUR or self._honest(seat)):\n                return", "if self.ok & BIT[card]:\n                return", "003 L12; D 23"),
    ("fast-forgets-the-debt", "            if not plain:\n                self.pending += OWED[card]\n", "            if not plain:\n", "a Draw Two on the short way"),
    ("nobody-may-bluff-by-table", "if held >= W4_BIT and self.uno.reject and not self._honest(seat):", "if held >= W4_BIT and not self._honest(seat):", "C30, in the table of options"),
    ("drawn-card-is-public", "            events += DREW_IN_TURN[seat]\n", "            drew = DREW_IN_TURN[seat]\n            events += bytes((drew[0], seat, card, drew[3]))\n", "C29, F22: the face of a drawn card goes to everybody"),
    ("challenge-of-who-left", "            self.bluff = False  # a challenge of a seat that left fails (D 16)", "            pass", "D 16"),
    ("hand-larger-than-the-deck", "(9 if facts.flips else 0)", "0", "a deal that leaves no card to turn up"),
)  # fmt: skip

START = group(
    "uno/start.py",
    ("start-on-a-four", "return card != WILD_DRAW_FOUR and (card != WILD or self.uno.wild_chooses)", "return card != WILD or self.uno.wild_chooses", "C9, F21: the first card is a Wild Draw Four"),
    ("start-two-keeps-the-turn", "            self.pending = 2\n", "            self.pending = 0\n            self.take(first, 2, 1)\n            self._begin_turn(first)\n            return\n", "C5: who draws for a turned up Draw Two keeps the turn"),
    ("start-skip-is-nothing", "            self._begin_turn(self.ring[first])\n        elif rank == REVERSE", "            self._begin_turn(first)\n        elif rank == REVERSE", "A2"),
    ("start-wild-asks-the-dealer", "self._ask(first, DecisionKind.FIRST_COLOR)", "self._ask(self.dealer, DecisionKind.FIRST_COLOR)", "A2: left of the dealer"),
    ("start-reverse-turns-nothing", "        self._turn_round()\n        self._begin_turn(self.ring[self.dealer]", "        self._begin_turn(self.ring[self.dealer]", "A2"),
    ("start-reverse-right-always", "self.ring[self.dealer] if self.uno.right_of_dealer else self.dealer", "self.ring[self.dealer]", "A2: O1 against O2"),
    ("put-back-without-a-shuffle", "            self.draw.append(card)\n            self.draw = self.chance.reshuffle(canonical(self.draw))\n", "            self.draw.insert(0, card)\n", "a card put back is followed by a shuffle of the whole pile"),
    ("start-color-is-not-named", "        self.color = color\n        self._match(self.discard[-1])\n        self._say(EventKind.COLOR_NAMED", "        self._match(self.discard[-1])\n        self._say(EventKind.COLOR_NAMED", "C10"),
    ("turned-up-may-be-stacked", "            if self.uno.start_stacking:", "            if True:", "001: a turned up Draw Two may not be answered"),
)  # fmt: skip

FACTS = group(
    "uno/facts.py",
    ("nobody-draws-by-will", 'self.voluntary = options.get("voluntary_draw", True) is True', "self.voluntary = False", "C8: nobody may draw who could play"),
    ("official-color-asks-for-more", "            return not mask & COLOR_MASK[color]\n", "            return not mask & ok & EVERYTHING & ~W4_BIT\n", "O1: only the colour in force counts"),
    ("free-is-not-free", '"FREE": 0,', '"FREE": EVERYTHING & ~W4_BIT,', "wd4_rule"),
    ("wild-forbids-nothing", '"ANY_PLAYABLE": EVERYTHING & ~W4_BIT,', '"ANY_PLAYABLE": EVERYTHING & ~WILDS,', "002 L39: a plain Wild forbids it, too"),
    ("wild-forbids-a-match", '"ANY_MATCH": EVERYTHING & ~WILDS,', '"ANY_MATCH": EVERYTHING & ~W4_BIT,', "003 L22"),
    ("pairs-of-actions", 'RANK_OF[card] < SKIP),\n    "IDENTICAL_ANY"', 'RANK_OF[card] < 13),\n    "IDENTICAL_ANY"', "C28; 002 L75: numbers"),
    ("four-stacks-on-nothing", '"SAME": (DRAW_TWOS, W4_BIT),', '"SAME": (DRAW_TWOS, 0),', "002 L99-113"),
)  # fmt: skip

CODES = group(
    "uno/codes.py",
    ("wild-is-always-red", "        return 1 + (code - NAMED) % 4", "        return 1", "C10: the colour that was named is lost"),
    ("four-on-four-is-refused", "(RANK_MASK[rank] if rank < 13 else 0) | WILDS", "(RANK_MASK[rank] if rank < 13 else 0) | (WILDS if top < WILD else 0)", "C12, F11: a Wild Draw Four on another one is refused"),
    ("rank-matches-nothing", "COLOR_MASK[color] | (RANK_MASK[rank] if rank < 13 else 0)", "COLOR_MASK[color]", "C7: a card of the same number cannot be played"),
    ("draw-four-draws-two", "    4 if card == WILD_DRAW_FOUR else 2", "    2 if card == WILD_DRAW_FOUR else 2", "002 L37"),
)  # fmt: skip

UNO = [*EFFECTS, *STATE, *ROUND, *START, *FACTS, *CODES]
