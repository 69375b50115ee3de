"""The standard health service, without its streams: they need no token, and would take room from calls."""

from __future__ import annotations

import grpc
import grpc.aio
from grpc_health.v1 import health, health_pb2

from ladder.errors import UnknownNameError
from ladder.rpc.guards import Context


class Checkup:
    """Says how each service is; the guards around it read the request, and end the call where it is refused."""

    def __init__(self) -> None:
        self._answers: dict[str, health_pb2.HealthCheckResponse] = {}

    def set(self, service: str, answer: health_pb2.HealthCheckResponse) -> None:
        """Answer so from now on where a service is asked for; the whole is ""."""
        self._answers[service] = answer

    def stop(self) -> None:
        """Say of every service that it does not serve."""
        over = health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.NOT_SERVING)
        self._answers = dict.fromkeys(self._answers, over)

    def register(self, server: grpc.aio.Server) -> None:
        """Add it to a server; other methods of the service are not there."""
        check = grpc.unary_unary_rpc_method_handler(
            self._check,
            request_deserializer=health_pb2.HealthCheckRequest.FromString,
            response_serializer=health_pb2.HealthCheckResponse.SerializeToString,
        )
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(health.SERVICE_NAME, {"Check": check}),))

    async def _check(self, request: health_pb2.HealthCheckRequest, _context: Context) -> health_pb2.HealthCheckResponse:
        answer = self._answers.get(request.service)
        if answer is None:
            raise UnknownNameError(
                "UNKNOWN_SERVICE", "there is no such service", field="service", allowed=tuple(self._answers)
            )
        return answer
