"""Faults of Spin, Duo and DOS."""

# ruff: noqa: E501  (rows of code: what stands there, and what is put in its place)

from tests.mutate.mutant import group

SPIN = [
    *group(
        "spin/wheel.py",
        ("spin-of-the-player", "            self._spin(self.ring[seat])\n        else:\n            super()._effect", "            self._spin(seat)\n        else:\n            super()._effect", "004 L29: the next seat spins"),
        ("spin-is-no-turn", "if self._count_turn(spinner):", "if self._count_turn(spinner) or True:", "D 7, D 49"),
        ("blue-is-red", "self._draw_to(spinner, Color.BLUE)", "self._draw_to(spinner, Color.RED)", "004 L37"),
        ("color-is-number", "self._ask(spinner, BY_COLOR)", "self._ask(spinner, BY_NUMBER)", "004 L35"),
        ("trade-with-the-direction", "left = self.ring if self.dir > 0 else self.back", "left = self.ring", "004 L47: to the left"),
        ("trade-forgets-the-faces", "            self.masks[left[seat]] = masks[seat]\n", "", "hands and masks"),
        ("trade-tells-the-order", "bytearray(canonical(hands[seat]))", "bytearray(hands[seat])", "the order in which a hand grew"),
        ("almost-uno-of-two", "if len(self.hands[spinner]) > 2:", "if len(self.hands[spinner]) > 1:", "004 L49"),
        ("draw-goes-on", "            if bit & stops:", "            if bit & stops and len(self.hands[seat]) % 2:", "004 L37"),
        ("shout-of-nobody", "            winner = self._first(shouting)", "            winner = shouting[0]", "C16, F16: who answers first wins, not who is first in the seeded order"),
        ("war-winner-discards-all", "codes[:showed]", "codes", "B3: the cards it showed"),
        ("hand-shown-to-the-spinner", "canonical(self.hands[spinner]), None)", "canonical(self.hands[spinner]), spinner)", "004 L45"),
        ("spin-at-the-start-by-the-dealer", "self._spin(self.ring[self.dealer])", "self._spin(self.dealer)", "P4"),
        ("void-war-of-the-winner", "        if winner is None:\n            self._move_on(self.turn)", "        if winner is None:\n            self._move_on(min(orders))", "B3"),
    ),
    *group(
        "spin/war.py",
        ("war-is-never-void", "return War(shown, None)", "return War(shown, min(orders))", "B3: all run out together"),
        ("war-of-the-lowest", "        top = max(points", "        top = min(points", "004 L41"),
        ("all-fight-on", "        tied = [seat for seat in showing if points[orders[seat][depth]] == top]\n        if", "        tied = [seat for seat in showing if points[orders[seat][depth]] == top] or showing\n        if len(showing) > 2 and len(tied) > 1:\n            tied = showing\n        if", "B3: only who ties at the top"),
    ),
    *group(
        "spin/discards.py",
        ("wheel-colour-is-lost", "            self.color = color\n            self._say(EventKind.COLOR_NAMED, seat, 0, color)\n        self._match(cards[-1])", "            self._say(EventKind.COLOR_NAMED, seat, 0, color)\n        self._match(cards[-1])", "F12"),
        ("wild-without-a-colour", "if self._needs_color(kind, codes) and not 0 < color < 5:", "if False:", "F12: a wild without a colour is accepted"),
        ("points-may-rise", "if kind is WAR and any(", "if False and any(", "B3"),
        ("colours-may-differ", "if len({group[card] for card in cards}) > 1:", "if False:", "004 L35"),
        ("wheel-needs-no-call", "elif cards and held == 1:", "elif cards and held == 0:", "B3, D 31"),
        ("under-is-upside-down", "self.discard[:0] = cards", "self.discard[:0] = cards[::-1]", "D 28"),
        ("wheel-moves-on-from-the-turn", "self._begin_turn(self.ring[seat])", "self._begin_turn(self.ring[self.turn])", "B3: next after the winner"),
        ("almost-keeps-one", "return len(cards) - 2 if kind is ALMOST_UNO", "return len(cards) - 1 if kind is ALMOST_UNO", "004 L49"),
        ("out-by-the-wheel-goes-on", "        if not held:\n            self._end(RoundEnding.OUT, seat)", "        if not held and self.pending:\n            self._end(RoundEnding.OUT, seat)", "C20 on the wheel"),
    ),
    *group(
        "spin/facts.py",
        ("wild-always-stops", 'WILDS if rules.flag("spin_draw_stops_on_wild") else 0', "WILDS", "004 L37"),
        ("actions-fight", 'if numbers_only else b""', 'if not numbers_only else b""', "P6"),
    ),
]  # fmt: skip

