"""How a call ends that is refused: a status that carries `google.rpc.ErrorInfo`."""

import asyncio
from typing import Any, Final, NoReturn, TypeAlias

import grpc
from google.protobuf import any_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from referee.door.errors import RefusedStreamError

GOODBYE_S: Final = 2.0
Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"


async def refuse(context: Context, refused: RefusedStreamError) -> NoReturn:
    """End a call.

    Raises:
        AbortError: it is ended.
        CancelledError: the transport has ended it with a status of its own, or nobody reads: nobody is to be told.
    """
    detail = any_pb2.Any()
    detail.Pack(error_details_pb2.ErrorInfo(reason=refused.reason, domain="lastcard", metadata=refused.metadata))
    made = status_pb2.Status(
        code=code_pb2.Code.Value(refused.status), message=f"{refused.reason}: {refused.sentence}", details=[detail]
    )
    try:
        async with asyncio.timeout(GOODBYE_S):
            await context.abort_with_status(rpc_status.to_status(made))
    except (grpc.aio.InternalError, TimeoutError):
        raise asyncio.CancelledError from None
