"""A moment of a recorded game as a scenario of the conformance kit: play may go another way from there.

A scenario tells of hands, piles and whose turn it is, and cannot tell of everything else (cards owed, what was just
drawn, a missed call). So it begins with a turn at or shortly before the moment, has the acts from there, and is run
before it is given away; where none of the last turns will do, it begins with the deal.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from referee.rules import conformance
from referee.rules.errors import RulesError
from referee.rules.game import Game
from referee.rules.presets import PRESETS
from referee.rules.replay import Step, steps
from referee.rules.setup import observe
from referee.rules.vocabulary import DecisionKind

TRIED: Final = 8
"""Turns before the moment that are tried as a beginning."""
COMPARED: Final = ("ask", "hand", "draw_cards", "discard_cards", "color", "pending", "drawn", "row", "bonus")


class NoSuchMomentError(RulesError):
    """The record has no such round or act."""

    def __init__(self, field: str, value: int, allowed: str) -> None:
        super().__init__("NO_SUCH_MOMENT", f"there is no {field} {value} in this record; allowed: {allowed}")
        self.field = field
        self.value = value
        self.allowed = (allowed,)


@dataclass(frozen=True, slots=True)
class Beginning:
    """A turn from which a scenario may begin."""

    act: int
    chance: int
    state: dict[str, Any]


def until(record: Mapping[str, Any], round_number: int, act: int) -> Iterable[Step]:
    """Play a record again up to a moment: the given act of the given round, both from 1; act 0 = the deal.

    Raises:
        NoSuchMomentError: there is no such round or act.
        DivergedError: something before it does not follow.
    """
    rounds = record.get("rounds")
    count = len(rounds) if isinstance(rounds, list) else 0
    if not 1 <= round_number <= count:
        raise NoSuchMomentError("round", round_number, f"1 to {count}")
    last = 0
    for step in steps(record):
        if step.round > round_number:
            break
        if step.round == round_number:
            last = step.act
        yield step
        if (step.round, step.act) == (round_number, act):
            return
    raise NoSuchMomentError("act", act, f"0 to {last} in round {round_number}")


def scenario(record: Mapping[str, Any], round_number: int, act: int) -> dict[str, Any]:
    """Return the scenario of a moment; the runner has found nothing wrong with it.

    Raises:
        NoSuchMomentError: there is no such round or act.
        DivergedError: something before it does not follow.
    """
    beginnings: list[Beginning] = []
    start: dict[str, Any] = {}
    step: Step | None = None
    for step in until(record, round_number, act):
        if step.round == round_number:
            if not step.act:
                start = _totals(step.game)
            if _turn(step.game):
                beginnings.append(Beginning(step.act, step.chance, start | _state(step.game)))
    assert step is not None, "a record has a deal"
    game = step.game
    played = record["rounds"][round_number - 1]
    dealt = start | {"start": "DEAL", "dealer": played["dealer"], "seats": game.rules.seats}
    candidates = [*islice(reversed(beginnings), TRIED), Beginning(0, 0, dealt)]
    for beginning in candidates:
        made = _made(record, step, beginning)
        if conformance.run(made) is None:
            return made
    raise NoSuchMomentError("act", act, "a moment before a seat left the match")


def _turn(game: Game) -> bool:
    """Whether just a turn is asked."""
    round_ = game.round
    return round_.seat >= 0 and round_.kind in (DecisionKind.TURN, DecisionKind.DOS_TURN) and not round_.out


def _totals(game: Game) -> dict[str, Any]:
    """What the game came with into the round."""
    return {"scores": list(game.scores), "rounds_won": list(game.rounds_won), "round_no": game.round_index + 1}


def _state(game: Game) -> dict[str, Any]:
    """The table, in the words of a scenario's state."""
    round_ = game.round
    seen = observe(round_)
    hands: dict[str, list[str]] = dict(seen["hand"])  # type: ignore[call-overload]
    state = {
        "hands": [hands[str(seat)] for seat in range(round_.n)],
        "draw": seen["draw_cards"],
        "discard": seen["discard_cards"],
        "row": seen["row"],
        "color": seen["color"],
        "dir": seen["dir"],
        "turn": round_.seat,
        "dealer": round_.dealer,
        "dump_right": seen["dump_right"],
    }
    return {name: value for name, value in state.items() if value not in ([], None) or name in ("hands", "color")}


def _made(record: Mapping[str, Any], step: Step, beginning: Beginning) -> dict[str, Any]:
    played = record["rounds"][step.round - 1]
    dealt = "start" in beginning.state
    chance = _chance(played["chance"][beginning.chance : step.chance])
    if dealt:
        chance["deck"] = [played["deck"]]
    usual = PRESETS[record["preset"]].defaults
    options = {name: value for name, value in record["options"].items() if value != _listed(usual[name])}
    acts = [{name: value for name, value in one.items() if name != "check"} for one in played["acts"]]
    where = f"round {step.round}, act {step.act}"
    game_id = record.get("game_id", "a game")
    made: dict[str, Any] = {
        "id": f"{game_id} {where}",
        "why": f"{where} of {game_id}",
        "preset": record["preset"],
        "opts": options,
        "state": beginning.state,
        "chance": chance,
        "do": acts[beginning.act : step.act],
        "expect": _expected(step.game),
    }
    return {name: value for name, value in made.items() if value or name in ("state", "do", "expect")}


def _listed(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value


def _chance(entries: Iterable[list[Any]]) -> dict[str, Any]:
    """The entries of a record as a scenario has them: by kind, and without shuffles of cards that are all equal."""
    chance: dict[str, Any] = {}
    for kind, outcome in entries:
        if kind != "RESHUFFLE" or len(set(outcome)) > 1:
            chance.setdefault(kind.lower(), []).append(outcome)
    return chance


def _expected(game: Game) -> dict[str, Any]:
    round_ = game.round
    seen = observe(round_)
    expected: dict[str, Any] = {name: seen[name] for name in COMPARED}
    if round_.result is not None:
        expected["round"] = round_.result.as_json()
    elif DecisionKind.CALL_WINDOW not in round_.asked.values():
        expected["dir"] = seen["dir"]
    return expected
