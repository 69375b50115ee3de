"""What is set aside is parked if it is ours, and taken again once it is mended; what plays here plays on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from structlog.testing import capture_logs

from ladder.store import Store
from ladder.store.rows import MatchState
from referee.hosting import taking
from tests.live.damage import BAD, GOOD, Damage, begun, critical, said, two, write
from tests.live.house import house, plan
from tests.patience import until

pytestmark = pytest.mark.usefixtures("mended")


def _state(store: Store) -> str | None:
    return store.link.field(store.keys.match(BAD), "state")


# -- values beside matches


@pytest.mark.parametrize(
    "text", ["garbage", "[]", '{"formats":7,"room":1}', '{"formats":["uno-classic-2"],"room":"x"}']
)
async def test_a_word_about_a_bot_that_cannot_be_read_is_passed_over(store: Store, tmp_path: Path, text: str) -> None:
    """It is said once, under its name, and the referee goes on; who waits for an absent bot reads all of them."""
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            ann, ben = await two(home)
            name = f"{home.referee.incarnation}/zoe@1"
            store.link._execute("HSET", store.keys.presence, name, text)
            await home.plan(plan(BAD, ann, "zed@1"))
            await until(lambda: said(told, "presence_unreadable"))
            await home.plan(plan(GOOD, ann, ben))
            assert (await home.ended(GOOD)).state is MatchState.CLOSED
    assert [line["damaged"] for line in said(told, "presence_unreadable")] == [[name]]


@pytest.mark.parametrize("text", ["garbage", "[1]"])
async def test_a_beat_that_cannot_be_read_is_passed_over(store: Store, tmp_path: Path, text: str) -> None:
    """It is said once, under its name, and the referee goes on."""
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            ann, ben = await two(home)
            store.link._execute("SADD", store.keys.referees, "ref-x")
            store.link._execute("SET", store.keys.beat("ref-x"), text)
            assert home.referee.incarnation in store.matches.referees()
            await home.plan(plan(BAD, ann, "zed@1"), plan(GOOD, ann, ben))
            assert (await home.ended(GOOD)).state is MatchState.CLOSED
    assert [line["damaged"] for line in said(told, "beats_unreadable")] == [["ref-x"]]


# -- a head that is not the one that was written


async def test_a_match_fenced_by_nobody_is_parked(store: Store, tmp_path: Path) -> None:
    """Its referee lives, so that nobody else would take it."""
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            ann, ben = await begun(home, BAD)
            write("SET", "h:", f"1-9999-{'0' * 16}")(store)
            parked = await home.ended(BAD)
            await home.plan(plan(GOOD, ann, ben))
            assert (await home.ended(GOOD)).state is MatchState.CLOSED
    (line,) = said(told, "match_set_aside")
    assert (parked.state, parked.reason) == (MatchState.PARKED, f"internal error {line['incident']}")


@pytest.mark.parametrize(
    "damage", [pytest.param(write("DEL", "h:"), id="no head"), pytest.param(write("SET", "h:", "x"), id="rubbish")]
)
async def test_a_match_without_a_head_is_named_as_one_that_cannot_be_parked(
    store: Store, tmp_path: Path, damage: Damage
) -> None:
    """A number says that it stands, too."""
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            await begun(home, BAD)
            damage(store)
            await until(lambda: home.referee.counts.unparkable == 1)
            assert BAD not in home.referee.host.matches
    assert [line["match"] for line in said(told, "unparkable")] == [BAD]
    assert critical(told) == [BAD]


# -- mended


async def test_a_match_that_was_parked_and_put_back_is_played(store: Store, tmp_path: Path) -> None:
    """By the referee that had set it aside."""
    async with house(store, tmp_path) as home:
        ann, ben = await two(home)
        await home.plan(replace(plan(BAD, ann, ben), ready=False))
        write("HSET", "seed:", "a", "b")(store)
        store.matches.set_ready(BAD, 1)
        assert (await home.ended(BAD)).state is MatchState.PARKED
        write("DEL", "seed:")(store)
        store.matches.requeue(BAD, 2)
        assert (await home.ended(BAD)).state is MatchState.CLOSED


@pytest.mark.parametrize(
    ("damage", "mend"),
    [
        pytest.param(write("HSET", "m:", "meetings", "x"), write("HSET", "m:", "meetings", "1"), id="its row"),
        pytest.param(write("HSET", "m:", "tournament", "x"), write("HSET", "m:", "tournament", ""), id="no tournament"),
    ],
)
async def test_a_ready_match_is_played_once_it_is_mended(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: Damage, mend: Damage
) -> None:
    """It is looked at again at growing pauses, and reported once."""
    monkeypatch.setattr(taking, "PARK_AGAIN_S", (0.05, 60.0))
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            ann, ben = await two(home)
            await home.plan(replace(plan(BAD, ann, ben), ready=False))
            damage(store)
            store.link._execute("HSET", store.keys.match(BAD), "state", "ready")
            store.link._execute("ZADD", store.keys.ready, 1, BAD)
            await until(lambda: len(said(told, "still_damaged")) > 2)
            mend(store)
            assert (await home.ended(BAD)).state is MatchState.CLOSED
    assert critical(told) == [BAD]
    assert len(said(told, "unclaimable")) <= 1


async def test_what_was_mended_and_breaks_again_later_is_reported_again(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A setback is forgotten after the longest pause without another."""
    monkeypatch.setattr(taking, "PARK_AGAIN_S", (0.02, 0.05))
    async with house(store, tmp_path) as home:
        taker = home.referee.claimer.taker
        taker.set_aside(BAD, ValueError("x"))
        assert BAD in taker.aside
        await until(lambda: BAD not in taker._broken)
        assert BAD not in taker.aside


