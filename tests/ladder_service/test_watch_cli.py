"""`lastcard game watch`, as it is typed, against a running ladder."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest

from lastcard.cli import main
from lastcard.errors import ExitCode
from lastcard.words import EVENT_KINDS, EventKind
from tests.ladder_house import House
from tests.ladder_running import Running
from tests.ladder_service.test_gallery import END, MATCH, TABLE, Hall
from tests.patience import until

pytestmark = pytest.mark.slow

KIND = {kind: number for number, kind in reversed(list(enumerate(EVENT_KINDS)))}
EVENTS = bytes((KIND[EventKind.TURN], 1, 0, 1, KIND[EventKind.PLAYED], 1, 6, 0, KIND[EventKind.DREW], 0, 0, 1))


@pytest.fixture
def hall(ladder: Running, house: House, monkeypatch: pytest.MonkeyPatch) -> Hall:
    """A match that is being played, and a ladder to ask for it."""
    monkeypatch.setenv("LASTCARD_LADDER", ladder.addresses.grpc)
    return Hall(house)


async def followed(hall: Hall, *words: str) -> int:
    """Type the command, play a round meanwhile, and declare the match void."""
    typed = asyncio.create_task(asyncio.to_thread(main, ["game", "watch", MATCH, *words]))
    await until(lambda: hall.store.link.exist([hall.store.keys.watch(MATCH)]) == [True])
    first = replace(TABLE, events=EVENTS)
    await asyncio.to_thread(hall.show, first, whole=True, rounds=2)
    last = replace(TABLE, first=3, events=b"", end=END)
    await asyncio.to_thread(hall.show, last, rounds=4, last=True)
    await asyncio.to_thread(hall.end)
    return await typed


async def test_a_match_is_told_move_by_move(hall: Hall, capsys: pytest.CaptureFixture[str]) -> None:
    """In sentences, to its end; that it does not count is a negative finding."""
    assert await followed(hall) == ExitCode.NEGATIVE
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{MATCH} (uno-classic-2, careful@1 against random@1) is running"
    assert "Game 1: random@1 played R5" in lines
    assert "Game 1: careful@1 drew a card" in lines
    assert "Game 1: careful@1 won, a hand is empty (careful@1 +34)" in lines
    assert f"{MATCH} (uno-classic-2, careful@1 against random@1) is void: wrong deck" in lines


async def test_a_match_is_told_to_programs(hall: Hall, capsys: pytest.CaptureFixture[str]) -> None:
    """A line of JSON whenever something happens: cards as bots write them, hidden ones null."""
    assert await followed(hall, "--json") == ExitCode.NEGATIVE
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    events = [event for glimpse in told for table in glimpse["tables"] for event in table["events"]]
    assert [(one["number"], one["kind"], one["card"]) for one in events] == [
        (0, "TURN", None), (1, "PLAYED", "R5"), (2, "DREW", None)
    ]  # fmt: skip
    assert told[-1]["match"]["state"] == "void"
    assert told[-1]["live"] == "over"
    (end,) = [table["end"] for glimpse in told for table in glimpse["tables"] if table["end"]]
    assert (end["ending"], end["points"], end["game_over"]) == ("OUT", [34, 0], True)


async def test_a_match_that_there_is_not_is_refused(hall: Hall, capsys: pytest.CaptureFixture[str]) -> None:
    """With a reason, and others that there are."""
    code = await asyncio.to_thread(main, ["game", "watch", "no.1.1.0", "--json"])
    assert code == ExitCode.BAD_INPUT
    error = json.loads(capsys.readouterr().err)["error"]
    assert error["reason"] == "UNKNOWN_MATCH"
    assert "like spring.1.1.0; `lastcard bot log NAME`" in error["message"]
