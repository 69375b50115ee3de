"""Guard of what a call brings beside its messages: more than a server takes is refused before anything is looked at."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from ladder.errors import TooManyError
from ladder.rpc.guards import Context
from lastcard.metadata import MOST_METADATA, weight


@asynccontextmanager
async def burden(_method: str, context: Context) -> AsyncIterator[None]:
    """Let a call through whose metadata are not too large.

    Raises:
        TooManyError: they are.
    """
    size = weight(context.invocation_metadata() or ())
    if size > MOST_METADATA:
        raise TooManyError("TOO_LARGE", f"{size:,} bytes of metadata; this ladder takes {MOST_METADATA:,}")
    yield
