"""Replies of the server as values of ours."""

from collections.abc import Mapping
from typing import TypeAlias, cast

from ladder.store.unread import spelled

Hash: TypeAlias = "Mapping[bytes, bytes] | WrongKindError"
"""A HGETALL as it came; or what stands there is no hash."""
Entry = tuple[str, dict[str, bytes]]
"""Of a stream: its id and its fields."""


class WrongKindError(ValueError):
    """What stands under a key is of another kind than was ever written there."""


def decode_hash(reply: object) -> dict[str, str]:
    """A HGETALL as text.

    Raises:
        ValueError: It is none, or there is no hash.
    """
    if isinstance(reply, WrongKindError):
        raise reply
    return {field.decode(): value.decode() for field, value in cast("Mapping[bytes, bytes]", reply).items()}


def spelled_hash(reply: object) -> dict[str, str]:
    """The same, to be compared: what is no text is spelled out."""
    fields = cast("Mapping[bytes, bytes]", reply)
    return {spelled(field): spelled(value) for field, value in fields.items()}


def spelled_scores(reply: object) -> dict[str, int]:
    """A ZRANGE WITHSCORES of integers, to be compared: what is no text is spelled out."""
    pairs = cast("list[tuple[bytes, float]]", reply)
    return {spelled(member): int(score) for member, score in pairs}


def decode_entries(reply: object) -> list[Entry]:
    """An XRANGE: ids as text, values as bytes."""
    rows = cast("list[tuple[bytes, dict[bytes, bytes]]]", reply)
    return [(entry.decode(), {field.decode(): value for field, value in fields.items()}) for entry, fields in rows]
