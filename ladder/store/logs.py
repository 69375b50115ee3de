"""How every process logs: one line an event on stderr, JSON for machines, coloured for a terminal, never a token."""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import MutableMapping
from typing import Any, Final, TextIO

import structlog

__all__ = ["configure"]

TOKEN: Final = re.compile(r"lcb1_[A-Za-z0-9_-]{20,}")
CHATTY: Final = ("celery.beat", "celery.app.trace", "celery.worker.strategy", "uvicorn.access", "httpx")
"""Loggers with a line for every task, message or request."""

PASSWORD: Final = re.compile(r"(\w+://)[^/@\s]*@")


def configure(to: TextIO | None = None, level: int = logging.INFO) -> None:
    """Send our own events and those of the libraries through one formatter to a stream, by default to stderr."""
    stream = to or sys.stderr
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        redacted,
    ]
    last = structlog.dev.ConsoleRenderer() if stream.isatty() else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last]
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(formatter)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level)
    for name in CHATTY:
        logging.getLogger(name).setLevel(logging.WARNING)


def redacted(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Return the event without tokens and passwords of URLs, wherever they stand."""
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = PASSWORD.sub(r"\1***@", TOKEN.sub("lcb1_***", value))
    return event
