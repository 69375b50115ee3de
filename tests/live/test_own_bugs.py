"""A bug of ours in a match stops that match, is reported, and costs nobody else anything."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from queue import SimpleQueue

import pytest
from structlog.testing import capture_logs

from ladder.store import Store
from ladder.store.archive import Entry
from ladder.store.rows import MatchState
from lastcard import Bot, MatchResult, Option, Turn
from referee import logbook
from referee.bots import make
from referee.hosting import takeover
from referee.logbook import Author, Fault
from referee.machine import Machine
from referee.match import MatchPlay
from referee.scrape import registry
from referee.table import Table
from tests.live.damage import SLOW_S
from tests.live.house import house, plan
from tests.patience import PATIENCE_S, until
from tests.trunk.pair import Thoughtful

MATCH = "ladder.uno-classic-2.1.0"
NEIGHBOUR = "ladder.uno-classic-2.1.1"


class Listening(Bot):
    """Plays the first option and keeps what it hears of the ends of matches."""

    def __init__(self) -> None:
        self.ends: SimpleQueue[MatchResult] = SimpleQueue()

    def choose(self, turn: Turn) -> Option:
        """Return the first option."""
        return turn.options[0]

    def on_match_end(self, result: MatchResult) -> None:
        """Keep it."""
        self.ends.put(result)

    async def next_end(self) -> MatchResult:
        """Return what comes next."""
        return await asyncio.to_thread(self.ends.get, timeout=PATIENCE_S)


@pytest.mark.parametrize("nonces", [True, False], ids=["dealt when a nonce came", "dealt when it was claimed"])
async def test_a_bug_in_dealing_parks_one_match(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, nonces: bool
) -> None:
    """The other match of the same bots is played."""
    deal = MatchPlay.start

    def buggy(self: MatchPlay, game: int) -> Table:
        if self.spec.id == MATCH:
            raise RuntimeError("planted")
        return deal(self, game)

    monkeypatch.setattr(MatchPlay, "start", buggy)
    async with house(store, tmp_path) as home:
        ann, ben = await home.join("ann", make("greedy", 1)), await home.join("ben", make("careful", 2))
        await home.plan(plan(MATCH, ann, ben, nonces=nonces), plan(NEIGHBOUR, ann, ben, nonces=nonces))
        assert (await home.ended(NEIGHBOUR)).state is MatchState.CLOSED
        parked = await home.ended(MATCH)
        assert parked.state is MatchState.PARKED
        assert parked.reason.startswith("internal error ")
        assert home.referee.counts.crashes == 1


async def test_a_bug_in_rebuilding_parks_one_match(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The referee lives on, and plays the other match of the same bots."""
    rebuild = takeover.redo

    async def buggy(play: MatchPlay, entries: Iterable[Entry], machine: Machine) -> None:
        if play.spec.id == MATCH:
            raise RuntimeError("planted")
        await rebuild(play, entries, machine)

    monkeypatch.setattr("referee.hosting.taking.redo", buggy)
    async with house(store, tmp_path) as home:
        ann, ben = await home.join("ann", make("greedy", 1)), await home.join("ben", make("careful", 2))
        await home.plan(plan(MATCH, ann, ben), plan(NEIGHBOUR, ann, ben))
        assert (await home.ended(NEIGHBOUR)).state is MatchState.CLOSED
        parked = await home.ended(MATCH)
        assert parked.state is MatchState.PARKED
        assert parked.reason.startswith("internal error ")
        assert home.referee.counts.crashes == 1


async def test_a_parked_match_keeps_its_seed(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put back by an operator it goes on with the same deals, so nobody may have learned of them."""
    end_round, ends = MatchPlay.end_round, 0

    def buggy(self: MatchPlay, table: Table) -> bytes:
        nonlocal ends
        ends += 1
        if ends == 5:
            raise RuntimeError("planted")
        return end_round(self, table)

    monkeypatch.setattr(MatchPlay, "end_round", buggy)
    async with house(store, tmp_path) as home:
        listener = Listening()
        ann, ben = await home.join("ann", listener), await home.join("ben", make("careful", 2))
        await home.plan(plan(MATCH, ann, ben, meetings=8))
        assert (await home.ended(MATCH)).state is MatchState.PARKED
        first = await listener.next_end()
        assert (first.seed, first.nonces) == (b"", ())
        await asyncio.to_thread(store.matches.requeue, MATCH, 0)
        assert (await home.ended(MATCH)).state is MatchState.CLOSED
        assert (await listener.next_end()).seed == await asyncio.to_thread(store.matches.seed, MATCH)


@pytest.mark.parametrize("entry", [b"\xff\xff\xff", b""], ids=["no record", "an act that nobody could give"])
async def test_a_log_that_does_not_fit_the_rules_voids_the_match_with_an_alarm(
    store: Store, tmp_path: Path, entry: bytes
) -> None:
    """Whoever goes on with it finds out, and says so."""
    async with house(store, tmp_path) as home:
        ann, ben = await home.join("ann", Thoughtful(SLOW_S)), await home.join("ben", Thoughtful(SLOW_S))
        await home.plan(plan(MATCH, ann, ben))
        await until(lambda: len(store.matches.log(MATCH)) > 4)
    last = store.matches.log(MATCH)[-1]
    record = entry or logbook.act(0, 0, 250, 1, 0, Author.BOT, Fault.NONE, 1)
    store.link._execute("XADD", store.keys.log(MATCH), f"{last[0]}-{last[1] + 9}", "d", record)
    with capture_logs() as told:
        async with house(store, tmp_path) as again:
            again.tokens = home.tokens
            for name in ("ann", "ben"):
                await again.join(name, make("greedy", 1))
            row = await again.ended(MATCH)
            assert (row.state, row.reason) == (MatchState.VOID, "engine_mismatch")
            scraped = registry(again.referee.counts, again.referee.host, "1")
            assert scraped.get_sample_value("lastcard_engine_mismatches_total") == 1
    assert [line["match"] for line in told if line["event"] == "engine_mismatch"] == [MATCH]
