"""Bytes of a stranger as a message, or a refusal that says what they are not."""

from typing import TypeVar

from google.protobuf.message import DecodeError, Message

from referee.door.errors import RefusedStreamError

Parsed = TypeVar("Parsed", bound=Message)


def parsed(kind: type[Parsed], raw: bytes) -> Parsed:
    """Return the message.

    Raises:
        RefusedStreamError: INVALID_ARGUMENT MALFORMED.
    """
    try:
        return kind.FromString(raw)
    except DecodeError:
        sentence = f"{len(raw)} bytes that are no {kind.DESCRIPTOR.full_name}"
        raise RefusedStreamError("INVALID_ARGUMENT", "MALFORMED", sentence) from None
