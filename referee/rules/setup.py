"""A round in the middle of the game, as scenarios write it down, and what may be observed of one."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeVar

from referee.rules.cards import COLOR_OF, canonical, color_letter, format_cards, parse_cards, parse_color
from referee.rules.errors import NotationError
from referee.rules.vocabulary import DecisionKind

if TYPE_CHECKING:
    from referee.rules.chance import Chance
    from referee.rules.options import Rules
    from referee.rules.round import Round

    R = TypeVar("R", bound=Round)

FIELDS: Final = frozenset(
    ("hands", "draw", "discard", "row", "color", "dir", "turn", "dealer", "start", "seats", "dump_right")
)


@dataclass(frozen=True, slots=True)
class Setup:
    """Hands and piles to begin with; the last card of a pile is its top."""

    hands: tuple[bytes, ...]
    draw: bytes
    discard: bytes
    row: bytes
    color: int
    direction: int
    dump_right: int

    @classmethod
    def read(cls, state: Mapping[str, object], names: Mapping[str, int]) -> "Setup":
        """The set-up of a scenario's state.

        Raises:
            NotationError: it cannot be read.
        """
        hands = state.get("hands")
        if not isinstance(hands, list):
            raise NotationError("SCENARIO", "state.hands is missing; give a list of hands by seat")
        discard = bytes(parse_cards(state.get("discard", []), names))
        direction = state.get("dir", 1)
        if direction not in (1, -1) or not isinstance(direction, int):
            raise NotationError("SCENARIO", f"state.dir is {direction!r}; use 1 or -1")
        top = COLOR_OF[discard[-1]] if discard else 0
        return cls(
            tuple(bytes(parse_cards(hand, names)) for hand in hands),
            bytes(parse_cards(state.get("draw", []), names)[::-1]),
            discard,
            bytes(parse_cards(state.get("row", []), names)),
            parse_color(state["color"]) if "color" in state else top,
            direction,
            parse_color(state.get("dump_right")),
        )


def seats_of(state: Mapping[str, object]) -> int:
    """The number of seats of a scenario's state.

    Raises:
        NotationError: it says none.
    """
    hands, seats = state.get("hands"), state.get("seats")
    if isinstance(hands, list):
        return len(hands)
    if type(seats) is int:
        return seats
    raise NotationError("SCENARIO", "state has neither hands nor seats; give one of them")


def load(kind: "type[R]", rules: "Rules", chance: "Chance", state: Mapping[str, object]) -> "R":
    """The round of a scenario's state, with its first decision open.

    With `turn` that seat is asked now. Without it `dealer` says who dealt: the start rule runs, on the draw pile given
    or, with `start` DEAL, on a deck from `chance`.

    Raises:
        NotationError: the state cannot be read.
        ChanceError: chance that is needed is not given.
    """
    unknown = sorted(set(state) - FIELDS)
    if unknown:
        raise NotationError("SCENARIO", f"state has no field {unknown[0]!r}; use {', '.join(sorted(FIELDS))}")
    turn = _seat(state, "turn", rules.seats)
    dealer = _seat(state, "dealer", rules.seats)
    if turn is None and dealer is None:
        raise NotationError("SCENARIO", "state has neither turn nor dealer; give one of them")
    if dealer is None:
        dealer = ((turn or 0) - 1) % rules.seats
    if state.get("start") == "DEAL":
        return kind(rules, chance, dealer)
    round_ = kind.blank(rules, chance, dealer)
    round_.place(Setup.read(state, kind.NAMES))
    round_.begin(turn)
    return round_


def _seat(state: Mapping[str, object], name: str, seats: int) -> int | None:
    seat = state.get(name)
    if seat is None:
        return None
    if type(seat) is not int or not 0 <= seat < seats:
        raise NotationError("SCENARIO", f"state.{name} is {seat!r}; use a seat, 0 to {seats - 1}")
    return seat


def observe(round_: "Round") -> dict[str, object]:
    """What a scenario may expect of a round, in its words: everything, also what no seat may see."""
    discard = round_.discard
    drawn = round_.seat >= 0 and round_.kind is DecisionKind.PLAY_DRAWN
    return {
        "ask": {str(seat): kind.name for seat, kind in sorted(round_.asked.items())},
        "hands": [len(hand) for hand in round_.hands],
        "hand": {str(seat): format_cards(canonical(hand)) for seat, hand in enumerate(round_.hands)},
        "draw": len(round_.draw),
        "discard": len(discard),
        "draw_cards": format_cards(round_.draw[::-1]),
        "discard_cards": format_cards(discard),
        "top": format_cards(discard[-1:])[0] if discard else None,
        "color": color_letter(round_.color),
        "dir": round_.dir,
        "pending": round_.pending,
        "drawn": format_cards([round_.drawn])[0] if drawn else None,
        "turns": round_.turns,
        "out": list(round_.out),
        "row": format_cards(round_.row),
        "row_size": len(round_.row),
        "slots": [],
        "bonus": round_.bonus,
        "owes": [0] * round_.n,
        "dump_right": None,
        **round_.observe(),
    }


def differing(field: str, wanted: object, actual: object) -> bool:
    """True unless what is observed is what is wanted.

    Hands by seat are multisets; of hands and results only what is given is compared; cards shown may be listed in any
    order of entries.
    """
    if field == "shown":
        return _entries(wanted) != _entries(actual)
    if field in ("hand", "round", "match") and isinstance(wanted, dict) and isinstance(actual, dict):
        if field == "hand":
            return any(multiset(cards) != multiset(actual.get(seat)) for seat, cards in wanted.items())
        return any(name not in actual or actual[name] != value for name, value in wanted.items())
    return type(wanted) is not type(actual) or wanted != actual


def multiset(cards: object) -> object:
    """A list of cards without its order; what is no list is wrong, and left as it is."""
    return sorted(cards, key=repr) if isinstance(cards, list) else cards


def _entries(shown: object) -> object:
    if not isinstance(shown, list):
        return shown
    return sorted(json.dumps(entry, sort_keys=True) for entry in shown)
