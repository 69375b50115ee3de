"""Addresses to listen on: `HOST:PORT`, read and written in one way."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from lastcard.errors import InputError

LOOPBACK: Final = frozenset({"127.0.0.1", "::1", "localhost"})
"""Hosts that only this machine reaches."""
MOST_PORT: Final = 65_535


@dataclass(frozen=True, slots=True)
class Address:
    """A host, without brackets, and a port; port 0 = any free one."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def loopback(self) -> bool:
        """Whether only this machine can reach it."""
        return self.host in LOOPBACK

    @classmethod
    def parse(cls, text: str, field: str) -> Address:
        """Read `HOST:PORT`; an IPv6 host stands in brackets.

        Raises:
            InputError: it is not that.
        """
        host, colon, port = text.rpartition(":")
        number = int(port) if port.isascii() and port.isdigit() and len(port) < 6 else MOST_PORT + 1
        if not colon or not host or number > MOST_PORT:
            sentence = (
                f"{field} must be HOST:PORT with a port from 0 to {MOST_PORT}, for example 127.0.0.1:7410; "
                f"it is {text!r}"
            )
            raise InputError("BAD_ADDRESS", sentence, field=field, value=text, allowed=["HOST:PORT"])
        return cls(host.removeprefix("[").removesuffix("]"), number)


class PortTakenError(InputError):
    """Something else listens where this process was told to, or the address is not of this machine."""

    def __init__(self, address: str, field: str) -> None:
        sentence = f"cannot listen on {address}: the port is taken, or the address is not of this machine"
        super().__init__("PORT_TAKEN", sentence, field=field, value=address)
