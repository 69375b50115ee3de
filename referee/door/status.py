"""How a call ends that is refused: a status with `google.rpc.ErrorInfo`, and with `RetryInfo` where it is known."""

import asyncio
from typing import Any, Final, NoReturn, TypeAlias

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.protobuf.message import Message
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
    details: list[Message] = [
        error_details_pb2.ErrorInfo(reason=refused.reason, domain="lastcard", metadata=refused.metadata)
    ]
    if refused.retry_s:
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(round(refused.retry_s * 1_000))
        details.append(error_details_pb2.RetryInfo(retry_delay=delay))
    made = status_pb2.Status(
        code=code_pb2.Code.Value(refused.status),
        message=f"{refused.reason}: {refused.sentence}",
        details=[_packed(one) for one in details],
    )
    try:
        async with asyncio.timeout(GOODBYE_S):
            await context.abort_with_status(rpc_status.to_status(made))
    except (grpc.aio.InternalError, TimeoutError):
        raise asyncio.CancelledError from None


def _packed(message: Message) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed
