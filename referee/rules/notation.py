"""Acts as text: what scenarios and records write, and back.

An act is a JSON object `{"seat", "act", ...}`; a line of text is the same with less ink: `2 PLAY W4 B !`, where `!` is
the call. Reading what was written gives the same values back.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from referee.rules.cards import COLORS, FACE, color_letter, parse_card, parse_color
from referee.rules.errors import IllegalAnswerError, NotationError
from referee.rules.vocabulary import Act

if TYPE_CHECKING:
    from referee.rules.columns import Columns
    from referee.rules.round import Answer, Round

# Fields of an act that any decision takes. `color` is ignored where none is needed (D 26).
FIELDS: Final = frozenset(("seat", "act", "card", "color", "call", "check"))


def act_of(act: Mapping[str, object]) -> Act:
    """The word of an act.

    Raises:
        NotationError: there is no such act.
    """
    name = act.get("act")
    if not isinstance(name, str) or name not in Act.__members__:
        raise NotationError("ACT", f"{name!r} is no act; use one of {', '.join(Act.__members__)}")
    return Act[name]


def call_of(act: Mapping[str, object]) -> bool:
    """The call on an act; false if it says nothing.

    Raises:
        NotationError: neither true nor false.
    """
    call = act.get("call", False)
    if not isinstance(call, bool):
        raise NotationError("ACT", f"call is {call!r}; use true or false")
    return call


def check_fields(act: Mapping[str, object], allowed: frozenset[str] = FIELDS) -> None:
    """Raises NotationError for a field that acts of this decision do not have."""
    unknown = sorted(set(act) - allowed)
    if unknown:
        raise NotationError("ACT", f"an act has no field {unknown[0]!r} here; use {', '.join(sorted(allowed))}")


def read_option(columns: "Columns", names: Mapping[str, int], act: Mapping[str, object]) -> "Answer":
    """The answer with one pick that an act means, by the options that there are.

    Raises:
        IllegalAnswerError: it is none of the options.
        NotationError: it cannot be read.
    """
    check_fields(act)
    word, call = act_of(act), call_of(act)
    card = parse_card(act["card"], names) if act.get("card") is not None else 0
    colors = columns.color or bytes(len(columns.act))
    for index, (a, c, k) in enumerate(zip(columns.act, columns.card, colors, strict=True)):
        if a == word and c == card and (not k or act.get("color") == COLORS[k - 1]):
            return index, call, k
    given = " ".join(str(act[key]) for key in ("act", "card", "color") if act.get(key) is not None)
    raise IllegalAnswerError("NO_SUCH_OPTION", f"{given} is not among the options: {describe(columns)}")


def write_option(columns: "Columns", seat: int, answer: "Answer") -> dict[str, object]:
    """The act of an answer with one pick."""
    picks, call, _ = answer
    index = picks if isinstance(picks, int) else picks[0]
    act: dict[str, object] = {"seat": seat, "act": Act(columns.act[index]).name}
    if columns.card[index]:
        act["card"] = FACE[columns.card[index]]
    if columns.color and columns.color[index]:
        act["color"] = color_letter(columns.color[index])
    if call:
        act["call"] = True
    return act


def describe(columns: "Columns") -> str:
    """The options in words, for messages."""
    colors = columns.color or bytes(len(columns.act))
    cards = columns.card or bytes(len(columns.act))
    return ", ".join(
        " ".join(filter(None, (Act(a).name, FACE.get(c), color_letter(k))))
        for a, c, k in zip(columns.act, cards, colors, strict=True)
    )


def read_color(act: Mapping[str, object]) -> int:
    """The colour of an act, 0 if it names none.

    Raises:
        NotationError: no colour.
    """
    return parse_color(act.get("color"))


def seat_of(act: Mapping[str, object]) -> int:
    """The seat of an act.

    Raises:
        NotationError: it has none.
    """
    seat = act.get("seat") if isinstance(act, Mapping) else None
    if type(seat) is not int:
        raise NotationError("ACT", f"seat is {seat!r}; use the number of a seat")
    return seat


def perform(round_: "Round", act: Mapping[str, object]) -> None:
    """Carries out an act in notation, also DEFAULT and FORFEIT.

    Raises:
        IllegalAnswerError: not a legal act now; nothing has changed.
        NotationError: it cannot be read.
    """
    seat = seat_of(act)
    if act.get("act") == "FORFEIT":
        round_.forfeit(seat)
        return
    if act.get("act") == "DEFAULT":
        round_.apply(seat, *round_.default(seat))
        return
    round_.carry_out(seat, act)
