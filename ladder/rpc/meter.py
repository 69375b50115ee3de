"""The innermost guard: counts calls by method and status, and how long they took."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import grpc.aio
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from ladder.rpc.failures import code_of
from ladder.rpc.guards import Context

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)


class CallMeter:
    """Counts calls. Methods that no service has never get here, so the labels are a closed set."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._calls = Counter("lastcard_rpc", "Calls answered.", ["method", "code"], registry=registry)
        self._open = Gauge("lastcard_rpc_open", "Calls being answered.", registry=registry)
        self._seconds = Histogram(
            "lastcard_rpc_seconds", "Seconds from a call to its end.", ["method"], buckets=SECONDS, registry=registry
        )

    @asynccontextmanager
    async def __call__(self, method: str, context: Context) -> AsyncIterator[None]:  # noqa: ARG002 - a guard's shape
        """Count one call and the status that it ends with; one that the caller drops is CANCELLED."""
        begun, code = time.perf_counter(), "CANCELLED"
        try:
            with self._open.track_inprogress():
                yield
            code = "OK"
        except grpc.aio.AbortError:
            code = "ABORTED_BY_HANDLER"
            raise
        except Exception as error:
            code = code_of(error).name
            raise
        finally:
            name = method.strip("/")
            self._calls.labels(name, code).inc()
            self._seconds.labels(name).observe(time.perf_counter() - begun)
