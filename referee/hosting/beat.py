"""The beat of a referee, the only lease there is: while it beats, what it has claimed is left to it."""

import asyncio
import secrets
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from ladder.store import Store
from ladder.store.errors import LapsedError, StoreError
from ladder.store.logs import logger
from ladder.store.match_reads import BEAT_MS
from ladder.store.rows import Orders
from referee.machine import Machine

ON_TIME_S: Final = 2.0
SILENT_S: Final = 0.5

log = logger("referee.hosting.beat")


class LapsedRefereeError(Exception):
    """This referee's beat ran out: others may own its matches. It must exit (75) and come back as another."""


class Beat:
    """Renews the beat, on a thread of its own, and notes what its answers tell of the store.

    Attributes:
        fresh: the next beat begins anew, so that a missing one is no lapse.
        opened: loop time since which bots could come in.
        opened_ms: wall time at which this referee began.
        open_ms: wall time since which bots could come in, as `opened`: deadlines of bots and tables count from then.
        orphans_from: loop time from which on a missing beat tells of a lost referee, and not of a store that was away.
    """

    def __init__(self, store: Store, machine: Machine, me: str) -> None:
        self._store = store
        self._machine = machine
        self._me = me
        self._thread = ThreadPoolExecutor(1, "beat")
        self._beaten = self.opened = machine.monotonic()
        self._asking_since = 0.0
        self.opened_ms = self.open_ms = machine.wall_ms()
        self.fresh = True
        self.orphans_from = 0.0
        self._broken = ""
        self._damaged: frozenset[str] = frozenset()

    def reconnected(self) -> None:
        """After the store came back: renew our beat first, leave others' matches alone, wait for bots anew."""
        self.fresh = True
        self.opened, self.open_ms = self._machine.monotonic(), self._machine.wall_ms()
        self.orphans_from = self.opened + BEAT_MS / 1000 + self._machine.random_below(1000) / 1000

    @property
    def unanswered(self) -> bool:
        """Whether the store has owed an answer for a while."""
        since = self._asking_since
        return since > 0.0 and self._machine.monotonic() - since > SILENT_S

    async def ready(self) -> None:
        """Return when the thread is free: a beat is as old as what it was asked with."""
        await asyncio.get_running_loop().run_in_executor(self._thread, lambda: None)

    async def renew(self, payload: Mapping[str, object], games_done: Mapping[str, int]) -> Orders | None:
        """Beat once; return the orders for matches of this referee, None where the store did not take it.

        Raises:
            LapsedRefereeError: the beat had run out.
        """
        fresh, self.fresh = self.fresh, False
        began = self._machine.monotonic()
        on_time = began - self._beaten < ON_TIME_S
        self._asking_since = self._asking_since or began
        try:
            orders = await asyncio.get_running_loop().run_in_executor(
                self._thread,
                lambda: self._store.matches.beat(self._me, payload, fresh=fresh, games_done=games_done),
            )
        except LapsedError as error:
            if not on_time:
                raise LapsedRefereeError(str(error)) from error
            # We asked in time and the store answered late: it stood still, not we. The heads fence what matters.
            log.warning("store_stalled", seconds=round(self._machine.monotonic() - began, 1))
            self._asking_since = 0.0
            self.reconnected()
            return None
        except StoreError as error:
            log.warning("beat_failed", error=str(error))
            self.fresh = True
            return None
        except Exception as broken:  # noqa: BLE001  (the beat comes first in its script)
            self._report(broken)
            orders = Orders({}, ())
        self._name(orders.damaged)
        self._beaten = began
        self._asking_since = 0.0
        return orders

    def _report(self, broken: Exception) -> None:
        """Say once what is wrong with all orders for our matches: until it is mended, none come."""
        said = f"{type(broken).__name__}: {broken}"
        if said != self._broken:
            self._broken = said
            log.critical("orders_unreadable", incident=secrets.token_hex(4), error=said, exc_info=broken)

    def _name(self, damaged: Iterable[str]) -> None:
        """Say once of which matches no orders can be read: until they are mended, none come for them."""
        before, self._damaged = self._damaged, frozenset(damaged)
        if new := self._damaged - before:
            log.critical("orders_unreadable", incident=secrets.token_hex(4), damaged=sorted(new))
