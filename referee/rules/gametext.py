"""Acts and whole games as lines of text, and back: what `print` writes, `parse` reads to the same values.

game UNO classic 2
option hand_size 7
round 1                       the dealer
deck Y9 B6 RD ...             top first
chance ORDER 1 0
1 PLAY W4 B !                 seat, act, card, colour, `!` = called
0 MATCH matches=0:G3+G2,1:W2
end {"end":"OUT", ...}
result {"end":"ROUNDS", ...}
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from referee.rules.cards import COLORS, DOS_NAMES, UNO_NAMES
from referee.rules.errors import NotationError
from referee.rules.vocabulary import Act

KNOWN: Final = ("format", "variant", "preset", "seats", "options", "rounds", "result")
LISTS: Final = ("cards", "bonus", "dump")
FACES: Final = frozenset((*UNO_NAMES, *DOS_NAMES))
MOST: Final = 10**9  # numbers of a game are far below it
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_MATCH: Final = re.compile(r"([0-9]{1,9}):([^+,]+(?:\+[^+,]+)*)")


def print_act(act: Mapping[str, Any]) -> str:
    """The act as a line."""
    fields = [_token(name, value) for name, value in act.items() if name not in ("seat", "act")]
    return " ".join([str(act["seat"]), str(act["act"]), *fields])


def parse_act(line: str) -> dict[str, Any]:
    """The act of a line.

    Raises:
        NotationError: it is none.
    """
    seat, word, *tokens = line.split(" ") if line.count(" ") else (line, "")
    if not _NUMBER.fullmatch(seat) or word not in (*Act.__members__, "FORFEIT", "DEFAULT"):
        raise NotationError("ACT", f"{line!r} is no act; write `2 PLAY W4 B !`: seat, act, card, colour, ! for a call")
    act: dict[str, Any] = {"seat": int(seat), "act": word}
    for token in tokens:
        name, value = _field(token)
        if name in act:
            raise NotationError("ACT", f"{line!r} has {name} twice")
        act[name] = value
    return act


def _token(name: str, value: Any) -> str:  # noqa: ANN401  (JSON)
    if name == "call" and value is True:
        return "!"
    if (name == "card" and value in FACES) or (name == "color" and value in tuple(COLORS)):
        return str(value)
    if name in LISTS and isinstance(value, list) and all(card in FACES for card in value):
        return f"{name}={','.join(value)}"
    if name == "matches" and isinstance(value, list) and all(_plain(match) for match in value):
        return "matches=" + ",".join(f"{match['slot']}:{'+'.join(match['cards'])}" for match in value)
    if name == "number" and type(value) is int and 0 <= value < MOST:
        return f"number={value}"
    return f"{name}:={_json(value)}"


def _plain(match: Any) -> bool:  # noqa: ANN401  (JSON)
    return (
        isinstance(match, dict)
        and list(match) == ["slot", "cards"]
        and type(match["slot"]) is int
        and 0 <= match["slot"] < MOST
        and isinstance(match["cards"], list)
        and bool(match["cards"])
        and all(card in FACES for card in match["cards"])
    )


def _field(part: str) -> tuple[str, Any]:
    if part == "!":
        return "call", True
    if part in FACES:
        return "card", part
    if part in tuple(COLORS):
        return "color", part
    name, equals, text = part.partition("=")
    if name.endswith(":"):
        return name[:-1], _unjson(text)
    if name in LISTS and equals:
        return name, text.split(",") if text else []
    if name == "number" and equals:
        return name, _number(text)
    if name == "matches" and equals:
        return name, [_match(match) for match in text.split(",") if text]
    raise NotationError("ACT", f"{part!r} is no part of an act")


def _match(text: str) -> dict[str, Any]:
    found = _MATCH.fullmatch(text)
    if found is None:
        raise NotationError("ACT", f"{text!r} is no match; write `0:G3+G2`: slot, then one card or two")
    return {"slot": int(found[1]), "cards": found[2].split("+")}


def _number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise NotationError("RECORD", f"{text!r} is no whole number of up to nine digits")
    return int(text)


def _json(value: object) -> str:
    """JSON without a space: outside of strings there is none, inside it is escaped."""
    return json.dumps(value, separators=(",", ":")).replace(" ", "\\u0020")


def _unjson(text: str) -> Any:  # noqa: ANN401  (JSON)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):  # ValueError: no JSON, or a number of thousands of digits
        raise NotationError("ACT", f"{text!r} is no JSON") from None


def print_game(record: Mapping[str, Any]) -> str:
    """The game record as text."""
    lines = [f"game {record['variant']} {record['preset']} {record['seats']}"]
    lines += [f"option {name} {_json(value)}" for name, value in record["options"].items()]
    for played in record["rounds"]:
        lines += [f"round {played['dealer']}", " ".join(["deck", *played["deck"]])]
        lines += [_print_chance(kind, outcome) for kind, outcome in played["chance"]]
        lines += [print_act(act) for act in played["acts"]]
        lines.append(f"end {_json(played['result'])}")
    lines.append(f"result {_json(record['result'])}")
    lines += [f"field {name} {_json(value)}" for name, value in record.items() if name not in KNOWN]
    return "\n".join(lines) + "\n"


def _print_chance(kind: str, outcome: Any) -> str:  # noqa: ANN401  (JSON)
    words = [outcome] if isinstance(outcome, str) else [str(item) for item in outcome]
    return " ".join(["chance", kind, *words])


def parse_game(text: str) -> dict[str, Any]:
    """The game record of a text.

    Raises:
        NotationError: a line cannot be read.
    """
    reader = _Reader()
    for number, line in enumerate(text.splitlines(), 1):
        try:
            reader.read(line)
        except NotationError as error:
            raise NotationError("RECORD", f"line {number}: {error}") from None
    return reader.record


class _Reader:
    """Takes in a game line by line."""

    def __init__(self) -> None:
        self.record: dict[str, Any] = {"format": 1, "options": {}, "rounds": []}
        self.words: dict[str, Callable[[str], None]] = {
            "game": self._game,
            "option": self._option,
            "round": self._round,
            "deck": self._deck,
            "chance": self._chance,
            "end": self._end,
            "result": self._result,
            "field": self._further,
        }

    def read(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        read = self.words.get(word)
        if read is not None:
            read(rest)
        elif _NUMBER.fullmatch(word):
            self._played()["acts"].append(parse_act(line))
        else:
            raise NotationError("RECORD", f"{word!r} begins no line; use a seat, or {', '.join(self.words)}")

    def _played(self) -> dict[str, Any]:
        if not self.record["rounds"]:
            raise NotationError("RECORD", "no round has begun; write `round 1`, with its dealer, first")
        last: dict[str, Any] = self.record["rounds"][-1]
        return last

    @staticmethod
    def _put(fields: dict[str, Any], name: str, value: object) -> None:
        if name in fields:
            raise NotationError("RECORD", f"{name!r} stands there twice")
        fields[name] = value

    def _game(self, rest: str) -> None:
        words = rest.split(" ")
        if len(words) != 3:
            raise NotationError(
                "RECORD", f"'game {rest}' has not three words; write `game UNO classic 2` with the seats"
            )
        for name, value in zip(("variant", "preset", "seats"), (*words[:2], _number(words[2])), strict=True):
            self._put(self.record, name, value)

    def _option(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        self._put(self.record["options"], name, _unjson(value))

    def _round(self, rest: str) -> None:
        self.record["rounds"].append({"dealer": _number(rest), "chance": [], "acts": []})

    def _deck(self, rest: str) -> None:
        self._put(self._played(), "deck", rest.split())

    def _chance(self, rest: str) -> None:
        kind, *words = rest.split(" ")
        if not kind or not words:
            raise NotationError(
                "RECORD", f"'chance {rest}' has no outcome; write `chance ORDER 1 0` or `chance WHEEL WAR`"
            )
        outcome: Any = words[0] if kind == "WHEEL" else [_number(word) for word in words] if kind == "ORDER" else words
        self._played()["chance"].append([kind, outcome])

    def _end(self, rest: str) -> None:
        self._put(self._played(), "result", _unjson(rest))

    def _result(self, rest: str) -> None:
        self._put(self.record, "result", _unjson(rest))

    def _further(self, rest: str) -> None:
        name, _, value = rest.partition(" ")
        self._put(self.record, name, _unjson(value))
