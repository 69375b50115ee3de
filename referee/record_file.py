"""Files of game records: one JSON object, a list of them, one a line, or games as text (`referee.rules.gametext`)."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from lastcard.errors import InputError
from referee.rules.errors import NotationError
from referee.rules.gametext import parse_game

_GAME: Final = re.compile(r"^(?=game )", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Damage:
    """What stands in place of a record that cannot be read."""

    message: str


class FieldTwiceError(Exception):
    """An object of a file has two fields of this name."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def line_of(record: Mapping[str, Any]) -> str:
    """Return a record as its line of a file."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":")) + "\n"


def read(path: Path) -> list[object]:
    """Return the records of a file as they stand there, and a Damage for each that cannot be read.

    Raises:
        InputError: the file cannot be read, or there is nothing in it.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        message = f"{path} cannot be read: {error.strerror}"
        raise InputError("NO_RECORD_FILE", message, field="file", value=str(path)) from error
    found = parse(content)
    if not found:
        raise InputError("NO_RECORDS", f"{path} is empty: there is no game record in it", field="file", value=str(path))
    return found


def parse(content: bytes) -> list[object]:
    """Return the records of a file's content; a Damage stands for each that cannot be read."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        return [Damage(f"line {line} is no text in UTF-8")]
    if text.startswith("game "):
        return [_game(one) for one in _GAME.split(text)[1:]]
    if text.endswith((" ", "\t", "\r")):
        return [Damage("the file ends in a blank, where a record ends with its line")]
    whole = _json(text)
    if isinstance(whole, list):
        return whole
    if not isinstance(whole, Damage):
        return [whole]
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip(" \t\r")]
    return [_json(line, f"line {number}") for number, line in lines]


def _game(text: str) -> object:
    try:
        return parse_game(text)
    except NotationError as error:
        return Damage(f"its text, {error}")
    except RecursionError:
        return Damage("its text is nested too deep to be a game record")


def _json(text: str, where: str = "the file") -> object:
    try:
        return json.loads(text, object_pairs_hook=_fields)
    except json.JSONDecodeError as error:
        return Damage(f"{where} is no JSON: {error}")
    except FieldTwiceError as error:
        return Damage(f"{where} has the field {json.dumps(error.name)} twice in one object")
    except ValueError:  # what Python says of a number of thousands of digits
        return Damage(f"{where} has a number that is too long for a game record")
    except RecursionError:
        return Damage(f"{where} is nested too deep to be a game record")


def _fields(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object whose fields are each there once: of two, programs would read different ones."""
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        raise FieldTwiceError(next(name for name in names if names.count(name) > 1))
    return fields
