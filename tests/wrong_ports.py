"""What may stand at an address that somebody named by mistake."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc
import grpc.aio


@asynccontextmanager
async def another_service(*handlers: grpc.GenericRpcHandler) -> AsyncIterator[str]:
    """Serve gRPC without any method, or with these."""
    server = grpc.aio.server()
    server.add_generic_rpc_handlers(handlers)
    port = server.add_insecure_port("127.0.0.1:0")
    await server.start()
    try:
        yield f"127.0.0.1:{port}"
    finally:
        await server.stop(0)
