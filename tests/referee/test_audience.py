"""Who watches waits for the log like everybody; while that stands still nothing gathers for him."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from dataclasses import replace
from typing import TYPE_CHECKING, cast

import pytest

from ladder.store.errors import StoreUnavailableError
from ladder.store.scenes import Shown
from referee.hosting import audience
from referee.hosting.audience import WHOLE_BEATS, Audience
from referee.hosting.hosted import Hosted
from referee.match import MatchPlay
from tests.patience import until
from tests.referee.playing import SEED
from tests.referee.test_late import PLAYED, Desk

if TYPE_CHECKING:
    from ladder.store.scenes import Scenes


def _watched(shelf: Shelf | None = None) -> tuple[Desk, Audience]:
    """A match whose first question is put, and who shows it; without a shelf nothing is written."""
    desk = Desk()
    desk.deliver()
    return desk, Audience(desk.host, desk.mark, cast("Scenes", shelf))


async def test_while_games_stand_still_nothing_gathers() -> None:
    """However long that is, and however many look on; then all is told as it is by now."""
    desk, shows = _watched()
    shows.beat([PLAYED.id])
    desk.deliver()
    desk.host.halted = True
    for _ in range(10 * WHOLE_BEATS):
        shows.beat([PLAYED.id])
    assert (desk.hosted.effects, len(shows._waiting)) == ([], 1)
    desk.host.halted = False
    for _ in range(WHOLE_BEATS):
        shows.beat([PLAYED.id])
    desk.deliver()
    assert len(shows._waiting) == 2


async def test_what_is_watched_before_all_else_takes_the_place_of_what_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who looks at many takes none from one who looks at one; what lost its place comes back when there is room."""
    monkeypatch.setattr(audience, "MOST_MATCHES", 1)
    desk, shows = _watched()
    other = Hosted(MatchPlay(replace(PLAYED, id="t.1.2.0"), SEED), "1-0-x", 1, 0)
    desk.host.adopt(other, ())
    desk.deliver()
    for order, shown in (("PO", "P"), ("OP", "O"), ("P", "P"), ("OP", "O")):
        shows.beat([{"P": PLAYED.id, "O": other.id}[one] for one in order])
        assert [one for one, hosted in (("P", desk.hosted), ("O", other)) if hosted.show] == [shown]


async def test_that_a_match_cannot_be_shown_is_told_when_the_log_has_what_is_said_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """How many of its games and rounds are over is an effect of answers, too."""
    monkeypatch.setattr(audience, "MOST_MATCHES", 0)
    desk, shows = _watched()
    shows.beat([PLAYED.id])
    assert shows._waiting == []
    desk.deliver()
    (said,) = shows._waiting
    assert (said.match, said.scene.busy, said.scene.tables) == (PLAYED.id, True, ())


class Shelf:
    """Takes scenes, or does not."""

    def __init__(self) -> None:
        self.away = False
        self.broken = False
        self.refused = 0
        self.taken: list[Shown] = []

    def put(self, shown: Collection[Shown]) -> None:
        """Take these, unless nobody is there, or there is a bug in it."""
        if self.broken:
            self.refused += 1
            raise KeyError("no plan")
        if self.away:
            self.refused += 1
            raise StoreUnavailableError("it is away")
        self.taken += shown


@pytest.mark.parametrize("first", [True, False], ids=["from the first scene on", "when the match ends"])
async def test_what_the_store_did_not_take_is_told_before_what_came_meanwhile(
    monkeypatch: pytest.MonkeyPatch, *, first: bool
) -> None:
    """A scene goes on where the one before it ended, and after the last one of a match none would make it good."""
    monkeypatch.setattr(audience, "AGAIN_S", 0.01)
    shelf = Shelf()
    desk, shows = _watched(shelf)
    shelf.away = first
    writing = asyncio.create_task(shows.run())
    shows.beat([PLAYED.id])
    desk.deliver()
    await until(lambda: shelf.refused or shelf.taken)
    shelf.away = True
    shows._last(desk.hosted)
    before = shelf.refused
    await until(lambda: shelf.refused > before + 1)
    shelf.away = False
    await until(lambda: len(shelf.taken) > 1)
    writing.cancel()
    assert [(one.number, one.scene.last) for one in shelf.taken] == [(1, False), (2, True)]
    assert shelf.taken[0].scene.tables


async def test_the_last_scene_is_kept_however_many_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Others are told again, whole; nobody would tell what it says."""
    monkeypatch.setattr(audience, "MOST_WAITING", 1)
    desk, shows = _watched()
    shows.beat([PLAYED.id])
    desk.deliver()
    shows._last(desk.hosted)
    assert [one.scene.last for one in shows._waiting] == [False, True]


async def test_what_a_bug_of_ours_cost_is_told_again_whole() -> None:
    """What it was about is not offered again, which would only fail again; the next scene has all of it."""
    shelf = Shelf()
    desk, shows = _watched(shelf)
    shelf.broken = True
    writing = asyncio.create_task(shows.run())
    shows.beat([PLAYED.id])
    desk.deliver()
    await until(lambda: shelf.refused)
    shelf.broken = False
    assert desk.hosted.show is not None
    await until(lambda: desk.hosted.show is not None and desk.hosted.show.anew)
    shows.beat([PLAYED.id])
    desk.deliver()
    await until(lambda: shelf.taken)
    writing.cancel()
    assert [one.number for one in shelf.taken] == [2]
    assert shelf.taken[0].scene.tables
