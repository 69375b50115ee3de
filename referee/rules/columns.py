"""The options of a seat as columns, and the columns of lists that come again and again."""

from collections.abc import Callable
from typing import Final, NamedTuple


class OptionColumns(NamedTuple):
    """The options of a seat as parallel bytes; b"" where all would be zero."""

    act: bytes
    card: bytes
    second: bytes
    color: bytes
    slot: bytes


class Columns(OptionColumns):
    """The same with room for their encoded form: lists come again and again, and most are encoded once.

    Attributes:
        encoded: for whoever writes them down; b"" until then.
    """

    encoded: bytes = b""


class ColumnsOf(dict[bytes, Columns]):
    """The columns of lists of codes, made when first asked for.

    When there are too many, those that were not asked for lately are forgotten: two generations of `MOST` are kept, and
    what is asked for moves into the younger one.
    """

    MOST: Final = 16_384

    def __init__(self, make: Callable[[bytes], Columns]) -> None:
        super().__init__()
        self._make = make
        self._old: dict[bytes, Columns] = {}

    def __missing__(self, codes: bytes) -> Columns:
        """The columns of a list that is new, or was not asked for lately."""
        if len(self) >= self.MOST:
            self._old = dict(self)
            self.clear()
        columns = self[codes] = self._old.get(codes) or self._make(codes)
        return columns
