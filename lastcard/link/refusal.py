"""What a referee's status means for a bot: give up, with which sentence, or try again."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import Final

import grpc
from google.protobuf.empty_pb2 import Empty
from google.protobuf.unknown_fields import UnknownFieldSet

from lastcard.errors import BadTokenError, RefusedError, UpgradeError

DETAILS_KEY: Final = "grpc-status-details-bin"
STATUS_DETAILS: Final = 3  # google.rpc.Status.details
ANY_VALUE: Final = 2  # google.protobuf.Any.value
ERROR_REASON: Final = 1  # google.rpc.ErrorInfo.reason


class Why(Enum):
    """Why a stream ended."""

    LOST = auto()
    GOING_AWAY = auto()
    REPLACED = auto()
    RENEWED = auto()
    STOPPED = auto()


@dataclass(frozen=True, slots=True)
class Ending:
    """How a stream ended."""

    why: Why
    sentence: str = ""
    wait_s: float = 0.0  # before the next one
    code: grpc.StatusCode | None = None
    reason: str = ""


def ending(error: grpc.aio.AioRpcError) -> Ending:
    """Return how a stream ended that the referee, or the network, ended with an error."""
    return Ending(Why.LOST, error.details() or error.code().name, code=error.code(), reason=reason(error))


def reason(error: grpc.aio.AioRpcError) -> str:
    """Return the stable reason in the status details (`google.rpc.ErrorInfo`), or nothing."""
    for key, value in error.trailing_metadata() or ():
        if key == DETAILS_KEY and isinstance(value, bytes):
            found = [text for any_ in fields(value, STATUS_DETAILS) for text in reasons(any_)]
            return found[0] if found else ""
    return ""


def reasons(any_: bytes) -> list[str]:
    """Return the reasons in one detail of a status."""
    if b"google.rpc.ErrorInfo" not in any_:
        return []
    return [text.decode() for info in fields(any_, ANY_VALUE) for text in fields(info, ERROR_REASON)]


def fields(message: bytes, number: int) -> list[bytes]:
    """Return the length-delimited fields `number` of an encoded message; saves a dependency on its definition."""
    unknown = UnknownFieldSet(Empty.FromString(message))
    found = (unknown[place] for place in range(len(unknown)))
    return [field.data for field in found if field.field_number == number and isinstance(field.data, bytes)]


def refused(server: str, ended: Ending) -> RefusedError | None:
    """Return the error to stop with if trying again would not help, else None."""
    code, said = ended.code, ended.sentence.rstrip(".")
    if code in {grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED}:
        hint = "check the token, or make a new one with `lastcard bot rotate`"
        return BadTokenError(ended.reason or "BAD_TOKEN", f"{server} does not take this token: {said}; {hint}")
    if code is grpc.StatusCode.FAILED_PRECONDITION and ended.reason in {"", "UPGRADE"}:
        hint = "pip install --upgrade lastcard"
        return UpgradeError(ended.reason or "UPGRADE", f"{server} does not speak with this version: {said}; {hint}")
    if code in {grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.NOT_FOUND}:
        return RefusedError(ended.reason or code.name, f"{server} refuses this bot: {said}")
    if code is grpc.StatusCode.UNIMPLEMENTED:
        return RefusedError("NOT_A_REFEREE", f"{server} is no referee; referees listen on 7410 and up unless told else")
    return None
