"""How every process logs: one line an event on stderr, JSON for machines, coloured for a terminal, never a token.

Modules take their `logger` from here: structlog is loaded by the process that sets its log up, or with the first line
of one that does not, and so by hardly any command.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TextIO

from ladder.store.masking import traced

if TYPE_CHECKING:
    from structlog.typing import ExcInfo, Processor

__all__ = ["Logger", "bound", "configure", "logger"]

TOKEN: Final = re.compile(r"lcb1_[A-Za-z0-9_-]{20,}")
CHATTY: Final = ("celery.beat", "celery.app.trace", "celery.worker.strategy", "uvicorn.access", "httpx")
"""Loggers with a line for every task, message or request."""

PASSWORD: Final = re.compile(r"(\w+://)[^/@\s]*@")


class Logger:
    """Writes events under one name: `info`, `warning` and the others are structlog's."""

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, level: str) -> Any:  # noqa: ANN401 - structlog's loggers have no type, either
        import structlog

        return getattr(structlog.get_logger(self._name), level)


def logger(name: str) -> Logger:
    """Return what writes the events of a module."""
    return Logger(name)


@contextmanager
def bound(**values: object) -> Iterator[None]:
    """Have all events of this task or thread say these values, too."""
    from structlog.contextvars import bound_contextvars

    with bound_contextvars(**values):
        yield


@contextmanager
def _without(package: str) -> Iterator[None]:
    """Let a package that is not loaded yet be as if it were not installed."""
    if package in sys.modules:
        yield
        return
    sys.modules[package] = None  # type: ignore[assignment]  # what an import then finds is documented: nothing
    try:
        yield
    finally:
        del sys.modules[package]


def configure(to: TextIO | None = None, level: int = logging.INFO) -> None:
    """Send our own events and those of the libraries through one formatter to a stream, by default to stderr."""
    with _without("rich"):  # for tracebacks in frames, which we never write, structlog loads all of it: 0.1 s
        import structlog

    stream = to or sys.stderr
    plain = structlog.dev.plain_traceback
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.ExceptionRenderer(_traced),
        redacted,
    ]
    coloured = stream.isatty()
    last = structlog.dev.ConsoleRenderer(exception_formatter=plain) if coloured else structlog.processors.JSONRenderer()
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


def _traced(exc_info: ExcInfo) -> str:
    return traced(exc_info[1])


def redacted(_logger: object, _method: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Return the event without tokens and passwords of URLs, wherever they stand."""
    for key, value in event.items():
        if isinstance(value, str):
            event[key] = PASSWORD.sub(r"\1***@", TOKEN.sub("lcb1_***", value))
    return event
