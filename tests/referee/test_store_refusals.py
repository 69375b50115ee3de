"""A store that answers and takes nothing is left alone for longer and longer, until it takes something."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hiredis import ReplyError

from ladder.store.keys import Keys
from ladder.store.match_calls import MatchCalls
from lastcard.address import Address
from referee.app import Referee
from referee.hosting import matchlog
from referee.hosting.hosted import Hosted, Phase
from referee.hosting.resp import OnReply
from referee.machine import Machine
from referee.match import MatchPlay
from referee.match_spec import MatchSpec
from referee.settings import Settings
from tests.referee.playing import SEED, spec

ANYWHERE = Address("127.0.0.1", 0)
READ_ONLY = ReplyError("READONLY You can't write against a read only replica.")
PAUSES = [0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0]


class Refusing:
    """A connection on which each write is answered at once: refused, or taken."""

    def __init__(self, on_lost: Callable[[], None], *, taken: bool) -> None:
        self._on_lost = on_lost
        self._taken = taken

    def send(self, _payload: bytes, replies: Sequence[OnReply]) -> None:
        """Answer; who took something is gone afterwards."""
        for reply in replies:
            reply(b"OK" if self._taken else READ_ONLY)
        if self._taken:
            self._on_lost()

    def abort(self) -> None:
        """Cut the connection."""
        self._on_lost()


def _log(machine: Machine | None = None) -> matchlog.MatchLog:
    settings = Settings(store_url="redis://nowhere:1/0", play=ANYWHERE, metrics=ANYWHERE, pepper_file=Path("pepper"))
    return Referee(settings, machine=machine or Machine()).log


@pytest.mark.parametrize("taken_at", [0, 4])
async def test_the_pauses_grow_until_something_is_taken(monkeypatch: pytest.MonkeyPatch, taken_at: int) -> None:
    """One entry is under way; the store refuses it on each connection, or takes it on the fifth."""
    log = _log()
    one = MatchSpec("cup.1.1.0", spec().format, spec().entrants, 1)
    hosted = Hosted(MatchPlay(one, SEED), "0-0-", 0, 0)
    hosted.phase = Phase.PLAYING
    hosted.pending += b"something"
    log.open(hosted, MatchCalls(Keys("main"), one.id, me="me", tournament="cup"))
    log.mark(hosted)
    await asyncio.sleep(0.01)
    pauses: list[float] = []

    async def connect(_store: object, _scripts: object, on_lost: Callable[[], None]) -> Refusing:
        return Refusing(on_lost, taken=bool(taken_at) and len(pauses) >= taken_at)

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == (taken_at + 1 if taken_at else len(PAUSES)):
            raise asyncio.CancelledError

    monkeypatch.setattr(matchlog, "connect", connect)
    monkeypatch.setattr(asyncio, "sleep", pause)
    with pytest.raises(asyncio.CancelledError):
        await log.run()
    assert pauses[: taken_at or None] == PAUSES[: taken_at or None]
    if taken_at:
        assert pauses[taken_at] == PAUSES[0], "what was taken ends the waiting"


@pytest.mark.parametrize(("lasts_s", "expected"), [(0.9, PAUSES), (1.1, PAUSES[:1] * len(PAUSES))])
async def test_a_connection_that_lasted_begins_anew(
    monkeypatch: pytest.MonkeyPatch, lasts_s: float, expected: list[float]
) -> None:
    """A referee with nothing to write loses it now and then, days apart: each loss is the first one again."""
    now_s = 0.0
    pauses: list[float] = []

    async def connect(_store: object, _scripts: object, on_lost: Callable[[], None]) -> Refusing:
        nonlocal now_s
        connection = Refusing(on_lost, taken=False)

        def lose() -> None:
            nonlocal now_s
            now_s += lasts_s
            connection.abort()

        asyncio.get_running_loop().call_soon(lose)
        return connection

    async def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == len(expected):
            raise asyncio.CancelledError

    monkeypatch.setattr(matchlog, "connect", connect)
    monkeypatch.setattr(asyncio, "sleep", pause)
    with pytest.raises(asyncio.CancelledError):
        await _log(Machine(monotonic=lambda: now_s)).run()
    assert pauses == expected
