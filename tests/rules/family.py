"""Rounds of UNO, Spin and Duo in the middle of the game, written down in a line or two, for tests."""

from typing import Any

from referee.rules.cards import FACE, UNO_NAMES, canonical, format_cards, parse_cards
from referee.rules.chance import ScriptedChance
from referee.rules.errors import RulesError
from referee.rules.games import GAMES, resolve
from referee.rules.gametext import parse_act
from referee.rules.notation import perform
from referee.rules.options import Rules
from referee.rules.presets import PRESETS
from referee.rules.round import Round
from referee.rules.setup import load, observe
from referee.rules.vocabulary import Act, Segment

FILLER = "G0 G1 G2 G3 G4 G6 G7 G8 B0 B1 B2 B3"
STATE = ("dir", "color", "dealer", "dump_right", "start", "seats")  # given as scenarios write them
PILES = {"draw": FILLER, "discard": "R9"}


def cards(text: str) -> list[str]:
    """The faces of a line."""
    return text.split()


def pile(text: str) -> bytearray:
    """The cards of a line."""
    return parse_cards(cards(text), UNO_NAMES)


def chance(given: dict[str, Any]) -> ScriptedChance:
    """The chance named in `given` (`wheel`, `orders`, `reshuffles`, `decks`), taken out of it."""
    wheel = cards(given.pop("wheel", ""))
    return ScriptedChance(
        decks=[pile(deck) for deck in given.pop("decks", [])],
        reshuffles=[pile(cards_) for cards_ in given.pop("reshuffles", [])],
        orders=given.pop("orders", []),
        wheel=[Segment[name] for name in wheel],
    )


def table(preset: str, *hands: str, **given: Any) -> Any:  # noqa: ANN401  (rounds of any game, given as scenarios are)
    """A round with these hands in which seat 0 is asked.

    `given` names the rest of the table (piles as lines, `turn`, `dealer`, …), chance, and options.
    """
    state: dict[str, object] = {name: given.pop(name) for name in STATE if name in given}
    if "start" not in state:
        state["hands"] = [cards(hand) for hand in hands]
        state |= {name: cards(given.pop(name, usual)) for name, usual in PILES.items()}
    if "dealer" not in state:
        state["turn"] = given.pop("turn", 0)
    seats = len(hands) or state["seats"]
    assert isinstance(seats, int)
    chances = chance(given)
    return load(GAMES[PRESETS[preset].game], resolve(preset, given, seats), chances, state)


def rules_of(preset: str, seats: int = 2, **options: object) -> Rules:
    """The ruleset of a preset with these options."""
    return resolve(preset, options, seats)


def act(round_: Round, *lines: str) -> dict[str, Any]:
    """Carries out acts as lines of text and returns what may be observed then; no card is lost on the way."""
    for line in lines:
        before = round_.everything()
        perform(round_, parse_act(line))
        assert round_.everything() == before, line
    return observe(round_)


def legal(round_: Round, line: str) -> bool:
    """Whether an act is legal now, tried on a copy; one that is not leaves no trace."""
    other = round_.copy()
    try:
        perform(other, parse_act(line))
    except RulesError:
        assert other.digest() == round_.digest()
        return False
    return True


def hand(round_: Round, seat: int) -> str:
    """The hand of a seat, in canonical order."""
    return " ".join(format_cards(canonical(round_.hands[seat])))


def listed(round_: Round, seat: int | None = None) -> list[str]:
    """The options of a seat, of the one that is asked by default, as words: act, card, colour."""
    columns = round_.columns(min(round_.asked) if seat is None else seat)
    colors = columns.color or bytes(len(columns.act))
    return [
        " ".join(word for word in (Act(a).name, FACE.get(c, ""), " RYGB"[k].strip()) if word)
        for a, c, k in zip(columns.act, columns.card, colors, strict=True)
    ]
