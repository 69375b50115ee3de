"""Computes ladders anew after matches that were applied were declared void."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from ladder.store.counters import Counter
from ladder.store.logs import logger
from ladder.store.store import Store

__all__ = ["Renewer"]

_log = logger("workers.renew")


@dataclass(frozen=True, slots=True)
class Renewer:
    """The use case behind the task `renew`."""

    store: Store

    def renew(self, ladder_format: str) -> int:
        """Serve a new generation of a ladder; returns its number, 0 if somebody else is at work or nothing is due."""
        if ladder_format not in self.store.generations.due():
            return 0
        renewed = self.store.generations.renew(ladder_format, secrets.token_hex(8))
        if renewed is None:
            return 0
        self.store.counters.add({Counter("renewed_ladders_total", {"format": ladder_format}): 1})
        _log.warning(
            "ladder computed anew",
            format=ladder_format,
            generation=renewed.generation,
            matches=renewed.matches,
            voids=renewed.voids,
        )
        return renewed.generation
