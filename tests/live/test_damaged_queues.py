"""What is wrong with the sets and queues beside matches is named, set aside, and costs nobody else anything."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest
from structlog.testing import capture_logs
from structlog.typing import EventDict

from ladder.store import Store
from ladder.store.rows import MatchState
from referee.hosting import taking
from tests.live.damage import BAD, GOOD, Damage, critical, said, two, write
from tests.live.house import House, house, plan
from tests.patience import until

RUBBISH: Final = b"\xff\xfe"
SPELLED: Final = "\\xff\\xfe"
"""As a log has it."""


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have what was set aside looked at again soon."""
    monkeypatch.setattr(taking, "PARK_AGAIN_S", (0.05, 0.1))


def _unreadable(told: list[EventDict], key: str) -> list[object]:
    return [line["damaged"] for line in said(told, "member_unreadable") if line["key"] == key]


@pytest.mark.parametrize("name", ["open", "referees"])
async def test_a_member_that_is_no_text_is_passed_over(store: Store, tmp_path: Path, name: str) -> None:
    """It is named once; a match of whom only that set tells is found and played."""
    key = getattr(store.keys, name)
    store.link._execute("SADD", key, RUBBISH)
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            ann, ben = await two(home)
            await until(lambda: _unreadable(told, key))
            await home.plan(plan(GOOD, ann, ben))
            store.link._execute("ZREM", store.keys.ready, GOOD)
            assert (await home.ended(GOOD)).state is MatchState.CLOSED
            assert home.referee.incarnation in store.matches.referees()
    assert _unreadable(told, key) == [SPELLED]
    assert critical(told) == []


async def test_a_name_in_the_queue_that_is_no_text_is_set_aside(store: Store, tmp_path: Path) -> None:
    """It is reported once; the match that it was meant for is played as soon as it stands there."""
    store.link._execute("ZADD", store.keys.ready, 1, RUBBISH)
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            ann, ben = await two(home)
            await until(lambda: SPELLED in home.referee.claimer.taker.aside)
            await home.plan(plan(GOOD, ann, ben), replace(plan(BAD, ann, "zed@1"), ready=False))
            assert (await home.ended(GOOD)).state is MatchState.CLOSED
            store.link._execute("ZREM", store.keys.ready, RUBBISH)
            await home.plan(plan(f"{BAD}.r2", ann, ben))
            assert (await home.ended(f"{BAD}.r2")).state is MatchState.CLOSED
    assert critical(told) == [SPELLED]


async def test_a_name_in_the_queue_that_is_no_match_is_set_aside(store: Store, tmp_path: Path) -> None:
    """It is played once it is one."""
    store.link._execute("ZADD", store.keys.ready, 1, BAD)
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            ann, ben = await two(home)
            await until(lambda: said(told, "still_damaged"))
            await home.plan(plan(BAD, ann, ben))
            assert (await home.ended(BAD)).state is MatchState.CLOSED
    assert critical(told) == [BAD]


def _owned(home: House) -> Damage:
    return write("HSET", "m:", "owner", home.referee.incarnation)


def _beside(home: House) -> Damage:
    """Have the match owned by another referee that lives."""
    home.store.link._execute("SET", home.store.keys.beat("ref-other"), "{}")
    return write("HSET", "m:", "owner", "ref-other")


@pytest.mark.parametrize(
    ("damage", "mend"),
    [
        pytest.param(lambda _: write("HSET", "m:", "deals", "x"), write("HSET", "m:", "deals", "fresh"), id="deals"),
        pytest.param(_owned, write("HSET", "m:", "owner", ""), id="ours"),
        pytest.param(_beside, write("HSET", "m:", "owner", ""), id="somebody else's who lives"),
    ],
)
async def test_a_ready_match_that_nobody_can_take_is_played_once_it_is_mended(
    store: Store, tmp_path: Path, damage: Callable[[House], Damage], mend: Damage
) -> None:
    """Until then it is reported once, and looked at again and again; the other match is played."""
    with capture_logs() as told:
        async with house(store, tmp_path) as home:
            ann, ben = await two(home)
            await home.plan(replace(plan(BAD, ann, ben), ready=False))
            damage(home)(store)
            store.matches.set_ready(BAD, 1)
            await until(lambda: len(said(told, "still_damaged")) > 2)
            await home.plan(plan(GOOD, ann, ben))
            assert (await home.ended(GOOD)).state is MatchState.CLOSED
            assert store.link.field(store.keys.match(BAD), "state") == MatchState.READY
            mend(store)
            assert (await home.ended(BAD)).state is MatchState.CLOSED
    assert critical(told) == [BAD]