async def test_rows_that_cannot_be_read_are_found_among_many(store: Store, tmp_path: Path) -> None:
    """All others are returned, in order."""
    names = [f"ladder.uno-classic-2.3.{number}" for number in range(11)]
    damaged = {names[number] for number in (0, 4, 5)}
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            await home.plan(*(replace(plan(name, "yan@1", "zed@1"), ready=False) for name in names))
            for name in damaged:
                store.link._execute("HSET", store.keys.match(name), "leg", "x")
            rows = await home.referee.claimer.taker.rows(names)
            assert [row.id for row in rows] == [name for name in names if name not in damaged]
            assert home.referee.claimer.taker.aside == damaged
    assert set(critical(told)) == damaged


# -- hosted here


async def test_a_match_that_ends_while_its_row_is_read_is_not_set_aside(store: Store, tmp_path: Path) -> None:
    """It was hosted here when its row was asked for, and nothing is left to be parked."""
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            await begun(home, BAD)
            write("HSET", "m:", "leg", "x")(store)
            taker, matches = home.referee.claimer.taker, home.referee.host.matches
            run, hosted = taker._run, matches[BAD]

            async def ending(call: Callable[[], Any]) -> Any:  # noqa: ANN401  (whatever the call returns)
                matches.pop(BAD, None)
                return await run(call)

            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(taker, "_run", ending)
                assert await taker.rows([BAD]) == []
                matches[BAD] = hosted
            assert BAD not in taker.aside
            await until(lambda: _state(store) == MatchState.CLOSED)
    assert critical(told) == []


@pytest.mark.parametrize("look", ["orphans", "rows"])
async def test_a_match_plays_on_whatever_stands_in_its_row(store: Store, tmp_path: Path, look: str) -> None:
    """Its own referee does not park it."""
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            await begun(home, BAD)
            write("HSET", "m:", "leg", "x")(store)
            claimer = home.referee.claimer
            looks: dict[str, Callable[[], object]] = {"orphans": claimer.taker.orphans, "rows": claimer._drop_lost}
            await looks[look]()  # type: ignore[misc]
            assert BAD in home.referee.host.matches
            assert BAD not in claimer.taker.aside
            await until(lambda: _state(store) != MatchState.RUNNING)
            assert _state(store) == MatchState.CLOSED
    assert critical(told) == []
