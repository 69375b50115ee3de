"""A quick player of UNO, Spin and Duo: what all seats of an imagined round do. It reads the codes of the engine."""

from collections.abc import Callable, Sequence
from typing import Final

from referee.bots.careful import BLUFFABLE, NEVER, RICH
from referee.bots.sense import WEIGHTS, Weights
from referee.rules.calls import ACCEPT, CHALLENGE, FIRST_ACT, REJECT
from referee.rules.cards import COLOR_OF, DRAW_TWO, RANK_OF, REVERSE, SKIP, WILD_DRAW_FOUR
from referee.rules.duo.codes import DUMP_COLOR, DUMPED
from referee.rules.duo.dump import cards_to_dump
from referee.rules.duo.facts import DuoFacts
from referee.rules.options import Rules
from referee.rules.round import Answer, Round
from referee.rules.spin.codes import SWIRLED
from referee.rules.uno.codes import CARD_OF_CODE, COLOR_AFTER, COLOR_MASK, DOUBLED, RANK_MASK
from referee.rules.uno.facts import UnoFacts
from referee.rules.vocabulary import DecisionKind

SHED: Final = 20.0  # a card that is discarded by the wheel, in points

ONE_PICK: Final = frozenset((DecisionKind.TURN, DecisionKind.PLAY_DRAWN, DecisionKind.RESPOND_STACK))
GROUPS: Final = {DecisionKind.SPIN_DISCARD_COLOR: COLOR_OF, DecisionKind.SPIN_DISCARD_NUMBER: RANK_OF}
RANK_OF_CODE: Final = CARD_OF_CODE.translate(RANK_OF)
NO_RANK: Final = 255
SAME_COLOR: Final = tuple(COLOR_MASK[color] for color in COLOR_AFTER)
SAME_RANK: Final = tuple(0 if rank == NO_RANK else RANK_MASK[rank] for rank in RANK_OF_CODE)
# The last card of a dump acts: another turn is best, then two cards for the other seat; a Reverse gives it a dump.
LAST_OF_DUMP: Final = {SKIP: 2, DRAW_TWO: 1, REVERSE: -1}