DUO = [
    *group(
        "duo/draft.py",
        ("draft-swaps", "if code == KEEP else (following, shown)", "if code != KEEP else (following, shown)", "001"),
        ("draft-by-one-seat", "self._ask_pick(self.ring[seat])", "self._ask_pick(seat)", "001: in turn"),
        ("draft-of-the-other", "self._ask_pick(self.dealer)", "self._ask_pick(self.ring[self.dealer])", "001: Player 1 first"),
        ("packet-as-it-lies", "self.discard[::-1], bytearray()", "self.discard[::1], bytearray()", "001: turned over"),
        ("packet-on-top", "self.draw[:0] = packet", "self.draw += packet", "001: under the pile"),
        ("picked-is-public", "self._say(EventKind.DRAFTED, seat, left,", "self._say(EventKind.DRAFTED, seat, kept,", "C29, F22"),
    ),
    *group(
        "duo/dump.py",
        ("dump-of-some", "if canonical(cards) != whole or not", "if not", "001: all of them"),
        ("right-for-ever", "and self.right_turn == self.turns else 0", "else 0", "D 40: it ends with any other act"),
        ("right-to-oneself", "self._give_right(self.ring[seat], COLOR_OF[last])", "self._give_right(seat, COLOR_OF[last])", "001"),
        ("dumped-cards-all-work", "            self.discard.append(card)\n            self._say(EventKind.DUMPED", "            self.discard.append(card)\n            self.pending += OWED[card]\n            self._say(EventKind.DUMPED", "001: only the last"),
        ("dump-needs-no-call", "elif held == 1:\n            self._dumped_to_one", "elif held == 0:\n            self._dumped_to_one", "001"),
        ("last-of-a-dump-is-nothing", "if RANK_OF[last] != REVERSE:", "if RANK_OF[last] == 99:", "001"),
    ),
    *group(
        "duo/round.py",
        ("recycle-as-it-lies", "self.discard[:cut][::-1]", "self.discard[:cut]", "001: the oldest first"),
        ("everybody-plays", "return codes if codes[-1] >= FIRST_ACT else codes + PASS_CODE", "return codes", "D 37"),
        ("volley-in-any-colour", "return mask if self.duo.any_color else", "return mask if True else", "001"),
        ("guilty-moves-again", "return self.subject if self.duo.keeps_turn else", "return self.subject if True else", "D 41"),
    ),
    *group(
        "duo/start.py",
        ("start-four-is-a-wild", "if card == WILD_DRAW_FOUR:", "if False:", "F21: a Wild Draw Four turned up"),
        ("start-colour-by-player-two", "self._ask(self.dealer, DecisionKind.FIRST_COLOR)", "self._ask(self.ring[self.dealer], DecisionKind.FIRST_COLOR)", "001: Player 1"),
        ("start-reverse-gives-nothing", "self._give_right(self.ring[self.dealer], COLOR_OF[card])", "self._begin_turn(self.ring[self.dealer])", "D 50"),
    ),
    *group("duo/facts.py", ("duo-points-win", "self.low = True", "self.low = False", "001: points count against their seat")),
    *group("presets.py", ("duo-reverse-skips", '"two_player_reverse": "NO_EFFECT",', '"two_player_reverse": "SKIP",', "F20: Reverse of two, in Duo")),
]  # fmt: skip

