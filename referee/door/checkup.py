"""The standard health service, without its streams: they need no token, and would take room from bots."""

from collections.abc import AsyncIterator
from time import monotonic
from typing import Final, NoReturn

import grpc
from grpc_health.v1 import health, health_pb2

from referee.door.errors import RefusedStreamError
from referee.door.hold import Hold
from referee.door.parsed import parsed
from referee.door.quota import Quota
from referee.door.status import Context, refuse

CHECKS_PER_S: Final = 20
CHECK_BURST: Final = 100


class Checkup:
    """Says how each service is. Those who ask too often, all together, wait for it: nobody needs a token to ask."""

    def __init__(self) -> None:
        self._answers: dict[str, bytes] = {}
        self._hold = Hold()
        self._checks = Quota(CHECKS_PER_S, CHECK_BURST, monotonic())

    def set(self, service: str, answer: health_pb2.HealthCheckResponse) -> None:
        """Answer so from now on where a service is asked for; the whole is ""."""
        self._answers[service] = answer.SerializeToString()

    def handler(self) -> grpc.GenericRpcHandler:
        """Return the gRPC handler; other methods of the service are not there."""
        check: grpc.RpcMethodHandler[bytes, bytes] = grpc.unary_unary_rpc_method_handler(self._check)
        watch: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(self._watch)
        return grpc.method_handlers_generic_handler(health.SERVICE_NAME, {"Check": check, "Watch": watch})

    async def _check(self, raw: bytes, context: Context) -> bytes:
        if not self._checks.spend(monotonic()):
            await self._hold.wait()
        try:
            return self._answer(raw)
        except RefusedStreamError as refused:
            await refuse(context, refused)

    def _answer(self, raw: bytes) -> bytes:
        answer = self._answers.get(parsed(health_pb2.HealthCheckRequest, raw).service)
        if answer is None:
            known = ", ".join(map(repr, self._answers))
            raise RefusedStreamError("NOT_FOUND", "UNKNOWN_SERVICE", f"there is no such service; here are {known}")
        return answer

    async def _watch(self, _requests: AsyncIterator[bytes], context: Context) -> NoReturn:
        """Refuse, as the health protocol allows; who watches goes by the connection then."""
        await self._hold.wait()
        await refuse(
            context, RefusedStreamError("UNIMPLEMENTED", "UNKNOWN_METHOD", "health is not streamed; ask with Check")
        )
