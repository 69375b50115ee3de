"""A bot that stands at the door while the ledger is slow to say who it is: that is none of its time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from types import SimpleNamespace
from typing import TypeVar, cast

import pytest

from ladder.store import Store
from referee.door.gate import Gate
from referee.hosting.beat import SILENT_S
from referee.hosting.hosted import Hosted, Phase
from referee.hosting.timekeeper import TICK_S
from referee.match import MatchPlay
from tests.referee.playing import SEED, spec
from tests.referee.test_late import ABSENT_S, OVERDUE_S, PLAYED, Desk

T = TypeVar("T")
WITH_NONCES = spec(PLAYED.format.name, with_nonces=True)


def _asked(desk: Desk) -> str:
    """Have the first question put; returns the name of the bot."""
    desk.deliver()
    (session,) = [one for one in desk.sessions if one.open]
    return session.bot.partition("@")[0]


def test_who_is_at_the_door_is_not_late_at_its_old_line() -> None:
    """That line may be dead. Afterwards it has as much time as it had."""
    desk = Desk()
    name = _asked(desk)
    desk.tick_for(1.0)
    with desk.host.roster.at_door(name, desk.now):
        desk.tick_for(OVERDUE_S)
    desk.tick_for(OVERDUE_S - 2.0)
    assert desk.faults() == 0
    desk.tick_for(2.0)
    assert desk.faults() == 1


def test_others_at_the_door_change_nothing() -> None:
    """Of another bot, that is."""
    desk = Desk()
    desk.deliver()
    with desk.host.roster.at_door("other", desk.now):
        desk.tick_for(OVERDUE_S + 1.0)
    assert desk.faults() == 1


def test_only_the_time_at_the_door_is_left_out() -> None:
    """Who dials as often as it may gains as much as the ledger takes to answer, however the ticks fall."""
    desk = Desk()
    name, seconds = _asked(desk), 0.0
    while not desk.faults():
        with desk.host.roster.at_door(name, desk.now + 0.04):  # a hundredth of a second before the tick
            desk.tick_for(0.05)
        seconds += 0.05
        assert seconds < OVERDUE_S * 1.5
    assert seconds > OVERDUE_S


def test_no_absence_goes_on_at_the_door() -> None:
    """However many of its processes stand there."""
    desk = Desk()
    desk.deliver()
    gone = desk.sessions.pop()
    desk.host.part(gone)
    name = gone.bot.partition("@")[0]
    with desk.host.roster.at_door(name, desk.now):
        with desk.host.roster.at_door(name, desk.now):
            desk.tick_for(1.0)
        desk.tick_for(ABSENT_S + 1.0)
    assert not desk.hosted.play.gone
    desk.tick_for(ABSENT_S + 1.0)
    assert desk.hosted.play.gone


def test_a_nonce_is_waited_for_as_long_as_its_bot_is_at_the_door_or_looked_for() -> None:
    """It could not be told that the match begins."""
    desk = Desk()
    hosted = Hosted(MatchPlay(WITH_NONCES, SEED), "1-0-x", 1, 0)
    desk.host.adopt(hosted, ())
    player = desk.host.roster.player(WITH_NONCES.entrants[0], desk.now)
    with desk.host.roster.at_door(player.name, desk.now):
        desk.tick_for(3.0)
    player.sought = True
    desk.tick_for(3.0)
    waited, player.sought = hosted.phase, False
    desk.tick_for(3.0)
    assert (waited, hosted.phase) == (Phase.NONCES, Phase.PLAYING)


@pytest.mark.parametrize(("waited_s", "expected"), [(SILENT_S + 0.1, True), (SILENT_S - 0.1, False)])
async def test_who_gives_up_at_the_door_is_waited_for_if_that_was_slow(waited_s: float, *, expected: bool) -> None:
    """As one that was turned away; who dials and hangs up at once gains nothing."""
    desk, asked = Desk(), asyncio.Event()

    async def slow(call: Callable[[], T], /) -> T:
        asked.set()
        await asyncio.Event().wait()
        return call()

    store = cast("Store", SimpleNamespace(registry=SimpleNamespace(authenticate=None)))
    gate = Gate(store, desk.host.roster, lambda: desk.now, me="me", run=slow)
    name = _asked(desk)
    dialling = asyncio.create_task(gate._admitted(name, lambda: None))
    await asked.wait()
    assert [player.name for player, _ in desk.host.roster.knocking()] == [name]
    desk.now += waited_s
    dialling.cancel()
    await asyncio.gather(dialling, return_exceptions=True)
    assert desk.host.roster.knocking() == []
    assert any(player.expected > desk.now for player in desk.host.roster.players.values()) == expected


def test_time_is_given_back_once_to_who_is_looked_for_and_stands_at_the_door() -> None:
    """A question that has lost its process has the whole of a look for one reason, and nothing more for the other."""
    desk = Desk()
    desk.deliver()
    session = next(one for one in desk.sessions if one.open)
    (seat,) = session.open
    desk.host.part(session)
    player = desk.host.roster.players[session.bot]
    seat.started = desk.now - 1.0
    player.sought = True
    with desk.host.roster.at_door(player.name, desk.now - 1.0):
        before = desk.now
        desk.timekeeper._last = before
        desk.now += TICK_S
        desk.timekeeper._hold(before, desk.now)
    assert seat.given_back == pytest.approx(TICK_S)
    assert desk.now - seat.started == pytest.approx(1.0)
