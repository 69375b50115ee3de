"""What a command says where no ladder answers: what is there instead, what was expected, and how to find it."""

from __future__ import annotations

from typing import Final

import grpc

__all__ = ["DEFAULT_LADDER", "NO_METHOD", "no_ladder", "unanswered"]

DEFAULT_LADDER: Final = "127.0.0.1:7420"
NO_METHOD: Final = grpc.StatusCode.UNIMPLEMENTED
SERVICE: Final = "lastcard.v1.LadderService"
"""A ladder that lacks a method names it among those that it has."""
OTHER: Final = ("Failed parsing HTTP/2", "Trying to connect an http1.x server")
"""What gRPC says of those who answer with something else."""
REFUSED: Final = "Connection refused"
LOST: Final = ("lookup", "resolving", "resolution")
FIND: Final = (
    "set LASTCARD_LADDER to the ladder's gRPC port, which `lastcard up` prints "
    f"({DEFAULT_LADDER} by default; its pages and the referees have other ports)"
)
START: Final = "start it (`lastcard up` runs everything)"


def unanswered(address: str, details: str) -> str:
    """Return what to say where a connection to a ladder came to nothing.

    Args:
        address: of the ladder, as it was named.
        details: gRPC's own words.
    """
    if any(word in details for word in OTHER):
        return f"what answers at {address} is no ladder, and no gRPC either: {FIND}"
    if any(word in details for word in LOST):
        return f"no machine is called as {address} says: look at its name; {FIND}"
    if REFUSED in details:
        return f"no ladder answers at {address}, nothing listens there: {START}, or {FIND}"
    return f"no ladder answers at {address}, it has stopped or something else is there: {START}, or {FIND}"


def no_ladder(address: str, details: str) -> str:
    """Return what to say where somebody answers who has no such method; nothing where it is a ladder all the same."""
    _called, _, offered = details.partition(";")
    ladder = SERVICE in (offered or details)
    return "" if ladder else f"what answers at {address} is no ladder, a referee perhaps: {FIND}"
