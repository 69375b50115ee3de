"""A match is hosted by whoever claimed it, also where the store fell silent in the middle of the claim."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import pytest

from ladder.store import Store
from ladder.store.archive import Entry
from ladder.store.errors import StoreUnavailableError, UnfitStoreError
from ladder.store.rows import MatchState
from referee.bots import make
from tests.live.house import house, plan, result

MATCH = "ladder.uno-classic-2.1.0"
R = TypeVar("R")


def silent_once(call: Callable[..., R], *, done: bool) -> tuple[Callable[..., R], list[bool]]:
    """Return the call, whose first answer is lost: it was done, or it was not; and a list, not empty from then on."""
    lost: list[bool] = []

    def calling(*arguments: object, **named: object) -> R:
        if lost:
            return call(*arguments, **named)
        lost.append(True)
        if done:
            call(*arguments, **named)
        raise StoreUnavailableError("planted")

    return calling, lost


async def test_a_match_that_cannot_be_claimed_holds_no_other_up(store: Store, tmp_path: Path) -> None:
    """Its tournament has no secret to make a seed of; the one behind it in the queue is played."""
    async with house(store, tmp_path) as home:
        ann, ben = await home.join("ann", make("greedy", 1)), await home.join("ben", make("careful", 2))
        await home.plan(replace(plan("cup.1.1.0", ann, ben), tournament="cup"), plan(MATCH, ann, ben))
        assert (await home.ended(MATCH)).state is MatchState.CLOSED
        assert store.matches.get("cup.1.1.0").state is MatchState.READY


@pytest.mark.parametrize(
    ("name", "done"),
    [
        pytest.param("claim", False, id="it was not claimed"),
        pytest.param("claim", True, id="the answer to the claim was lost"),
        pytest.param("log", False, id="its log could not be read"),
    ],
)
async def test_a_claim_in_which_the_store_fell_silent_is_taken_up(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, *, done: bool
) -> None:
    """Nobody else could: its owner beats."""
    async with house(store, tmp_path) as home:
        ann, ben = await home.join("ann", make("greedy", 1)), await home.join("ben", make("careful", 2))
        calling, lost = silent_once(getattr(store.matches, name), done=done)
        monkeypatch.setattr(store.matches, name, calling)
        await home.plan(plan(MATCH, ann, ben))
        assert (await home.ended(MATCH)).state is MatchState.CLOSED
        assert lost
        assert not home.referee.claimer.taker.begun


async def test_a_claim_is_taken_up_as_soon_as_the_store_lets_us(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It refused to show the log for a while, which says nothing of the match."""
    read, refusals = store.matches.log, iter(range(4))

    def refusing(match: str) -> list[Entry]:
        if next(refusals, None) is not None:
            raise UnfitStoreError("planted")
        return read(match)

    async with house(store, tmp_path) as home:
        ann, ben = await home.join("ann", make("greedy", 1)), await home.join("ben", make("careful", 2))
        monkeypatch.setattr(store.matches, "log", refusing)
        await home.plan(plan(MATCH, ann, ben))
        assert (await home.ended(MATCH)).state is MatchState.CLOSED
        assert next(refusals, None) is None


@pytest.mark.parametrize("orphan", [True, False], ids=["its first host died", "the answer to the claim was lost"])
async def test_who_never_came_does_not_lose_by_our_trouble(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, orphan: bool
) -> None:
    """What is taken up before anything was played waits for its bots as it would have in the queue."""
    monkeypatch.setattr("referee.hosting.claim.NOTICE_S", 0.0)
    calling, lost = silent_once(store.matches.claim, done=True)
    async with house(store, tmp_path, absent_s=0.5) as home:
        ann = await home.join("ann", make("greedy", 1))
        await home.token("ben")
        never = store.registry.version("ben", "1")
        if orphan:
            await home.plan(replace(plan(MATCH, ann, never), ready=False))
            store.matches.beat("ref-gone", {}, fresh=True)
            store.matches.set_ready(MATCH, 1 << 60)
            store.matches.claim(MATCH, "ref-gone", 1, seed=bytes(32))
            store.matches.leave("ref-gone")
        else:
            monkeypatch.setattr(store.matches, "claim", calling)
            await home.plan(plan(MATCH, ann, never))
        told = result(await home.ended(MATCH))
        assert told["forfeits"] == [{"entrant": 1, "reason": "NEVER_CAME"}]
        assert told["walkover"]
        assert bool(lost) is not orphan
