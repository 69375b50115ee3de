"""Answers calls of methods that there are not, as a referee does: a stable reason, and what there is."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any, Final, cast

import grpc
import grpc.aio

from ladder.rpc.guards import Context, Handler, Request, Response
from ladder.rpc.status import Refusal

LONGEST_METHOD: Final = 100
"""Letters of a name that are repeated to whoever called it."""


class Elsewhere(grpc.aio.ServerInterceptor):
    """Stands outside of all guards: whatever names a stranger makes up, none becomes the label of a metric."""

    def __init__(self, services: Sequence[str]) -> None:
        """Take the full names of what is served, which may still grow."""
        self._services = services

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler[Request, Response] | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler[Request, Response]:
        """Return the method's handler, or what refuses the call and reads nothing of it."""
        handler = await continuation(handler_call_details)
        return handler or cast("Handler[Request, Response]", self._refusing(handler_call_details.method))

    def _refusing(self, called: str) -> Handler[bytes, bytes]:
        method = called[:LONGEST_METHOD].encode("ascii", "replace").decode()
        sentence = f"there is no method {method}; here are {', '.join(self._services)}, and bots dial a referee"
        refusal = Refusal(grpc.StatusCode.UNIMPLEMENTED, "UNKNOWN_METHOD", sentence, metadata={"method": method})

        async def answer(_requests: AsyncIterator[bytes], context: Context) -> None:
            await context.abort(refusal.code, refusal.message, refusal.trailers())

        make: Any = grpc.stream_stream_rpc_method_handler
        return cast("Handler[bytes, bytes]", make(answer))