DOS = [
    *group(
        "dos/turn.py",
        ("colour-pair-by-pair", "                common &= COLORS[second]\n", "                common = common and COLORS[top] & COLORS[second]\n", "F1: each card is compared with the row card only"),
        ("draws-lost-at-the-end", "if doubles and self.dos.color_draw:", "if doubles and self.dos.color_draw and self.hands[seat]:", "F4: forced draws are lost when the round ends"),
        ("stacks-are-discarded-first", "        if doubles and self.dos.color_draw:\n            self._draw_for_colors(seat, doubles)\n        self.discard += stacks\n", "        self.discard += stacks\n        if doubles and self.dos.color_draw:\n            self._draw_for_colors(seat, doubles)\n", "F10d: matched cards can be dealt out in the same turn"),
        ("stacks-go-under-the-deck", "self.discard += stacks", "self.draw[:0] = stacks", "F10: played cards go back under the deck"),
        ("call-of-an-earlier-turn", "        self.called = False\n        self.singles = 0\n        self.pushed = ()\n        super()._begin_turn(seat)", "        self.singles = 0\n        self.pushed = ()\n        super()._begin_turn(seat)", "C17, F18: a call lasts longer than its turn"),
        ("singles-of-an-earlier-turn", "        self.singles = 0\n        self.pushed = ()\n        super()", "        self.pushed = ()\n        super()", "000"),
        ("pushed-for-ever", "        self.pushed = ()\n        super()._begin_turn(seat)", "        super()._begin_turn(seat)", "F7: an exposure that is never cleared"),
        ("debt-of-a-call-stays", "            self._owe(seat, 0)\n            self.take(seat, owed, DrawReason.CALL)", "            self.take(seat, owed, DrawReason.CALL)", "F8: a penalty is paid again"),
        ("debt-meets-the-next-round", "        self.owes = (0,) * self.n\n        super()._end", "        super()._end", "F8: a penalty meets an empty hand"),
        ("dos-of-one", "CALLING: Final = 2", "CALLING: Final = 1", "000: two cards"),
        ("bonus-all-unasked", "elif bonus == len(hand) and self.dos.mandatory:", "elif bonus == len(hand):", "D 34"),
        ("bonus-order-is-free", "self._place_cards(seat, canonical(hand))", "self._place_cards(seat, bytes(hand))", "D 52"),
        ("doubles-earn-nothing", "self._earned(seat, self.singles + doubles)", "self._earned(seat, self.singles)", "000"),
        ("final-singles-for-one", "                self.take(opponent, self.singles, DrawReason.BONUS)\n", "                self.take(opponent, 1, DrawReason.BONUS)\n", "D 33"),
        ("caught-pays-at-once", "if seat == self.turn or self.dos.at_once:", "if True:", "D 35"),
        ("pushed-even-if-short", "if got and len(self.hands[opponent]) == CALLING:", "if len(self.hands[opponent]) == CALLING:", "D 35: brought to exactly two"),
    ),
    *group(
        "dos/matching.py",
        ("any-and-any-on-a-one", "    return any(sum(numbers) in values(row)", "    return (len(cards) == 2 and all(values(card) == ANY for card in cards)) or any(sum(numbers) in values(row)", "F2: two Wild # are accepted on a 1"),
        ("colour-is-a-match", "    return any(sum(numbers) in values(row)", "    return same_color(row, *cards) or any(sum(numbers) in values(row)", "F9: colour alone counts as a match"),
        ("any-has-no-colour", "return ALL_COLORS if card == WILD_DOS else 1 << COLOR_OF[card]", "return ALL_COLORS if card == WILD_DOS else 0 if values(card) == ANY else 1 << COLOR_OF[card]", "F10c: a Wild # is never a colour match"),
        ("any-is-less", "frozenset(range(1, 11))", "frozenset(range(1, 10))", "000: 1 to 10"),
        ("wild-dos-is-any", "return frozenset((2,))", "return ANY", "000: a Wild DOS is a 2"),
    ),
    *group(
        "dos/options.py",
        ("one-card-twice", "if any(count > hand.count(card) for card, count in used.items()):", "if False:", "F3: a card that is held once is used twice"),
        ("one-place-twice", "if len({code >> dos.PLACE_SHIFT for code in codes}) < len(codes):", "if False:", "A3: one match a row card"),
        ("bonus-without-end", "return (self.bonus if self.dos.mandatory else 0), self.bonus", "return (self.bonus if self.dos.mandatory else 0), len(self.hands[seat])", "F10b: bonus cards without end"),
        ("highest-is-placed", "points[dos.card_of(codes[index])])", "-points[dos.card_of(codes[index])])", "the default places the lowest"),
    ),
    *group(
        "dos/codes.py",
        ("a-pair-of-one", "if others & BIT[card] and hand.count(card) < 2:", "if False:", "F3, in the list of options"),
    ),
    *group(
        "dos/round.py",
        ("nothing-to-draw-is-a-deadlock", "            self.take(seat, 1, DrawReason.TURN)  # nothing to draw: the turn goes on all the same (A5)\n            self._ask(seat, AFTER_DRAW)", "            if self.take(seat, 1, DrawReason.TURN):\n                self._ask(seat, AFTER_DRAW)", "F5: with nothing to draw the seat can do nothing"),
        ("place-before-the-refill", "        if self.kind is not BONUS:\n            self._refill(0)\n", "", "A3: refill, then place"),
        ("loser-deals", "winner is None or not self.dos.winner_deals else winner", "winner is None or self.dos.winner_deals else winner", "000"),
        ("limit-takes-all", "sum(left[seat] - left[winner] for", "sum(left[seat] for", "A6: what others hold more"),
        ("limit-forgets-leavers", " + sum(self.gone.values())", "", "D 12"),
        ("limit-of-equals", "lowest[0] if len(lowest) == 1 else None", "lowest[0]", "A6: a tie scores nothing"),
    ),
    *group(
        "dos/row.py",
        ("slots-are-used-again", "self.next_slot += 1", "self.next_slot = len(self.row)", "slots grow and are never used again"),
        ("row-grows-by-matches", "if self.dos.one_per_match and matched > missing:", "if matched > missing:", "D 32"),
        ("row-of-short-stays", "if not self.draw and not self._recycle():", "if not self.draw:", "A5"),
    ),
]  # fmt: skip
