"""Guards: what surrounds every call of a server, whatever its service and shape."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeAlias, TypeVar

import grpc
import grpc.aio
from google.protobuf.message import DecodeError

from ladder.errors import InvalidFieldError, TooManyError
from ladder.rpc.options import MAX_RECEIVE_BYTES

Request = TypeVar("Request")
Response = TypeVar("Response")
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Handler: TypeAlias = "grpc.RpcMethodHandler[Request, Response]"
# Entered before a call with the full name of its method, left after it; what the call raises passes through.
Guard: TypeAlias = Callable[[str, Context], AbstractAsyncContextManager[None]]
_SHAPES = {
    (False, False): ("unary_unary", grpc.unary_unary_rpc_method_handler),
    (False, True): ("unary_stream", grpc.unary_stream_rpc_method_handler),
    (True, False): ("stream_unary", grpc.stream_unary_rpc_method_handler),
    (True, True): ("stream_stream", grpc.stream_stream_rpc_method_handler),
}


class MalformedRequest:
    """Stands for bytes that are no message of the expected type, or more than a message may be; `size`: how many."""

    def __init__(self, size: int) -> None:
        self.size = size


class GuardInterceptor(grpc.aio.ServerInterceptor):
    """Puts one guard around every call."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler[Request, Response] | None]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler[Request, Response] | None:
        """Return the method's handler with the guard around it; None where there is no such method."""
        handler = await continuation(handler_call_details)
        return handler and _guarded(handler, handler_call_details.method, self._guard)


def _guarded(handler: Handler[Request, Response], method: str, guard: Guard) -> Handler[Request, Response]:
    name, make = _SHAPES[handler.request_streaming, handler.response_streaming]
    behaviour = getattr(handler, name)
    surround = _streaming if inspect.isasyncgenfunction(behaviour) else _calling
    return make(
        surround(behaviour, method, guard),
        request_deserializer=_lenient(handler.request_deserializer),
        response_serializer=handler.response_serializer,
    )


def _calling(behaviour: Callable[..., Any], method: str, guard: Guard) -> Callable[..., Any]:
    async def call(request: object, context: Context) -> object:
        async with guard(method, context):
            return await behaviour(_checked(request), context)

    return call


def _streaming(behaviour: Callable[..., Any], method: str, guard: Guard) -> Callable[..., Any]:
    async def stream(request: object, context: Context) -> AsyncIterator[object]:
        async with guard(method, context):
            async for response in behaviour(_checked(request), context):
                yield response

    return stream


def _lenient(deserializer: Callable[[bytes], Any] | None) -> Callable[[bytes], Any] | None:
    if deserializer is None:
        return None

    def deserialize(data: bytes) -> object:
        if len(data) > MAX_RECEIVE_BYTES:
            return MalformedRequest(len(data))
        try:
            return deserializer(data)
        except DecodeError:
            return MalformedRequest(len(data))

    return deserialize


def _checked(request: object) -> object:
    """Return a request, or a stream of requests, that is well formed, or that raises where it is not."""
    return _each(request) if isinstance(request, AsyncIterator) else _wellformed(request)


async def _each(requests: AsyncIterator[object]) -> AsyncIterator[object]:
    async for request in requests:
        yield _wellformed(request)


def _wellformed(request: object) -> object:
    if isinstance(request, MalformedRequest):
        if request.size > MAX_RECEIVE_BYTES:
            sentence = f"a message of {request.size:,} bytes; this ladder takes {MAX_RECEIVE_BYTES:,}"
            raise TooManyError("TOO_LARGE", sentence)
        raise InvalidFieldError("MALFORMED", "the request is no message of this method's request type; see the .proto")
    return request
