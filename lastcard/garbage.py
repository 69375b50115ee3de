"""How often a process of ours looks for garbage: rarely, for what it makes is freed by reference counts."""

from __future__ import annotations

import atexit
import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

COLLECT_AFTER: Final = (5_000, 20, 20)
"""With Python's own thresholds it takes a tenth of the time in which a command is loaded, and finds nothing."""


@contextmanager
def collected_rarely() -> Iterator[None]:
    """Look for garbage rarely until the end of the block, whose caller may have wishes of its own."""
    before = gc.get_threshold()
    gc.set_threshold(*COLLECT_AFTER)
    try:
        yield
    finally:
        gc.set_threshold(*before)


def leave_alone() -> None:
    """Look for garbage rarely from now on, and never in what is there already: it lives as long as the process."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


def never_at_the_end() -> None:
    """Have this process end without a last look for garbage: with all that it is, it goes back to the system.

    Python would look through everything that was ever loaded, which takes a third as long as loading it.
    """
    atexit.register(gc.freeze)
