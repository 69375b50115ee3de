"""Where a referee is reached: a gRPC port with the standard health service, and a page of metrics and probes."""

from collections.abc import AsyncIterator
from typing import Final

import grpc
from grpc_health.v1 import health, health_pb2
from grpc_reflection.v1alpha import reflection
from prometheus_client import CollectorRegistry

from lastcard.address import Address, PortTakenError
from lastcard.metadata import MOST_METADATA
from referee import wire
from referee.door.checkup import Checkup
from referee.door.errors import RefusedStreamError
from referee.door.hold import Hold
from referee.door.limits import STREAMS_PER_CONNECTION
from referee.door.probes import Page, Probe
from referee.door.reflected import reflected
from referee.door.service import PlayService
from referee.door.status import Context, refuse
from referee.tls import PlayFiles

MOST_CONNECTIONS: Final = 8_192
"""Twice the streams. A connection without a stream has ten seconds, one without a greeting five."""
MOST_RPCS: Final = 4_000
SERVER_OPTIONS: Final = (
    ("grpc.max_receive_message_length", wire.MOST_CARRIED),
    ("grpc.max_send_message_length", wire.MOST_SENT),
    ("grpc.max_metadata_size", 8_192),
    ("grpc.absolute_max_metadata_size", MOST_METADATA),
    ("grpc.http2.hpack_table_size.decoder", 0),  # else one frame of 16 KiB names a field of 4 KiB thousands of times
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.ping_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_concurrent_streams", STREAMS_PER_CONNECTION),
    ("grpc.server_handshake_timeout_ms", 5_000),
    ("grpc.http2.settings_timeout", 5_000),
    ("grpc.max_allowed_incoming_connections", MOST_CONNECTIONS),
    ("grpc.so_reuseport", 0),
    ("grpc.max_connection_idle_ms", 10_000),
    # Of calls that wait to be looked at gRPC drops some at random above the first, with nothing but CANCELLED.
    ("grpc.server.max_pending_requests", MOST_RPCS),
    ("grpc.server.max_pending_requests_hard_limit", MOST_RPCS),
)
LONGEST_METHOD: Final = 100
"""Letters of a name that are repeated to whoever called it."""


class Elsewhere(grpc.GenericRpcHandler):
    """Answers the calls of methods that there are not; it stands behind all others."""

    def __init__(self) -> None:
        self._hold = Hold()

    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes]":
        """Return what refuses the call, with what was asked for; it reads nothing."""
        method = handler_call_details.method[:LONGEST_METHOD].encode("ascii", "replace").decode()
        sentence = f"there is no method {method}; bots call /{wire.SERVICE}/Play"
        refused = RefusedStreamError("UNIMPLEMENTED", "UNKNOWN_METHOD", sentence, method=method)

        async def answer(_requests: AsyncIterator[bytes], context: Context) -> None:
            await self._hold.wait()
            await refuse(context, refused)

        return grpc.stream_stream_rpc_method_handler(answer)


class GrpcFront:
    """Ports of this machine. `reflect`: tell clients what services there are, for development."""

    def __init__(
        self, play: Address, metrics: Address, files: PlayFiles | None = None, *, reflect: bool = False
    ) -> None:
        self._play = play
        self._files = files
        self._metrics = metrics
        self._reflect = reflect
        self._health = Checkup()
        self._server = grpc.aio.server(options=SERVER_OPTIONS, maximum_concurrent_rpcs=MOST_RPCS)

    def listen(self) -> Address:
        """Take the port for bots and return its address.

        Raises:
            PortTakenError: it is taken.
        """
        address = self._play
        try:
            if self._files is None:
                port = self._server.add_insecure_port(str(address))
            else:
                port = self._server.add_secure_port(str(address), self._files.server())
        except RuntimeError as error:
            raise PortTakenError(str(address), "--play") from error
        return Address(address.host, port)

    def show(self, registry: CollectorRegistry, live: Probe, ready: Probe) -> Address:
        """Serve metrics and probes, and return the address.

        Raises:
            PortTakenError: the port is taken.
        """
        address = self._metrics
        try:
            return Page(registry, live, ready).serve(address)
        except OSError as error:
            raise PortTakenError(str(address), "--metrics") from error

    async def open(self, service: PlayService) -> None:
        """Let bots in."""
        self._server.add_generic_rpc_handlers((service.handler(),))
        handlers = [self._health.handler()]
        if self._reflect:
            handlers.append(reflected((wire.SERVICE, health.SERVICE_NAME, reflection.SERVICE_NAME)))
        self._server.add_generic_rpc_handlers((*handlers, Elsewhere()))
        await self._server.start()
        self._say(health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.SERVING))

    async def turn_away(self) -> None:
        """Tell those who balance load that this referee stops."""
        self._say(health_pb2.HealthCheckResponse(status=health_pb2.HealthCheckResponse.NOT_SERVING))

    async def close(self, grace_s: float) -> None:
        """Let nobody in and cut the streams that are left after the grace."""
        await self._server.stop(grace_s)

    def _say(self, answer: health_pb2.HealthCheckResponse) -> None:
        for name in ("", wire.SERVICE):
            self._health.set(name, answer)
