"""Reflection, for development: what services there are, and how they are described."""

from collections.abc import AsyncIterator, Iterable
from typing import Any

import grpc
from grpc_reflection.v1alpha import reflection, reflection_pb2

from referee.door.errors import RefusedStreamError
from referee.door.parsed import parsed
from referee.door.status import Context, refuse


def reflected(services: Iterable[str]) -> grpc.GenericRpcHandler:
    """Return a handler that names these services and describes them."""
    servicer: Any = reflection.aio.ReflectionServicer(services)

    async def info(requests: AsyncIterator[bytes], context: Context) -> AsyncIterator[bytes]:
        asked = (parsed(reflection_pb2.ServerReflectionRequest, raw) async for raw in requests)
        try:
            async for answer in servicer.ServerReflectionInfo(asked, context):
                yield answer.SerializeToString()
        except RefusedStreamError as refused:
            await refuse(context, refused)

    method: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(info)
    return grpc.method_handlers_generic_handler(reflection.SERVICE_NAME, {"ServerReflectionInfo": method})