class Family:
    """Plays every seat of a round as `careful` would, or nearly; made for a ruleset."""

    __slots__ = ("_base", "_duo", "_link", "_points", "_strikes", "_weights")

    def __init__(self, rules: Rules, facts: UnoFacts) -> None:
        two = rules.seats == 2
        self._duo = isinstance(facts, DuoFacts)
        self._points = facts.points
        self._weights = weights = WEIGHTS[rules.game]
        self._link = weights.link if two else 0.0
        attacks = (SKIP, DRAW_TWO, REVERSE) if two else (SKIP, DRAW_TWO)
        self._base = tuple(self._alone(code, card) for code, card in enumerate(CARD_OF_CODE))
        self._strikes = tuple(_strike(weights, attacks, card) for card in CARD_OF_CODE)

    def _alone(self, code: int, card: int) -> float:
        """What a code is worth whatever else the hand holds; NEVER for what is no play of its own."""
        if not card or (self._duo and code > DUMPED):
            return NEVER
        weights = self._weights
        count = 2 if code > DOUBLED else 1
        value = weights.point * self._points[card] * count + weights.card * (count - 1)
        value += weights.reverse if RANK_OF[card] == REVERSE else 0.0
        value += 0.0 if COLOR_OF[card] else weights.wild
        return value + (weights.four if card == WILD_DRAW_FOUR else 0.0)

    def __call__(self, round_: Round, seat: int, codes: Sequence[int]) -> Answer:
        """Return what the seat answers to its open decision, whose options these are."""
        kind = round_.kind if seat == round_.seat else round_.asked[seat]
        if kind not in ONE_PICK:
            return _RARE[kind](self, round_, seat, codes)
        best = self._best(round_, seat, codes)
        if self._duo and DUMP_COLOR[codes[best]]:
            return dump(round_, seat, codes, best), True, 0
        return best, True, 0

    def _best(self, round_: Round, seat: int, codes: Sequence[int]) -> int:
        """The index of the best play; of the first act without a card where there is none."""
        base, link, mask, weights = self._base, self._link, round_.masks[seat], self._weights
        color = weights.color
        strikes = self._strikes if len(round_.hands[round_.ring[seat]]) <= weights.near else None
        best, found = NEVER, -1
        for index, code in enumerate(codes):
            value = base[code]
            if value == NEVER:
                if not self._duo or not DUMP_COLOR[code]:
                    continue
                value = weights.card * (mask & COLOR_MASK[DUMP_COLOR[code]]).bit_count()
            value += color * (mask & SAME_COLOR[code]).bit_count() + link * (mask & SAME_RANK[code]).bit_count()
            if strikes:
                value += strikes[code]
            if value > best:
                best, found = value, index
        return found if found >= 0 else _passive(codes)

    # -- rarer decisions --------------------------------------------------------------------------------------------

    def react(self, round_: Round, seat: int, codes: Sequence[int]) -> Answer:  # noqa: ARG002
        """In the window of a call: call, or catch."""
        return 1, True, 0

    def stand_by(self, round_: Round, seat: int, codes: Sequence[int]) -> Answer:  # noqa: ARG002
        """Challenge for nobody else."""
        return 0, True, 0

    def under_four(self, round_: Round, seat: int, codes: Sequence[int]) -> Answer:  # noqa: ARG002
        """Pass it on, or challenge a full hand."""
        if codes[0] < FIRST_ACT:
            return 0, True, 0
        full = len(round_.hands[round_.subject]) >= BLUFFABLE
        return codes.index(CHALLENGE if full and CHALLENGE in codes else ACCEPT), True, 0

    def first_color(self, round_: Round, seat: int, codes: Sequence[int]) -> Answer:  # noqa: ARG002
        """Name the colour of most cards."""
        return best_color(round_.hands[seat]) - 1, True, 0

    def draft(self, round_: Round, seat: int, codes: Sequence[int]) -> Answer:
        """Keep actions, wilds, and colours that are held."""
        shown = round_.drawn
        worth_it = self._points[shown] >= RICH or (round_.masks[seat] & COLOR_MASK[COLOR_OF[shown]]).bit_count() > 1
        return (0 if worth_it else codes.index(REJECT)), True, 0

    def shout(self, round_: Round, seat: int, codes: Sequence[int]) -> Answer:
        """Always shout, with the card that is best gone."""
        return self._best(round_, seat, codes), True, 0

    def discard_group(self, round_: Round, seat: int, codes: Sequence[int]) -> Answer:
        """All cards of the colour, or of the number, that is worth most; the highest on top."""
        table = GROUPS[round_.kind]
        groups: dict[int, list[int]] = {}
        for index, code in enumerate(codes):
            groups.setdefault(table[code], []).append(index)
        if not groups:
            return (), True, 0
        points = self._points
        group = max(groups.values(), key=lambda found: sum(SHED + points[codes[index]] for index in found))
        return tuple(group), True, best_color(round_.hands[seat])

    def all_but_two(self, round_: Round, seat: int, codes: Sequence[int]) -> Answer:
        """Keeps wilds, and what counts least."""
        color = best_color(round_.hands[seat])
        number = round_.picks(seat)[1]
        order = sorted(range(len(codes)), key=lambda index: -self._base[codes[index]])
        return tuple(order[:number]), True, color

    def fight(self, round_: Round, seat: int, codes: Sequence[int]) -> Answer:
        """All that may fight, the highest first."""
        points = self._points
        order = sorted(range(len(codes)), key=lambda index: -points[CARD_OF_CODE[codes[index]]])
        return tuple(order[: round_.picks(seat)[1]]), True, best_color(round_.hands[seat])


def _strike(weights: Weights, attacks: Sequence[int], card: int) -> float:
    """What a card is worth, beside the rest, against a next seat that is nearly out."""
    value = weights.attack if RANK_OF[card] in attacks or card == WILD_DRAW_FOUR else 0.0
    return value + weights.spin if card >= SWIRLED else value


def dump(round_: Round, seat: int, codes: Sequence[int], opening: int) -> tuple[int, ...]:
    """The picks of a whole dump, the card that acts best last."""
    cards = sorted(
        cards_to_dump(round_.hands[seat], codes[opening]), key=lambda card: LAST_OF_DUMP.get(RANK_OF[card], 0)
    )
    picks = [opening]
    for card in cards:
        found = codes.index(DUMPED + card)
        while found in picks:
            found += 1  # copies stand side by side
        picks.append(found)
    return tuple(picks)


def best_color(hand: bytearray) -> int:
    """The colour of most cards of a hand."""
    colors = hand.translate(COLOR_OF)
    return max(range(1, 5), key=colors.count)


def _passive(codes: Sequence[int]) -> int:
    """The first option that puts no card down."""
    return next(index for index, code in enumerate(codes) if code >= FIRST_ACT)


_RARE: Final[dict[DecisionKind, Callable[[Family, Round, int, Sequence[int]], Answer]]] = {
    DecisionKind.CALL_WINDOW: Family.react,
    DecisionKind.CHALLENGE_WINDOW: Family.stand_by,
    DecisionKind.RESPOND_WILD_DRAW_FOUR: Family.under_four,
    DecisionKind.FIRST_COLOR: Family.first_color,
    DecisionKind.DRAFT_PICK: Family.draft,
    DecisionKind.SPIN_SHOUT: Family.shout,
    DecisionKind.SPIN_DISCARD_COLOR: Family.discard_group,
    DecisionKind.SPIN_DISCARD_NUMBER: Family.discard_group,
    DecisionKind.SPIN_ALMOST_UNO: Family.all_but_two,
    DecisionKind.SPIN_WAR: Family.fight,
}
