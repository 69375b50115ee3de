"""The logs of processes, bounded: one that grows long is copied beside itself and emptied while its process writes on.

The writing end is the standard output of a process that knows nothing of this, opened for appending: after the cut it
goes on at the new begin. What is written in the moment between the last byte copied and the cut is lost; so is what a
process writes that is so fast that a copy would never end.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

__all__ = ["USUAL", "Bounds", "is_there", "opened", "trimmed"]

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
    """Open a log for appending and reading, for its owner only; a very long one is set aside first.

    Raises:
        OSError: its folder is gone and cannot be made, or the disk takes no more.
    """
    log.parent.mkdir(0o700, exist_ok=True)
    _unfinished(log).unlink(missing_ok=True)
    if log.exists() and log.stat().st_size > bounds.longest:
        _make_room(log, bounds.kept)
        log.replace(_older(log, 1))
    return os.open(log, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)


def trimmed(descriptor: int, log: Path, bounds: Bounds) -> bool:
    """Set a log that is too long aside while it is written to, and begin it anew; returns whether that was needed.

    One that was removed has no reader any more: it is emptied, so that the disk gets its room back. One that was moved
    away was moved to be kept: it is left to whoever did it.

    Args:
        descriptor: where its process writes, from `opened`.
        log: where it was opened; the older parts lie beside it.
        bounds: how long it may be.

    Raises:
        OSError: the copy could not be written; the log is as it was.
    """
    status = os.fstat(descriptor)
    if status.st_size <= bounds.longest:
        return False
    if is_there(descriptor, log):
        _set_aside(descriptor, log, bounds)
        return True
    if not status.st_nlink:
        os.ftruncate(descriptor, 0)
    return not status.st_nlink


def is_there(descriptor: int, log: Path) -> bool:
    """Return whether a log still lies where it was opened: neither removed nor moved away."""
    try:
        return os.path.samestat(log.stat(), os.fstat(descriptor))
    except OSError:
        return False


def _set_aside(descriptor: int, log: Path, bounds: Bounds) -> None:
    """Have a copy of a log stand beside it before the log is emptied: whoever dies between has it twice, not never."""
    fresh, most = _unfinished(log), os.fstat(descriptor).st_size + bounds.longest
    try:
        with open(fresh, "wb", opener=_private) as copy:
            end = _copied(descriptor, copy, 0, most)
            _make_room(log, bounds.kept)
            fresh.replace(_older(log, 1))
            _copied(descriptor, copy, end, most)
            os.ftruncate(descriptor, 0)
    except OSError:
        fresh.unlink(missing_ok=True)
        raise


def _copied(descriptor: int, copy: BinaryIO, begin: int, most: int) -> int:
    """Copy from `begin` to the end, which is returned, and on until nothing came meanwhile.

    The place where the process writes stays as it is. Of one that writes faster than this copies, no more than `most`.
    """
    end = begin
    while end < most and (piece := os.pread(descriptor, min(MIB, most - end), end)):
        copy.write(piece)
        copy.flush()
        end += len(piece)
    return end


def _make_room(log: Path, kept: int) -> None:
    """Move the older parts of a log on by one; the oldest goes."""
    for number in range(kept, 1, -1):
        if _older(log, number - 1).exists():
            _older(log, number - 1).replace(_older(log, number))


def _unfinished(log: Path) -> Path:
    """Return where a copy is written; one that is there at the start is half a copy of whoever was killed."""
    return log.with_name(f".{log.name}.new")


def _older(log: Path, number: int) -> Path:
    return log.with_name(f"{log.name}.{number}")


def _private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_CLOEXEC, 0o600)
