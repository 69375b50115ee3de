"""The outermost guard: how a call fails. Refusals keep their words; our own bugs leave an id and nothing else."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import grpc
import grpc.aio

from ladder.door.refusals import refusal_of
from ladder.errors import Kind
from ladder.rpc.guards import Context
from ladder.rpc.status import Refusal
from ladder.store.logs import logger

CODES: Final = {
    Kind.INVALID: grpc.StatusCode.INVALID_ARGUMENT,
    Kind.UNKNOWN: grpc.StatusCode.NOT_FOUND,
    Kind.TAKEN: grpc.StatusCode.ALREADY_EXISTS,
    Kind.UNAUTHENTICATED: grpc.StatusCode.UNAUTHENTICATED,
    Kind.FORBIDDEN: grpc.StatusCode.PERMISSION_DENIED,
    Kind.TOO_MANY: grpc.StatusCode.RESOURCE_EXHAUSTED,
    Kind.STATE: grpc.StatusCode.FAILED_PRECONDITION,
    Kind.UNREACHABLE: grpc.StatusCode.UNAVAILABLE,
}
_log = logger("ladder.rpc")


@asynccontextmanager
async def failures(method: str, context: Context) -> AsyncIterator[None]:
    """End the call with the status of what it raises."""
    try:
        yield
    except grpc.aio.AbortError:
        raise
    except Exception as error:  # noqa: BLE001 - nothing of an unexpected error may reach the caller
        refusal = _known(error) or internal(error, method=method)
        await context.abort(refusal.code, refusal.message, refusal.trailers())


def code_of(error: BaseException) -> grpc.StatusCode:
    """Return the status that a call ends with when it raises this."""
    known = refusal_of(error)
    return CODES[known.kind] if known else grpc.StatusCode.INTERNAL


def internal(error: BaseException, **where: str) -> Refusal:
    """Log a bug of ours under a new id and return the refusal that names the id."""
    incident = secrets.token_hex(4)
    _log.error("internal error", incident=incident, exc_info=error, **where)
    return Refusal(grpc.StatusCode.INTERNAL, "INTERNAL", f"internal error {incident}")


def _known(error: BaseException) -> Refusal | None:
    known = refusal_of(error)
    if known is None:
        return None
    allowed = tuple(str(item) for item in known.allowed)
    return Refusal(CODES[known.kind], known.reason, known.message, known.field, str(known.value or ""), allowed)
