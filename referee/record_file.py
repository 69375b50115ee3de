"""Files of game records: one JSON object, a list of them, or one a line."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lastcard.errors import InputError


@dataclass(frozen=True, slots=True)
class Damage:
    """What stands in place of a record that cannot be read."""

    message: str


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
    if text.endswith((" ", "\t", "\r")):
        return [Damage("the file ends in a blank, where a record ends with its line")]
    whole = _json(text)
    if isinstance(whole, list):
        return whole
    if not isinstance(whole, Damage):
        return [whole]
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip(" \t\r")]
    return [_json(line, f"line {number}") for number, line in lines]


def _json(text: str, where: str = "the file") -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        return Damage(f"{where} is no JSON: {error}")
    except RecursionError:
        return Damage(f"{where} is nested too deep to be a game record")
