"""SIGTERM ends a command as Ctrl-C does: whoever waits in it can still say how to go on."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import ClassVar, NoReturn

from lastcard.errors import ExitCode


class Terminated(KeyboardInterrupt):
    """SIGTERM came. No bot's code catches it: it is no `Exception`."""

    exit_code: ClassVar[int] = ExitCode.TERMINATED


@contextmanager
def terminable() -> Iterator[None]:
    """Raise `Terminated` in the main thread at SIGTERM while this lasts; elsewhere than there it changes nothing."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, _terminate)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _terminate(_number: int, _frame: object) -> NoReturn:
    raise Terminated
