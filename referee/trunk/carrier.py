"""Trunks over gRPC: a port of its own, and channels to those of others."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, Final, TypeAlias

import grpc

from ladder.store.logs import logger
from lastcard.address import Address, PortTakenError
from referee.tls import TrunkFiles
from referee.trunk.line import Line, LineLostError

METHOD: Final = "/lastcard.internal.v1.TrunkService/Carry"
HINT: Final = "; both ends need a certificate of LASTCARD_TRUNK_CA_FILE for the name in --trunk that has not expired"
PLAIN_HINT: Final = "; is that referee there, and without certificates as this one is?"
OPTIONS: Final = (
    ("grpc.max_receive_message_length", 4_194_304),
    ("grpc.max_send_message_length", 4_194_304),
    ("grpc.keepalive_time_ms", 10_000),
    ("grpc.keepalive_timeout_ms", 5_000),
    ("grpc.http2.ping_timeout_ms", 5_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.server_handshake_timeout_ms", 5_000),
    ("grpc.max_concurrent_streams", 4),
    ("grpc.max_allowed_incoming_connections", 64),
    ("grpc.so_reuseport", 0),
    ("grpc.enable_retries", 0),
    ("grpc.use_local_subchannel_pool", 1),
)
LOST: Final = (grpc.RpcError, grpc.aio.UsageError, grpc.aio.InternalError, asyncio.InvalidStateError)
REFUSED: Final = "this referee does not take that greeting; its log says why"
log = logger("referee.trunk.carrier")
Call: TypeAlias = "grpc.aio.StreamStreamCall[bytes, bytes] | grpc.aio.ServicerContext[bytes, bytes]"


class GrpcLine:
    """One call, at either end."""

    def __init__(self, call: Call, hint: str = "") -> None:
        self._call: Any = call
        self._hint = hint

    async def write(self, message: bytes) -> None:
        """Hand a message to the transport. Raises LineLostError."""
        try:
            await self._call.write(message)
        except LOST as error:
            raise LineLostError(self._why(error)) from error

    async def read(self) -> bytes:
        """Wait for a message. Raises LineLostError at the end."""
        try:
            message = await self._call.read()
        except LOST as error:
            raise LineLostError(self._why(error)) from error
        if not isinstance(message, bytes):
            raise LineLostError("the other end has closed it")
        return message

    def _why(self, error: BaseException) -> str:
        if not isinstance(error, grpc.aio.AioRpcError):
            return repr(error)
        details = error.details() or error.code().name
        return f"{details}{self._hint}" if error.code() is grpc.StatusCode.UNAVAILABLE else details


class GrpcCarrier:
    """Trunks at `address`, with mTLS where there are certificates."""

    def __init__(self, address: Address, files: TrunkFiles | None = None) -> None:
        self._address = address
        self._files = files
        self._server = grpc.aio.server(options=OPTIONS, maximum_concurrent_rpcs=64)

    async def listen(self, accept: Callable[[Line], Awaitable[None]]) -> Address:
        """Take the port of the trunk; what is dialled here goes to `accept`. Returns what others dial.

        Raises:
            PortTakenError: it is taken.
        """

        async def carry(_requests: AsyncIterator[bytes], context: "grpc.aio.ServicerContext[bytes, bytes]") -> None:
            try:
                await accept(GrpcLine(context))
            except LineLostError:
                await context.abort(grpc.StatusCode.PERMISSION_DENIED, REFUSED)
            except Exception as bug:
                incident = secrets.token_hex(4)
                log.critical("trunk_crashed", incident=incident, exc_info=bug)
                await context.abort(grpc.StatusCode.INTERNAL, f"internal error {incident}")

        method: grpc.RpcMethodHandler[bytes, bytes] = grpc.stream_stream_rpc_method_handler(
            carry, request_deserializer=None, response_serializer=None
        )
        service, name = METHOD[1:].split("/")
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {name: method}),))
        try:
            port = self._port()
        except RuntimeError as error:
            raise PortTakenError(str(self._address), "--trunk") from error
        await self._server.start()
        return Address(self._address.host, port)

    def _port(self) -> int:
        if self._files is None:
            return self._server.add_insecure_port(str(self._address))
        return self._server.add_secure_port(str(self._address), self._files.server())

    @asynccontextmanager
    async def dial(self, address: str) -> AsyncIterator[Line]:
        """Open a stream to another referee; its end is a LineLostError of whoever reads or writes."""
        if self._files is None:
            channel = grpc.aio.insecure_channel(address, options=OPTIONS)
        else:
            channel = grpc.aio.secure_channel(address, self._files.client(), options=OPTIONS)
        async with channel:
            carry: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(METHOD)
            call = carry()
            try:
                yield GrpcLine(call, HINT if self._files else PLAIN_HINT)
            finally:
                call.cancel()

    async def close(self) -> None:
        """Let nobody in any more."""
        await self._server.stop(0.2)
