"""A match that is rebuilt from its log leaves the loop to others now and then, however long its entries are."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest

from referee import logbook
from referee.hosting.takeover import SLICE_S, redo
from referee.machine import Machine
from referee.match import MatchPlay
from tests.referee.playing import SEED, play_match, spec

RECORD_S = SLICE_S / 10
"""So long each record takes here."""


class Timed(MatchPlay):
    """Counts what is folded into it."""

    folded = 0

    def redo(self, record: logbook.Record) -> None:
        """Take a while."""
        super().redo(record)
        self.folded += 1


@pytest.mark.parametrize("joined", [False, True], ids=["an entry a game", "one entry for all"])
async def test_nobody_waits_longer_for_a_fold_than_a_slice_takes(*, joined: bool) -> None:
    """Eleven records a slice: the tenth is through when the time is, and one more may have begun."""
    played, entries = play_match(spec(meetings=4))
    log = [b"".join(entries)] if joined else entries
    records = sum(len(list(logbook.records(entry))) for entry in log)
    play = Timed(played.spec, SEED)
    seen: list[int] = []

    async def others() -> None:
        while True:
            seen.append(play.folded)
            await asyncio.sleep(0)

    waiting = asyncio.create_task(others())
    await asyncio.sleep(0)
    await redo(
        play, [(1, number, data) for number, data in enumerate(log)], Machine(monotonic=lambda: play.folded * RECORD_S)
    )
    waiting.cancel()
    seen.append(play.folded)
    assert (play.over, play.folded) == (True, records)
    assert records > 20 * SLICE_S / RECORD_S
    assert max(after - before for before, after in pairwise(seen)) <= SLICE_S / RECORD_S + 1
