"""Slots of scheduled jobs: whatever number of clocks ring, each slot is acted on once."""

import secrets
from collections.abc import Sequence
from typing import Final

from ladder.store.call import Call
from ladder.store.client import Link
from ladder.store.keys import Keys
from ladder.store.scripts import script

REMEMBER_SECONDS: Final = 86_400
"""So long a slot is known, unless it is said otherwise: clocks that ring may be late, and none is later than that."""
PROBE_SECONDS: Final = 60


class Ticks:
    """The slots of a tenant."""

    def __init__(self, link: Link, keys: Keys) -> None:
        self._link = link
        self._keys = keys

    def probe(self, who: str) -> None:
        """Writes something, whatever was written before: a server that is full or read-only still answers reads.

        Raises:
            StoreUnavailableError: it does not answer, or takes no writes.
        """
        self._link.run(Call(script("probe"), (self._keys.tick("probe", who),), (PROBE_SECONDS,)))

    def tick(self, job: str, slot: str, seconds: int = REMEMBER_SECONDS) -> bool:
        """Whether the caller is the one to act on this slot of this job, which is known for so long.

        Where each match or task has a slot of its own they are many, and should be known for no longer than needed.
        """
        return self._link.run(self._call(job, slot, seconds)) == 1

    def tick_each(self, job: str, slots: Sequence[str], seconds: int) -> list[bool]:
        """The same for each of several slots, in one round trip."""
        return [reply == 1 for reply in self._link.run_all([self._call(job, slot, seconds) for slot in slots])]

    def taken(self, job: str, slots: Sequence[str]) -> list[bool]:
        """Whether somebody acts on each of these slots, as far as it is still known."""
        return self._link.exist([self._keys.tick(job, slot) for slot in slots])

    def _call(self, job: str, slot: str, seconds: int) -> Call:
        return Call(script("tick"), (self._keys.tick(job, slot),), (secrets.token_hex(8), seconds))
