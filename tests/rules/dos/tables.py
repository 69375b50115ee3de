"""DOS rounds in the middle of the game, written down in a line or two, for tests."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from referee.rules.cards import DOS_NAMES, FACE, format_cards, parse_cards
from referee.rules.chance import ScriptedChance
from referee.rules.dos.round import DosRound
from referee.rules.errors import RulesError
from referee.rules.games import resolve
from referee.rules.gametext import parse_act
from referee.rules.notation import perform
from referee.rules.round import Round
from referee.rules.setup import load, observe
from referee.rules.vocabulary import Act

FILLER = "G1 G3 G4 G5 G6 G7 G8 G9 B1 B3 B4 B5"
# What a card may stand for and which colours it may have, written anew so that the tables are held against it.
NUMBERS = {"#": range(1, 11), "2": range(2, 3)}


def cards(text: str) -> list[str]:
    """The faces of a line."""
    return text.split()


def table(*hands: str, **given: object) -> DosRound:
    """A round with these hands in which seat 0 is asked.

    `given` names the rest of the table (`row`, `draw`, `discard`, `turn`), chance (`orders`, `reshuffles`), options.
    """
    state: dict[str, object] = {"hands": [cards(hand) for hand in hands], "turn": given.pop("turn", 0)}
    for pile, usual in (("row", "R3 Y7"), ("draw", FILLER), ("discard", "")):
        state[pile] = cards(str(given.pop(pile, usual)))
    orders, reshuffles = given.pop("orders", []), given.pop("reshuffles", [])
    assert isinstance(orders, list)
    assert isinstance(reshuffles, list)
    chance = ScriptedChance(orders=orders, reshuffles=[parse_cards(cards(pile), DOS_NAMES) for pile in reshuffles])
    return load(DosRound, resolve("dos", given, len(hands)), chance, state)


def act(round_: Round, *lines: str) -> dict[str, object]:
    """Carries out acts as lines of text and returns what may be observed then; no card is lost on the way."""
    for line in lines:
        before = round_.everything()
        perform(round_, parse_act(line))
        assert round_.everything() == before
    return observe(round_)


def legal(round_: Round, line: str) -> bool:
    """Whether an act is legal now, tried on a copy."""
    try:
        perform(round_.copy(), parse_act(line))
    except RulesError:
        return False
    return True


def hand(round_: Round, seat: int) -> str:
    """The hand of a seat, in canonical order."""
    return " ".join(format_cards(sorted(round_.hands[seat])))


def listed(round_: Round) -> list[str]:
    """The options of the seat that is asked, as words: place and cards of a match, or the act and its card."""
    seat = min(round_.asked)
    columns = round_.columns(seat)
    size = len(columns.act)
    rows = zip(columns.act, columns.card, columns.second or bytes(size), columns.slot or bytes(size), strict=True)
    return [
        f"{slot}:{FACE[card]}" + (f"+{FACE[second]}" if second else "")
        if kind == Act.MATCH
        else Act(kind).name + (f" {FACE[card]}" if card else "")
        for kind, card, second, slot in rows
    ]


# -- matching, read plainly from the page


def numbers(card: str) -> range:
    """What a card may stand for."""
    sign = card[1:]
    return NUMBERS.get(sign, range(int(sign), int(sign) + 1) if sign.isdecimal() else range(0))


def fitting(row: str, *on_it: str) -> bool:
    """One or two cards fit by their number or by their sum."""
    if len(on_it) == 1:
        return bool(set(numbers(row)) & set(numbers(on_it[0])))
    return any(a + b in numbers(row) for a in numbers(on_it[0]) for b in numbers(on_it[1]))


def colored(row: str, *on_it: str) -> bool:
    """One colour that all of them have, a Wild DOS having all four."""
    return any(all(card in ("W2", color + card[1:]) for card in (row, *on_it)) for color in "RYGB")


def plain_matches(row: Sequence[str], held: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """Every match of a hand, each face or pair of faces once: place in the row, cards in canonical order."""
    for place, top in enumerate(row):
        for size in (1, 2):
            for chosen in sorted({tuple(sorted(c, key=DOS_NAMES.__getitem__)) for c in combinations(held, size)}):
                if fitting(top, *chosen):
                    yield place, chosen
