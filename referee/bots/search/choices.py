"""Which answers are worth trying: those that differ in what they do, the most promising first, and not too many."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, islice, product
from typing import Final, TypeAlias

from lastcard.turn import Turn
from lastcard.words import Act, Kind
from referee.bots.faces import ACT, CARDS_PLAYED, COLOR_OF, RANK_OF
from referee.bots.lists import all_held, dumped, ranked

Picks: TypeAlias = tuple[int, ...]
Worth: TypeAlias = Sequence[float]
Rule: TypeAlias = Callable[[Turn, Worth], Iterable[Picks]]

MOST: Final = 10  # answers that are tried
MANY: Final = 3000  # lists that are looked at to find them
OF_A_SLOT: Final = 7  # matches of one card of the row that are combined with others
COLORS_OF_WILD: Final = 2  # that are tried


def choices(turn: Turn, worth: Worth, first: Picks) -> list[Picks]:
    """Return the picks to try, `first` at the head; `worth` is by option."""
    rule = _LISTS.get(turn.kind, _nothing) if turn.view.max_picks > 1 else _singles
    found = {_effect(turn, first): first}
    for picks in rule(turn, worth):
        if len(found) == MOST:
            break
        found.setdefault(_effect(turn, picks), picks)
    return list(found.values())


def _effect(turn: Turn, picks: Picks) -> tuple[object, ...]:
    """What tells picks apart: which cards go where, and which one comes last."""
    view = turn.view
    columns = [column for column in (view.option_card, view.option_second, view.option_color) if column]
    columns += [view.option_act, view.option_slot] if view.option_slot else [view.option_act]
    rows = [tuple(column[pick] for column in columns) for pick in picks]
    return (tuple(sorted(rows)), rows[-1] if rows and not view.option_slot else ())


def _nothing(turn: Turn, worth: Worth) -> list[Picks]:  # noqa: ARG001  (as all rules)
    """Decisions in which nothing is to be chosen."""
    return []


def _singles(turn: Turn, worth: Worth) -> Iterator[Picks]:
    """Options, the most worth first: of a wild its two best colours, and drawing only where all else is a wild."""
    view = turn.view
    cards = view.option_card or bytes(len(worth))
    colored = any(CARDS_PLAYED[act] and COLOR_OF[card] for act, card in zip(view.option_act, cards, strict=True))
    named = dict.fromkeys(cards, 0)
    for place in ranked(worth):
        act, card = view.option_act[place], cards[place]
        if act == ACT[Act.DISCARD] or act == ACT[Act.DUMP] or (act == ACT[Act.DRAW] and colored):
            continue
        if CARDS_PLAYED[act] and not COLOR_OF[card]:
            named[card] += 1
            if named[card] > COLORS_OF_WILD:
                continue
        yield (place,)


def _with_dumps(turn: Turn, worth: Worth) -> Iterator[Picks]:
    """Duo: every dump, with each of its cards as the last one, then plays of one card."""
    for opening in (place for place, act in enumerate(turn.view.option_act) if act == ACT[Act.DUMP]):
        cards = dumped(turn, opening, worth)
        for last in cards:
            yield (opening, *[card for card in cards if card != last], last)
    yield from _singles(turn, worth)


def _groups(table: bytes) -> Rule:
    """Spin: all cards with one entry in `table`, with each of them as the last one; or none."""

    def lists(turn: Turn, worth: Worth) -> Iterator[Picks]:
        entries = turn.view.option_card.translate(table)
        sums = {entry: sum(worth[place] for place, other in enumerate(entries) if other == entry) for entry in entries}
        for entry in sorted(sums, key=lambda entry: -sums[entry]):
            group = [place for place in ranked(worth) if entries[place] == entry]
            for last in group:
                yield (*[place for place in group if place != last], last)
        yield ()

    return lists


def _all_but_two(turn: Turn, worth: Worth) -> Iterator[Picks]:
    """Spin: every two cards to keep, those of least worth first; on top a card of a colour that is kept."""
    colors = turn.view.option_card.translate(COLOR_OF)
    for kept in combinations(reversed(ranked(worth)), 2):
        others = [place for place in ranked(worth) if place not in kept]
        others.sort(key=lambda place: any(colors[place] == colors[keep] for keep in kept))
        yield tuple(others)


def _turns(turn: Turn, worth: Worth) -> Iterator[Picks]:
    """DOS: matches that can be made together, those worth most first; then drawing, or placing each card."""
    acts, slots = turn.view.option_act, turn.view.option_slot
    by_slot: dict[int, list[int]] = {}
    for place in ranked(worth):
        if acts[place] == ACT[Act.MATCH]:
            by_slot.setdefault(slots[place], []).append(place)
    options = [(-1, *places[:OF_A_SLOT]) for places in by_slot.values()]
    lists = [tuple(place for place in combined if place >= 0) for combined in islice(product(*options), MANY)]
    possible = [picks for picks in lists if picks and all_held(turn, picks)]
    possible.sort(key=lambda picks: -sum(worth[place] for place in picks))
    others = [(place,) for place in ranked(worth) if acts[place] != ACT[Act.MATCH]]
    yield from possible[: max(MOST - len(others), MOST // 2)]
    yield from others


def _placings(turn: Turn, worth: Worth) -> Iterator[Picks]:
    """DOS: bonus cards, those worth most first."""
    view = turn.view
    for size in range(view.max_picks, view.min_picks - 1, -1):
        yield from islice(combinations(ranked(worth), size), MANY)


_LISTS: Final[dict[Kind, Rule]] = {
    Kind.TURN: _with_dumps,
    Kind.PLAY_DRAWN: _with_dumps,
    Kind.SPIN_DISCARD_COLOR: _groups(COLOR_OF),
    Kind.SPIN_DISCARD_NUMBER: _groups(RANK_OF),
    Kind.SPIN_ALMOST_UNO: _all_but_two,
    Kind.DOS_TURN: _turns,
    Kind.DOS_AFTER_DRAW: _turns,
    Kind.DOS_PLACE_BONUS: _placings,
}
