"""Replies of the server as values of ours."""

from collections.abc import Mapping
from typing import cast

Entry = tuple[str, dict[str, bytes]]
"""Of a stream: its id and its fields."""


def decode_hash(reply: object) -> dict[str, str]:
    """A HGETALL as text."""
    return {field.decode(): value.decode() for field, value in cast("Mapping[bytes, bytes]", reply).items()}


def decode_scores(reply: object) -> dict[str, int]:
    """A ZRANGE WITHSCORES of integers."""
    pairs = cast("list[tuple[bytes, float]]", reply)
    return {member.decode(): int(score) for member, score in pairs}


def decode_entries(reply: object) -> list[Entry]:
    """An XRANGE: ids as text, values as bytes."""
    rows = cast("list[tuple[bytes, dict[bytes, bytes]]]", reply)
    return [(entry.decode(), {field.decode(): value for field, value in fields.items()}) for entry, fields in rows]
