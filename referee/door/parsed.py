"""Bytes of a stranger as a message, or a refusal that says what they are not."""

from collections.abc import Iterable
from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from lastcard.metadata import MOST_METADATA, weight
from referee import wire
from referee.door.errors import RefusedStreamError

Parsed = TypeVar("Parsed", bound=Message)


def parsed(kind: type[Parsed], raw: bytes) -> Parsed:
    """Return the message.

    Raises:
        RefusedStreamError: RESOURCE_EXHAUSTED TOO_LARGE, or INVALID_ARGUMENT MALFORMED.
    """
    if len(raw) > wire.MOST_TAKEN:
        raise RefusedStreamError("RESOURCE_EXHAUSTED", "TOO_LARGE", oversized(raw))
    try:
        return kind.FromString(raw)
    except DecodeError:
        sentence = f"{len(raw)} bytes that are no {kind.DESCRIPTOR.full_name}"
        raise RefusedStreamError("INVALID_ARGUMENT", "MALFORMED", sentence) from None


def oversized(raw: bytes) -> str:
    """Return what is said of a message that is too large."""
    return f"a message of {len(raw):,} bytes; this referee takes {wire.MOST_TAKEN:,}"


def overloaded(metadata: Iterable[tuple[str, str | bytes]]) -> str:
    """Return what is said of metadata that are too large; "" if they are not.

    gRPC has the same limit, but for each frame that they come in, and lets any number of frames through.
    """
    size = weight(metadata)
    return f"{size:,} bytes of metadata; this referee takes {MOST_METADATA:,}" if size > MOST_METADATA else ""
