"""One thing after the other, each at its own risk: what cannot be done is left, and the others get their turn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from celery.exceptions import SoftTimeLimitExceeded

__all__ = ["in_turn"]

Thing = TypeVar("Thing")


def in_turn(things: Iterable[Thing], do: Callable[[Thing], bool], leave: Callable[[Thing, Exception], None]) -> int:
    """Do each of these; returns how many were new. What goes wrong with one is told to `leave`.

    Raises:
        ConnectionError: the store is away; the rest is done when the task comes again.
        SoftTimeLimitExceeded: the time was over at one that was not the first, and will be when the task comes again.
    """
    done = 0
    for number, thing in enumerate(things):
        try:
            done += do(thing)
        except ConnectionError:
            raise
        except SoftTimeLimitExceeded as error:
            if number:
                raise
            leave(thing, error)
        except Exception as error:  # noqa: BLE001 - whatever it is, it costs precision and no result
            leave(thing, error)
    return done
