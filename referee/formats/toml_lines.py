"""Finds the line of a key in a TOML text, for messages: the reader of the standard library keeps no places."""

import re
from collections.abc import Sequence


def line_of(lines: Sequence[str], path: Sequence[str]) -> int:
    """Return the number, from 1, of the line that a key stands in, as well as text tells; else of a table around it."""
    at = 0
    for depth in range(1, len(path) + 1):
        names = _pattern(path[:depth])
        at = next((number for number in range(at, len(lines)) if names.search(lines[number])), at)
    return at + 1


def _pattern(path: Sequence[str]) -> re.Pattern[str]:
    """Return what a line looks like that has this key: the header of its table, or the key and its value."""
    keys = [f"""["']?{re.escape(key)}["']?""" for key in path]
    header = r"\s*\.\s*".join(keys)
    return re.compile(rf"^\s*\[\s*{header}\s*[\].]|(?:^|[\s,{{.]){keys[-1]}\s*=")
