"""What a call may bring beside its messages. gRPC has the same limit, but for each frame, and takes many of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

MOST_METADATA: Final = 16_384
"""Bytes of the metadata of a call, with `ENTRY` more for each entry."""
ENTRY: Final = 32


def weight(metadata: Iterable[tuple[str, str | bytes]]) -> int:
    """Return how many bytes metadata count for (RFC 9113, 6.5.2)."""
    return sum(len(key) + len(value) + ENTRY for key, value in metadata)
