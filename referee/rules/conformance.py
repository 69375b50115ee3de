"""Runs scenario files against the rules: a state, acts, what must follow.

    python -m referee.rules.conformance [--preset P] [--no-opts] FILE...

Prints one line a failure, with what was expected and what came, and a last line `N passed, M failed`. Exits with 1 if
a scenario failed, with 2 if the input cannot be used. It seeds, sorts and repairs nothing.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from referee.rules.cards import format_cards, parse_cards
from referee.rules.chance import ScriptedChance
from referee.rules.errors import ChanceError, IllegalAnswerError, NotationError, RulesError
from referee.rules.events import SIZE
from referee.rules.game import Game
from referee.rules.games import GAMES, resolve
from referee.rules.notation import perform
from referee.rules.presets import PRESETS
from referee.rules.round import Round
from referee.rules.setup import differing, load, multiset, observe, seats_of
from referee.rules.vocabulary import EventKind, Segment

KEYS: Final = frozenset(("id", "why", "preset", "opts", "state", "chance", "do", "expect"))
GAME_STATE: Final = ("scores", "rounds_won", "round_no")
CHANCE: Final = frozenset(("deck", "reshuffle", "order", "wheel"))


class FailedError(Exception):
    """A scenario failed: the first field that differs, with both values."""

    def __init__(self, field: str, expected: object, actual: object) -> None:
        super().__init__(field)
        self.field = field
        self.expected = expected
        self.actual = actual

    def __str__(self) -> str:
        return f"{self.field}: expected {json.dumps(self.expected)}, actual {json.dumps(self.actual)}"


class Scenario:
    """One scenario being run."""

    def __init__(self, scenario: Mapping[str, object]) -> None:
        self.scenario = scenario
        state = _mapping(scenario, "state")
        rules = resolve(str(scenario.get("preset")), _mapping(scenario, "opts"), seats_of(state))
        self.chance = read_chance(_mapping(scenario, "chance"), GAMES[rules.game].NAMES)
        self.game = Game.unbegun(rules, self.chance)
        if "scores" in state:
            self.game.scores = _numbers(state, "scores", rules.seats)
        if "rounds_won" in state:
            self.game.rounds_won = _numbers(state, "rounds_won", rules.seats)
        round_no = state.get("round_no", 1)
        if type(round_no) is not int or round_no < 1:
            raise NotationError("SCENARIO", f"state.round_no is {round_no!r}; use a number from 1")
        self.game.round_index = round_no - 1
        dealt = {key: value for key, value in state.items() if key not in GAME_STATE}
        self.game.round = load(GAMES[rules.game], rules, self.chance, dealt)
        self._settle()
        self.shown: list[dict[str, object]] = []
        self.ordered = False  # the order in which cards were shown counts

    def run(self) -> None:
        """Plays all acts and compares; FailedError says what differs first."""
        expect = dict(_mapping(self.scenario, "expect"))
        acts = self.scenario.get("do", [])
        if not isinstance(acts, list):
            raise NotationError("SCENARIO", "do is no list of acts")
        illegal = expect.pop("illegal", False) is True
        for number, act in enumerate(acts, 1):
            if illegal and number == len(acts):
                self._reject(act)
            else:
                self._accept(number, act)
        for field, wanted in expect.items():
            self._compare(field, wanted)
        if self.chance.left:
            raise FailedError("chance", "all used", f"not used: {self.chance.left}")

    def _accept(self, number: int, act: Mapping[str, object]) -> None:
        round_ = self.game.round
        first, cards = len(round_.events), round_.everything()
        try:
            perform(round_, act)
        except (IllegalAnswerError, NotationError) as error:
            raise FailedError(f"act {number}", act, f"illegal ({error})") from None
        if round_.everything() != cards:
            raise FailedError(f"cards after act {number}", format_cards(cards), format_cards(round_.everything()))
        self.shown = list(shown_since(round_, first))
        self.ordered = EventKind.WAR_SHOWN in round_.events[first::SIZE]
        self._settle()

    def _settle(self) -> None:
        """Counts the round if it is over, and deals the next one for which there is a deck: that may be over, too."""
        while self.game.round.result is not None:
            self.game.settle()
            if self.game.over or not self.chance.decks:
                return
            self.game.deal()

    def _reject(self, act: Mapping[str, object]) -> None:
        before = self.game.round.digest()
        try:
            perform(self.game.round, act)
        except (IllegalAnswerError, NotationError):
            if self.game.round.digest() != before:
                raise FailedError("illegal", "no trace of the illegal act", "the state has changed") from None
            return
        raise FailedError("illegal", "rejected", f"accepted {json.dumps(act)}")

    def _compare(self, field: str, wanted: object) -> None:
        if field in ("accepts", "rejects"):
            self._try_each(field, wanted)
            return
        observed = self._observe()
        if field not in observed:
            raise NotationError("SCENARIO", f"expect has no field {field!r}; use {', '.join(sorted(observed))}")
        actual = observed[field]
        if field == "shown" and not self.ordered:
            actual, wanted = unordered(actual), unordered(wanted)
        if differing(field, wanted, actual):
            raise FailedError(field, wanted, actual)

    def _observe(self) -> dict[str, object]:
        return observe(self.game.round) | self.game.observe() | {"illegal": False, "shown": self.shown}

    def _try_each(self, field: str, acts: object) -> None:
        if not isinstance(acts, list):
            raise NotationError("SCENARIO", f"expect.{field} is no list of acts")
        for act in acts:
            refusal = self._refusal(act)
            if field == "accepts" and refusal is not None:
                raise FailedError(field, act, f"illegal ({refusal})")
            if field == "rejects" and refusal is None:
                raise FailedError(field, act, "accepted")

    def _refusal(self, act: Mapping[str, object]) -> str | None:
        """Why an act is illegal now, tried on a copy; None if it is legal."""
        try:
            perform(self.game.round.copy(), act)
        except (IllegalAnswerError, NotationError) as error:
            return str(error)
        except ChanceError:  # legal: it came as far as to need chance that the scenario has no use for
            return None
        return None


def unordered(shown: object) -> object:
    """Entries of cards shown, each with its cards as a multiset."""
    if not isinstance(shown, list):
        return shown
    return [
        {**entry, "cards": multiset(entry["cards"])} if isinstance(entry, dict) and "cards" in entry else entry
        for entry in shown
    ]


def shown_since(round_: Round, first: int) -> Iterator[dict[str, object]]:
    """The cards shown by the events from this byte on: whose, to whom, which."""
    shown: dict[tuple[int, tuple[int, ...]], bytearray] = {}
    for at in range(first, len(round_.events), SIZE):
        kind, seat, card, _ = round_.events[at : at + SIZE]
        if kind not in (EventKind.HAND_SHOWN, EventKind.WAR_SHOWN):
            continue
        to: tuple[int, ...] = ()
        if not card:
            number = at // SIZE
            faces = {
                k: seen & 127 for k, seat_sees in enumerate(round_.private) for seen in seat_sees if seen >> 7 == number
            }
            to, card = tuple(faces), next(iter(faces.values()))
        shown.setdefault((seat, to), bytearray()).append(card)
    for (seat, to), cards in shown.items():
        yield {"seat": seat, "to": list(to) if to else "ALL", "cards": format_cards(cards)}


def read_chance(chance: Mapping[str, object], names: Mapping[str, int]) -> ScriptedChance:
    """The chance of a scenario.

    Raises:
        NotationError: it cannot be read.
    """
    unknown = sorted(set(chance) - CHANCE)
    if unknown:
        raise NotationError("SCENARIO", f"chance has no field {unknown[0]!r}; use {', '.join(sorted(CHANCE))}")
    lists = {name: chance.get(name, []) for name in CHANCE}
    if not all(isinstance(entries, list) for entries in lists.values()):
        raise NotationError("SCENARIO", "chance has something that is no list")
    segments = Segment.__members__
    try:
        wheel = [int(segments[name]) for name in _list(lists["wheel"])]
    except (KeyError, TypeError):
        raise NotationError("SCENARIO", f"chance.wheel takes {', '.join(segments)}") from None
    return ScriptedChance(
        decks=[parse_cards(pile, names) for pile in _list(lists["deck"])],
        reshuffles=[parse_cards(pile, names) for pile in _list(lists["reshuffle"])],
        orders=[_seats(order) for order in _list(lists["order"])],
        wheel=wheel,
    )


def _seats(order: object) -> list[int]:
    if not isinstance(order, list) or any(type(seat) is not int for seat in order):
        raise NotationError("SCENARIO", f"chance.order has {order!r}; use a list of seats")
    return order


def _list(value: object) -> list[Any]:
    assert isinstance(value, list)
    return value


def _mapping(value: Mapping[str, object], name: str) -> Mapping[str, Any]:
    found = value.get(name, {})
    if not isinstance(found, dict):
        raise NotationError("SCENARIO", f"{name} is no object")
    return found


def _numbers(state: Mapping[str, object], name: str, seats: int) -> list[int]:
    value = state[name]
    if not isinstance(value, list) or len(value) != seats or any(type(n) is not int for n in value):
        raise NotationError("SCENARIO", f"state.{name} is {value!r}; use {seats} numbers")
    return list(value)


def run(scenario: Mapping[str, object]) -> str | None:
    """Runs one scenario; what failed, or None."""
    unknown = sorted(set(scenario) - KEYS)
    if unknown:
        return f"scenario: no field {unknown[0]!r}; use {', '.join(sorted(KEYS))}"
    try:
        Scenario(scenario).run()
    except (FailedError, RulesError) as failure:
        return str(failure)
    return None


def read_file(path: str) -> Iterator[dict[str, object]]:
    """The scenarios of a file, one a line.

    Raises:
        NotationError: it cannot be read, or a line is no object.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        what = f"cannot be read: {error.strerror}" if isinstance(error, OSError) else "is no text in UTF-8"
        raise NotationError("SCENARIO", f"{path} {what}") from None
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            scenario = json.loads(line)
        except json.JSONDecodeError as error:
            raise NotationError("SCENARIO", f"{path}:{number}: {error}") from None
        except (ValueError, RecursionError):
            message = f"{path}:{number}: a number is too long, or something is nested too deep"
            raise NotationError("SCENARIO", message) from None
        if not isinstance(scenario, dict):
            raise NotationError("SCENARIO", f"{path}:{number}: a scenario is a JSON object")
        yield scenario


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; returns its exit status."""
    parser = argparse.ArgumentParser(prog="python -m referee.rules.conformance", description="Runs scenario files.")
    parser.add_argument("--preset", choices=sorted(PRESETS), help="only scenarios of this preset")
    parser.add_argument("--no-opts", action="store_true", help="only scenarios that change no option")
    parser.add_argument("files", nargs="+", metavar="FILE", help="JSON Lines, one scenario a line")
    chosen = parser.parse_args(arguments)
    passed = failed = 0
    try:
        for path in chosen.files:
            for scenario in read_file(path):
                if chosen.preset not in (None, scenario.get("preset")) or (chosen.no_opts and scenario.get("opts")):
                    continue
                failure = run(scenario)
                if failure is None:
                    passed += 1
                else:
                    failed += 1
                    sys.stdout.write(f"{scenario.get('id')}: {failure}\n")
    except NotationError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write(f"{passed} passed, {failed} failed\n")
    if not passed + failed:
        sys.stderr.write("no scenario was selected; check --preset and --no-opts\n")
        return 2
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
