"""How a stream ended, and what the referee said last."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

import grpc
from google.protobuf.empty_pb2 import Empty
from google.protobuf.unknown_fields import UnknownFieldSet

from lastcard.tls import meaning
from lastcard.waiting import happens

if TYPE_CHECKING:
    Call: TypeAlias = grpc.aio.Call

T = TypeVar("T")
STATUS_S: Final = 1.0
NOT_THE_STATUS: Final = "Internal error from Core"
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


class LastWord:
    """The status that a referee ends a stream with.

    A write that meets the end of the stream makes gRPC put an error of its own before the status or, worse, over it;
    so every one that gRPC learns is looked at while it is there.
    """

    def __init__(self, call: Call) -> None:
        """Listen to `call`."""
        self._ending = Ending(Why.LOST, "the stream broke")
        self._told = asyncio.Event()
        call.add_done_callback(self._note)

    async def told(self) -> Ending:
        """Return the ending, once it is known."""
        await happens(self._told, STATUS_S)
        return self._ending

    def _note(self, call: Call) -> None:
        code, sentence = instantly(call.code()), instantly(call.details()) or ""
        if sentence != NOT_THE_STATUS:
            why = reason(instantly(call.trailing_metadata()))
            self._ending = Ending(Why.LOST, plain(sentence) or code.name, code=code, reason=why)
            self._told.set()


def plain(sentence: str) -> str:
    """Return what gRPC says about a failed connection in a few words, and anything else as it is."""
    if sentence.startswith("failed to connect"):
        return f"it cannot be reached ({meaning(sentence) or sentence.rpartition(': ')[2]})"
    return sentence


def instantly(answer: Coroutine[Any, Any, T]) -> T:
    """Return what a coroutine returns that has nothing to wait for."""
    try:
        answer.send(None)
    except StopIteration as stop:
        return cast("T", stop.value)
    raise RuntimeError("it has something to wait for")


def reason(metadata: Iterable[tuple[str, str | bytes]] | None) -> str:
    """Return the stable reason in the details of a status (`google.rpc.ErrorInfo`), or nothing."""
    for key, value in metadata or ():
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
