"""Takes what referees log out of the terminal and into a run."""

from collections.abc import Callable, Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any, TypeAlias

import structlog

Words: TypeAlias = MutableMapping[str, Any]


@contextmanager
def logs_into(note: Callable[[str, Words], None]) -> Iterator[None]:
    """Give every log line of the block to a function: its level, and its words."""

    def take(_logger: object, level: str, words: Words) -> Words:
        note(level, words)
        raise structlog.DropEvent

    before = structlog.get_config()
    structlog.configure(processors=[take], cache_logger_on_first_use=False)
    try:
        yield
    finally:
        structlog.configure(**before)
