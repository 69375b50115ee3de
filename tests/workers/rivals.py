"""A contest between two versions of a bot, as their author sees it at a ladder that is served."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from ladder.rpc.dial import Dial
from lastcard.cli import main
from tests.workers.contests import COMMAND, MIRRORED, contest
from tests.workers.house import House
from tests.workers.served import served
from tests.workers.small_referee import FORMAT, playing
from workers.tournaments import contest_run
from workers.tournaments.client import TournamentClient


@pytest.fixture
def authors_shop(house: House, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    """Serve a house to the author of a bot with two versions, which play alike."""
    store = house.store
    _, token = store.registry.register("alpha", "ann", now_ms=house.now_ms)
    for name, owner in (("beta", "ben"), ("alpha-two", "ann")):
        store.registry.register(name, owner, now_ms=house.now_ms)
    store.registry.house("wall", now_ms=house.now_ms)
    versions = [store.registry.version(bot, "1") for bot in ("alpha", "beta", "alpha-two", "wall")]
    versions.append(store.registry.version("alpha", "2"))
    house.referee.seat(playing(versions, formats=[FORMAT, MIRRORED]))
    monkeypatch.setattr(contest_run, "POLL_S", 0.01)
    with served(house) as address:
        monkeypatch.setenv("LASTCARD_LADDER", address)
        monkeypatch.setenv("LASTCARD_TOKEN", token)
        monkeypatch.delenv("LASTCARD_TOKEN_FILE", raising=False)
        yield house


def begun(house: House, *parts: int) -> None:
    """Have its author create the contest, and these matches of it played and rated before anybody asks again."""
    with Dial.of() as dial:
        TournamentClient(dial).create(replace(contest(), named="rivals").spec)
    house.look()
    more(house, *parts)


def more(house: House, *parts: int) -> None:
    """Have these matches played and rated, one after the other."""
    for part in parts:
        assert house.referee.play(house.now_ms, 500, [f"rivals.1.1.{part}"])
        house.look()


def found(capsys: pytest.CaptureFixture[str], *more: str, code: int = 0) -> dict[str, Any]:
    """Run the command; returns what it prints for programs, and nothing else is printed."""
    assert main([*COMMAND, *more, "--json"]) == code
    out, err = capsys.readouterr()
    assert err == ""
    value: dict[str, Any] = json.loads(out)
    return value
