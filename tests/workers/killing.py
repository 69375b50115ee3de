"""A process that ends between two writes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.workers.house import House


class KilledError(Exception):
    """Stands for the end of the process."""


def killed_at(house: House, monkeypatch: pytest.MonkeyPatch, writes: int) -> None:
    """Let the process end before its next write after so many."""
    link, left = house.store.link, [writes]

    def some(write: Callable[..., object]) -> Callable[..., object]:
        def one(calls: object) -> object:
            if not left[0]:
                raise KilledError
            left[0] -= 1
            return write(calls)

        return one

    monkeypatch.setattr(link, "run", some(link.run))
    monkeypatch.setattr(link, "run_all", some(link.run_all))
