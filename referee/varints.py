"""Integers as bytes, seven bits in each, and reading them."""

from collections.abc import Callable


def varint(value: int) -> bytes:
    """Encode an unsigned integer, 7 bits a byte, low bits first."""
    if value < 128:
        return bytes((value,))
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value: int) -> int:
    """Return an integer as one that is not negative: small ones stay small."""
    return 2 * value if value >= 0 else -2 * value - 1


class Reader:
    """Reads bytes front to back; what is not there is an error that `corrupt` makes of the place and the problem.

    Attributes:
        at: what was read so far.
    """

    __slots__ = ("_corrupt", "at", "data")

    def __init__(self, data: bytes, corrupt: Callable[[int, str], Exception]) -> None:
        self.data = data
        self.at = 0
        self._corrupt = corrupt

    def byte(self) -> int:
        """Return the next byte."""
        if self.at >= len(self.data):
            raise self._corrupt(self.at, "it ends inside a record")
        self.at += 1
        return self.data[self.at - 1]

    def take(self, n: int) -> bytes:
        """Return the next so many bytes."""
        if self.at + n > len(self.data):
            raise self._corrupt(self.at, "it ends inside a record")
        self.at += n
        return self.data[self.at - n : self.at]

    def short(self, n: int) -> bytes:
        """Return the next so many bytes without taking them; none where there are fewer."""
        ahead = self.data[self.at : self.at + n]
        return ahead if len(ahead) == n else b""

    def varint(self) -> int:
        """Return the next integer."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise self._corrupt(self.at, "a number is longer than 63 bits")

    def signed(self) -> int:
        """Return the next integer that was one of `zigzag`."""
        value = self.varint()
        return -(value + 1) // 2 if value & 1 else value // 2
