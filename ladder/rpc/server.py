"""A gRPC server with the frame around it; services are added before it starts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import grpc
import grpc.aio
from grpc_health.v1 import health, health_pb2
from grpc_reflection.v1alpha import reflection
from prometheus_client import CollectorRegistry

from ladder.rpc.burden import burden
from ladder.rpc.checkup import Checkup
from ladder.rpc.elsewhere import Elsewhere
from ladder.rpc.failures import failures
from ladder.rpc.guards import GuardInterceptor
from ladder.rpc.identity import TokenGuard, Tokens
from ladder.rpc.meter import CallMeter
from ladder.rpc.options import MAX_CALLS, SERVER_OPTIONS
from lastcard.address import PortTakenError
from lastcard.proxies import NOBODY, Proxies
from lastcard.strikes import Strikes

STOP_GRACE_S = 2.0


@dataclass(frozen=True, slots=True)
class Certificate:
    """The PEM files of a server that speaks TLS."""

    chain: bytes
    key: bytes


class RpcServer:
    """A `grpc.aio` server whose every call passes errors, size, tokens and metrics, in this order from the outside."""

    def __init__(
        self, tokens: Tokens, registry: CollectorRegistry, proxies: Proxies = NOBODY, *, reflect: bool = False
    ) -> None:
        guards = (failures, burden, TokenGuard(tokens, Strikes(), proxies), CallMeter(registry))
        self._services = [health.SERVICE_NAME]
        self._server = grpc.aio.server(
            interceptors=[Elsewhere(self._services), *(GuardInterceptor(guard) for guard in guards)],
            options=list(SERVER_OPTIONS),
            maximum_concurrent_rpcs=MAX_CALLS,
        )
        self._health = Checkup()
        self._reflect = reflect
        self._health.register(self._server)

    def add(self, name: str, register: Callable[[grpc.aio.Server], None]) -> None:
        """Add a service by its full name and by what registers its servicer."""
        register(self._server)
        self._services.append(name)

    async def start(self, address: str, certificate: Certificate | None = None) -> int:
        """Listen on `host:port` and return the port; port 0 takes a free one.

        Raises:
            PortTakenError: something else listens there.
        """
        if self._reflect:
            reflection.enable_server_reflection((*self._services, reflection.SERVICE_NAME), self._server)
        port = self._bind(address, certificate)
        await self._server.start()
        for name in ("", *self._services):
            self._health.set(name, health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.SERVING))
        return port

    async def stop(self) -> None:
        """Say NOT_SERVING, refuse new calls, give open ones a moment, then end them."""
        self._health.stop()
        await self._server.stop(STOP_GRACE_S)

    def _bind(self, address: str, certificate: Certificate | None) -> int:
        try:
            if certificate is None:
                return self._server.add_insecure_port(address)
            pairs = [(certificate.key, certificate.chain)]
            return self._server.add_secure_port(address, grpc.ssl_server_credentials(pairs))
        except RuntimeError as error:
            raise PortTakenError(address, "grpc") from error
