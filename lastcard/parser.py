"""Which parser protobuf runs on: what strangers send is read by the fast and bounded one only."""

from __future__ import annotations

from typing import Final

from lastcard.errors import InputError

FAST: Final = "upb"
"""Written in C; it refuses what is nested more than a hundred deep. The one in Python is slow and recurses."""


def require_fast_parser() -> None:
    """Check that protobuf runs on upb; whoever serves strangers asks before it listens.

    Raises:
        ImportError: protobuf is not installed.
        InputError: it runs on another one.

    """
    from google.protobuf.internal import api_implementation

    kind = api_implementation.Type()
    if kind != FAST:
        sentence = (
            f"protobuf runs on its parser in {kind}, which strangers could keep busy; install protobuf from a wheel, "
            f"which has {FAST}, and unset PROTOCOL_BUFFERS_PYTHON_IMPLEMENTATION"
        )
        raise InputError("SLOW_PROTOBUF", sentence, field="protobuf", value=kind, allowed=[FAST])
