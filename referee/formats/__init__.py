"""Formats: what a ladder or tournament plays, by name. The built-in ones, and those of an organiser's file.

The file is named by LASTCARD_FORMATS, read once by each process, and never again: what is played under a name does not
change while a process runs.
"""

import os
from collections.abc import Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import cache
from typing import Final

from referee.formats import builtin_formats
from referee.formats.format import DEALS, Format
from referee.formats.format_file import read

__all__ = ["VARIABLE", "Format", "UnknownFormatError", "get", "names", "own"]

VARIABLE: Final = "LASTCARD_FORMATS"


class UnknownFormatError(Exception):
    """There is no format of this name.

    Attributes:
        reason, field, value, allowed: for the caller's error.
    """

    reason = "UNKNOWN_FORMAT"

    def __init__(self, value: str) -> None:
        near = get_close_matches(value, _every(), n=1)
        hint = f"; did you mean {near[0]}? There" if near else "; there"
        super().__init__(
            f"there is no format {value!r}{hint} are: {', '.join(names())}, the built-in ones each also with "
            f"-fast, and then with -mirrored or -field; and every other {builtin_formats.GRAMMAR}; "
            f"{VARIABLE} names a file with further ones"
        )
        self.field = "format"
        self.value = value
        self.allowed = names()


@cache
def own() -> Mapping[str, Format]:
    """Return the formats of the file that LASTCARD_FORMATS names, by name; none without it.

    Raises:
        FormatFileError: the file is not what it may be. A process that needs formats asks once before it begins.
    """
    path = os.environ.get(VARIABLE)
    return read(path) if path else {}


def names() -> list[str]:
    """Return the names of the formats that are offered, those of the file last."""
    return [*builtin_formats.offered(), *own()]


def _every() -> list[str]:
    """Return the names that are offered, with all that may follow them."""
    ends = [f"{fast}{deals}" for fast in ("", "-fast") for deals in ("", "-mirrored", "-field")]
    return [*(f"{name}{end}" for name in builtin_formats.offered() for end in ends), *own()]


@cache
def get(name: str, deals: str = "") -> Format:
    """Return a format; `deals` overrides what its name says.

    Raises:
        UnknownFormatError: no such format.
    """
    found = own().get(name) or builtin_formats.find(name)
    if found is None or deals not in ("", *DEALS):
        raise UnknownFormatError(name)
    return replace(found, deals=deals) if deals else found
