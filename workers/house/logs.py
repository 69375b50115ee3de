"""The logs of processes, bounded: one that grows long is copied beside itself and emptied while its process writes on.

The writing end is the standard output of a process that knows nothing of this, opened for appending: after the cut it
goes on at the new begin. What is written in the moment between the last byte copied and the cut is lost.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Final

__all__ = ["USUAL", "Bounds", "opened", "trimmed"]

MIB: Final = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much of the logs is kept."""

    longest: int = 16 * MIB
    """Bytes beyond which a log is set aside."""
    kept: int = 3
    """Older parts of each, `<name>.log.1` the newest."""
    look_s: float = 10.0
    """Pause between two looks."""


USUAL: Final = Bounds()


def opened(log: Path, bounds: Bounds) -> int:
    """Open a log for appending, readable by its owner only; a very long one is set aside first."""
    if _length(log) > bounds.longest:
        _make_room(log, bounds.kept)
        log.replace(_older(log, 1))
    return os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)


def trimmed(log: Path, bounds: Bounds) -> bool:
    """Set a log that is too long aside while it is written to, and begin it anew; returns whether that was needed.

    Raises:
        OSError: the copy could not be written; the log is as it was.
    """
    if _length(log) <= bounds.longest:
        return False
    fresh = log.with_name(f".{log.name}.new")
    try:
        with log.open("r+b") as source, open(fresh, "wb", opener=_private) as copy:
            shutil.copyfileobj(source, copy, MIB)
            copy.flush()
            copy.write(source.read())  # what came meanwhile; now be quick
            copy.flush()
            source.truncate(0)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise
    _make_room(log, bounds.kept)
    fresh.replace(_older(log, 1))
    return True


def _make_room(log: Path, kept: int) -> None:
    """Move the older parts of a log on by one; the oldest goes."""
    for number in range(kept, 1, -1):
        if _older(log, number - 1).exists():
            _older(log, number - 1).replace(_older(log, number))


def _older(log: Path, number: int) -> Path:
    return log.with_name(f"{log.name}.{number}")


def _length(log: Path) -> int:
    return log.stat().st_size if log.exists() else 0


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CLOEXEC, 0o600)
