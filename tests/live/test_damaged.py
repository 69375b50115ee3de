"""What is wrong with one match in the store stops that match, and neither its referee nor the others."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from ladder.store import Store
from ladder.store.rows import MatchState
from referee.hosting import taking
from referee.hosting.matchlog import _passing
from referee.scrape import registry
from tests.live.damage import BAD, GOOD, STOPPED, Damage, begun, critical, said, two, write
from tests.live.house import House, house, plan
from tests.patience import until

pytestmark = pytest.mark.usefixtures("mended")


@pytest.mark.sample(5)
@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(write("SET", "log:", "x"), id="its log is none"),
        pytest.param(write("HSET", "m:", "entrants", "garbage"), id="its entrants are garbage"),
        pytest.param(write("HDEL", "m:", "entrants"), id="it has no entrants"),
        pytest.param(write("SET", "h:", "rubbish"), id="its head is rubbish"),
        pytest.param(write("HSET", "seed:", "a", "b"), id="its seed is none"),
        pytest.param(write("HSET", "m:", "entrants", '[["a"],["b"]]'), id="its entrants are lists"),
        pytest.param(write("HSET", "m:", "entrants", "[]"), id="its entrants are none"),
        pytest.param(write("HSET", "m:", "entrants", '["ann@1","ann@1"]'), id="its entrants are one"),
        pytest.param(write("HSET", "m:", "meetings", "999999999"), id="it has too many meetings"),
        pytest.param(write("HSET", "m:", "meetings", "0"), id="it has no meetings"),
        pytest.param(write("HSET", "m:", "id", "ladder.other.1"), id="its row is another one's"),
        pytest.param(write("DEL", "h:"), id="it has no head"),
    ],
)
async def test_a_damaged_match_is_set_aside_and_reported(store: Store, tmp_path: Path, damage: Damage) -> None:
    """The other match of the same bots is played."""
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            ann, ben = await two(home)
            await home.plan(replace(plan(BAD, ann, ben), ready=False))
            damage(store)
            store.matches.set_ready(BAD, 1)
            await until(lambda: BAD in home.referee.claimer.taker.aside)
            await home.plan(plan(GOOD, ann, ben))
            assert (await home.ended(GOOD)).state is MatchState.CLOSED
    assert critical(told) == [BAD]


async def test_a_damaged_match_that_was_claimed_is_parked(store: Store, tmp_path: Path) -> None:
    """Nobody else could take it while its referee beats. The incident is the one that the log names."""
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            ann, ben = await two(home)
            await home.plan(replace(plan(BAD, ann, ben), ready=False))
            write("HSET", "seed:", "a", "b")(store)
            store.matches.set_ready(BAD, 1)
            parked = await home.ended(BAD)
    (incident,) = [line["incident"] for line in said(told, "match_set_aside")]
    assert (parked.state, parked.reason) == (MatchState.PARKED, f"internal error {incident}")


@pytest.mark.parametrize("queue", [True, False], ids=["in the queue", "of whom nobody knows"])
async def test_a_row_that_cannot_be_read_costs_one_row(store: Store, tmp_path: Path, *, queue: bool) -> None:
    """Those that are read with it are played."""
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            ann, ben = await two(home)
            write("SET", "m:", "x")(store)
            if queue:
                store.link._execute("ZADD", store.keys.ready, 1, BAD)
            store.link._execute("SADD", store.keys.open, BAD)
            await home.plan(plan(GOOD, ann, ben))
            if not queue:
                store.link._execute("ZREM", store.keys.ready, GOOD)
            assert (await home.ended(GOOD)).state is MatchState.CLOSED
            await until(lambda: BAD in home.referee.claimer.taker.aside)
    assert critical(told) == [BAD]


async def test_a_log_that_takes_nothing_more_costs_one_match(store: Store, tmp_path: Path) -> None:
    """The connection that all logs share stays, and the other match ends."""
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            ann, ben = await two(home)
            await home.plan(plan(BAD, ann, ben, meetings=40))
            await until(lambda: len(store.matches.log(BAD)) > 2)
            await home.plan(plan(GOOD, ann, ben, meetings=2))
            write("DEL", "log:")(store)
            write("SET", "log:", "x")(store)
            assert (await home.ended(GOOD)).state is MatchState.CLOSED
            await until(lambda: BAD in home.referee.claimer.taker.aside)
            assert BAD not in home.referee.host.matches
    events = [line["event"] for line in told]
    assert events.count("entry_refused") == 1
    assert "store_refused" not in events
    assert critical(told) == [BAD]


async def _stuck(home: House) -> None:
    """Have a match set aside whose log takes nothing, not even its end."""
    await begun(home, BAD)
    write("DEL", "log:")(home.store)
    write("SET", "log:", "x")(home.store)
    await until(lambda: home.referee.counts.unparkable)


def _unparkable(home: House) -> float | None:
    scraped = registry(home.referee.counts, home.referee.host, "1")
    return scraped.get_sample_value("lastcard_matches_unparkable")


@pytest.mark.parametrize(
    "besides",
    [
        pytest.param(write("DEL", "log:"), id="the log was all"),
        pytest.param(write("HSET", "m:", "entrants", "garbage"), id="its entrants are garbage"),
    ],
)
async def test_a_match_that_cannot_be_parked_is_parked_as_soon_as_it_can(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, besides: Damage
) -> None:
    """Until then one line of the log and a number say that it stands, however often it is tried."""
    monkeypatch.setattr(taking, "PARK_AGAIN_S", (0.05, 0.1))
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            await _stuck(home)
            assert _unparkable(home) == 1
            tried = home.referee.claimer.taker._broken[BAD].next
            await until(lambda: home.referee.claimer.taker._broken[BAD].next > tried)
            besides(store)
            write("DEL", "log:")(store)
            await until(lambda: store.link.field(store.keys.match(BAD), "state") == MatchState.PARKED)
            await until(lambda: _unparkable(home) == 0)
    (line,) = said(told, "unparkable")
    assert "WRONGTYPE" in line["error"]
    assert [line["error"] for line in said(told, "match_set_aside")]


@pytest.mark.parametrize(
    "loss",
    [
        pytest.param(write("DEL", "m:"), id="it is gone"),
        pytest.param(write("HSET", "m:", "owner", "ref-other"), id="it is somebody else's"),
    ],
)
async def test_a_match_that_cannot_be_parked_is_given_up_where_it_is_not_ours(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loss: Damage
) -> None:
    """Nothing more is written to it."""
    monkeypatch.setattr(taking, "PARK_AGAIN_S", (0.05, 0.1))
    async with house(store, tmp_path) as home:
        await _stuck(home)
        loss(store)
        write("DEL", "log:")(store)
        await until(lambda: _unparkable(home) == 0)
        assert store.matches.log(BAD) == []


def test_the_pauses_between_attempts_grow_to_a_bound() -> None:
    """Nobody is asked all the time for what stands for days."""
    setback, pauses = taking.Setback("x"), []
    for _ in range(9):
        setback.put_off(100.0)
        pauses.append(setback.next - 100.0)
    assert pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60]


@pytest.mark.parametrize("event", ["rows_unreadable", "orphans_unreadable"])
async def test_what_is_wrong_with_a_row_is_said(store: Store, tmp_path: Path, event: str) -> None:
    """As the store told it, whoever met it."""
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            write("SET", "m:", "x")(store)
            if event == "rows_unreadable":
                store.link._execute("ZADD", store.keys.ready, 1, BAD)
            store.link._execute("SADD", store.keys.open, BAD)
            await until(lambda: BAD in home.referee.claimer.taker.aside)
    assert "WRONGTYPE" in next(line["error"] for line in told if line["event"] == event)


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(write("SET", "m:", "x"), id="its row is none"),
        pytest.param(write("HSET", "m:", "stop", "garbage"), id="an order about it is garbage"),
    ],
)
async def test_a_referee_beats_on_and_hears_orders_whatever_stands_in_a_match(
    store: Store, tmp_path: Path, damage: Damage
) -> None:
    """It is told once. Of the others of this referee one ends, and an operator's word about another one counts."""
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            await begun(home, BAD, GOOD, STOPPED)
            damage(store)
            await asyncio.to_thread(store.matches.void, STOPPED, "cheating", "olga", 1)
            stopped = await home.ended(STOPPED)
            await until(lambda: said(told, "orders_unreadable"))
            assert (await home.ended(GOOD)).state is MatchState.CLOSED
    assert (stopped.state, stopped.reason) == (MatchState.VOID, "cheating")
    (line,) = said(told, "orders_unreadable")
    assert (line["damaged"], line["log_level"]) == ([BAD], "critical")


@pytest.mark.parametrize(
    ("text", "passing"),
    [
        ("READONLY You can't write against a read only replica.", True),
        ("LOADING Redis is loading the dataset in memory", True),
        ("OOM command not allowed when used memory > 'maxmemory'.", True),
        ("MISCONF Redis is configured to save RDB snapshots", True),
        ("NOAUTH Authentication required.", True),
        ("NOSCRIPT No matching script.", True),
        ("ERR max number of clients reached", True),
        ("WRONGTYPE Operation against a key holding the wrong kind of value", False),
        ("ERR The ID specified in XADD is equal or smaller than the target stream top item", False),
    ],
)
def test_what_is_wrong_with_the_store_is_waited_for(text: str, *, passing: bool) -> None:
    """And nothing else is sent again and again."""
    assert _passing(Exception(text)) is passing
