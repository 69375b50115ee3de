"""How a stream ended, and what the referee said last."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING, Any, Final, TypeAlias, TypeVar, cast

import grpc
from google.protobuf.duration_pb2 import Duration
from google.protobuf.empty_pb2 import Empty
from google.protobuf.message import DecodeError
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
RETRY_DELAY: Final = 1  # google.rpc.RetryInfo.retry_delay
LONGEST_RETRY_S: Final = 600.0


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
            metadata = instantly(call.trailing_metadata())
            why, wait_s = reason(metadata), retry_s(metadata)
            self._ending = Ending(Why.LOST, plain(sentence) or code.name, wait_s, code, why)
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
    found = [
        text.decode() for info in details(metadata, b"google.rpc.ErrorInfo") for text in fields(info, ERROR_REASON)
    ]
    return found[0] if found else ""


def retry_s(metadata: Iterable[tuple[str, str | bytes]] | None) -> float:
    """Return for how long a status says that trying again is of no use (`google.rpc.RetryInfo`); 0: it says nothing.

    What is no time counts for nothing, and nobody is made to wait for longer than the longest that there can be.
    """
    told = [delay for info in details(metadata, b"google.rpc.RetryInfo") for delay in fields(info, RETRY_DELAY)]
    try:
        delay = Duration.FromString(told[0]) if told else Duration()
    except DecodeError:
        return 0.0
    return min(max(delay.seconds + delay.nanos / 1e9, 0.0), LONGEST_RETRY_S)


def details(metadata: Iterable[tuple[str, str | bytes]] | None, kind: bytes) -> list[bytes]:
    """Return the details of a status that are of a kind, encoded."""
    for key, value in metadata or ():
        if key == DETAILS_KEY and isinstance(value, bytes):
            return [one for any_ in fields(value, STATUS_DETAILS) if kind in any_ for one in fields(any_, ANY_VALUE)]
    return []


def fields(message: bytes, number: int) -> list[bytes]:
    """Return the length-delimited fields `number` of an encoded message; saves a dependency on its definition."""
    unknown = UnknownFieldSet(Empty.FromString(message))
    found = (unknown[place] for place in range(len(unknown)))
    return [field.data for field in found if field.field_number == number and isinstance(field.data, bytes)]
