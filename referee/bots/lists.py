"""The best list where several options are picked, given what each is worth: one rule for each kind of decision.

Every list is legal by construction: no option twice, no more cards of a face than the hand holds, and together as the
decision wants them. A kind that is not named here gets its shortest legal list.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final, TypeAlias

from lastcard.turn import Turn
from lastcard.words import Act, Kind
from referee.bots.faces import ACT, COLOR_OF, RANK_OF, RANKS

# Of a dump only the last card acts: a Skip gives another turn, a Reverse gives the other seat a dump of its own.
LAST_OF_DUMP: Final = {RANKS.index("S"): 2, RANKS.index("D"): 1, RANKS.index("V"): -1}

Worth: TypeAlias = Sequence[float]
Composer: TypeAlias = Callable[[Turn, Worth], list[int]]


def best(turn: Turn, worth: Worth) -> list[int]:
    """Return the picks for a decision that takes several; `worth` is by option."""
    return _RULES.get(turn.kind, _fewest)(turn, worth)


def ranked(worth: Worth) -> list[int]:
    """All options, the most worth first; equal ones in canonical order."""
    return sorted(range(len(worth)), key=lambda place: -worth[place])


def all_held(turn: Turn, picks: Sequence[int]) -> bool:
    """Whether the hand holds the cards of these options together."""
    view = turn.view
    cards = Counter(view.option_card[place] for place in picks)
    if view.option_second:
        cards.update(view.option_second[place] for place in picks)
    return all(view.hand.count(card) >= number for card, number in cards.items() if card)


def dumped(turn: Turn, opening: int, worth: Worth) -> list[int]:
    """Duo: the options of all cards that go down with the dump that `opening` begins, the most worth first."""
    view = turn.view
    acts, cards = view.option_act, view.option_card
    color = (view.option_color[opening] if view.option_color else 0) or COLOR_OF[cards[opening]]
    same = [place for place in ranked(worth) if acts[place] == ACT[Act.DISCARD] and COLOR_OF[cards[place]] == color]
    return _take(turn, [opening, *same], turn.max_picks)[1:]


def _take(turn: Turn, order: Sequence[int], most: int) -> list[int]:
    """The first `most` options of `order` whose cards the hand holds together, each slot used once."""
    view = turn.view
    left = Counter(view.hand)
    seconds, slots = view.option_second or bytes(len(view.option_card)), view.option_slot
    used: set[int] = set()
    taken: list[int] = []
    for place in order:
        cards = [card for card in (view.option_card[place], seconds[place]) if card]
        free = not slots or slots[place] not in used
        if len(taken) < most and free and all(left[card] >= cards.count(card) for card in cards):
            taken.append(place)
            left.subtract(cards)
            used.update(slots[place : place + 1])
    return taken


def _fewest(turn: Turn, worth: Worth) -> list[int]:
    """The best of the shortest lists."""
    return _take(turn, ranked(worth), 0 if turn.may_be_empty else turn.min_picks)


def _most(turn: Turn, worth: Worth) -> list[int]:
    """The best of the longest lists."""
    return _take(turn, ranked(worth), turn.max_picks)


def _in_war(turn: Turn, worth: Worth) -> list[int]:  # noqa: ARG001  (the rules leave no choice but among equals)
    """All that may fight, the dearest first."""
    points = turn.history.catalogue.points
    cards = turn.view.option_card
    return _take(turn, sorted(range(len(cards)), key=lambda place: -points[cards[place]]), turn.max_picks)


def _one_group(table: bytes) -> Composer:
    """The rule that all cards have the same entry in `table`: the group that is worth most, if there is any."""

    def compose(turn: Turn, worth: Worth) -> list[int]:
        groups: dict[int, list[int]] = {}
        for place, entry in enumerate(turn.view.option_card.translate(table)):
            groups.setdefault(entry, []).append(place)
        if not groups:
            return []
        group = max(groups.values(), key=lambda places: (sum(worth[place] for place in places), len(places)))
        return best_on_top(turn, _take(turn, group, turn.max_picks))

    return compose


def best_on_top(turn: Turn, picks: list[int]) -> list[int]:
    """The same picks, the card last on which most of the cards that stay would fit: it becomes the top."""
    cards = turn.view.option_card
    kept = Counter(turn.view.hand) - Counter(cards[place] for place in picks)
    return sorted(picks, key=lambda place: _fitting(kept, cards[place]))


def _fitting(kept: Counter[int], top: int) -> int:
    """How many of these cards would fit on this one; wilds do anyhow."""
    return sum(
        number for card, number in kept.items()
        if (COLOR_OF[top] and COLOR_OF[card] == COLOR_OF[top]) or RANK_OF[card] == RANK_OF[top]
    )  # fmt: skip


def keeping_two(turn: Turn, worth: Worth) -> list[int]:
    """All cards but the two that go together best: wilds, else such as will fit; of those the ones of least worth."""
    view = turn.view

    def good(kept: tuple[int, int]) -> tuple[float, float]:
        cards = Counter(view.option_card[place] for place in kept)
        wilds = sum(number for card, number in cards.items() if not COLOR_OF[card])
        others = [view.option_card[place] for place in range(len(worth)) if place not in kept]
        fits = max((_fitting(cards, top) for top in others), default=0)
        return wilds + 0.9 * min(fits, 2 - wilds), -sum(worth[place] for place in kept)

    kept = max(combinations(range(len(worth)), 2), key=good)
    return best_on_top(turn, [place for place in range(len(worth)) if place not in kept])


def _matches(turn: Turn, worth: Worth) -> list[int]:
    """Matches, the best first, for as many cards of the row as the hand allows; without any the one best option."""
    acts = turn.view.option_act
    found = [place for place in ranked(worth) if acts[place] == ACT[Act.MATCH]]
    return _take(turn, found, turn.max_picks) if found else [worth.index(max(worth))]


def _dump(turn: Turn, worth: Worth) -> list[int]:
    """The one best option, with all other cards of its colour behind it if it is a dump; the last of them acts."""
    acts = turn.view.option_act
    first = max((place for place in ranked(worth) if acts[place] != ACT[Act.DISCARD]), key=worth.__getitem__)
    if acts[first] != ACT[Act.DUMP]:
        return [first]
    ranks = turn.view.option_card.translate(RANK_OF)
    cards = dumped(turn, first, worth)
    return [first, *sorted(cards, key=lambda place: LAST_OF_DUMP.get(ranks[place], 0))]


_RULES: Final[dict[Kind, Composer]] = {
    Kind.TURN: _dump,
    Kind.PLAY_DRAWN: _dump,
    Kind.SPIN_DISCARD_COLOR: _one_group(COLOR_OF),
    Kind.SPIN_DISCARD_NUMBER: _one_group(RANK_OF),
    Kind.SPIN_ALMOST_UNO: _most,
    Kind.SPIN_WAR: _in_war,
    Kind.DOS_TURN: _matches,
    Kind.DOS_AFTER_DRAW: _matches,
    Kind.DOS_PLACE_BONUS: _most,
}
