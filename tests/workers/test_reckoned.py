"""What takes the rules of a tournament and its schedule is told alike wherever a tournament is shown as JSON."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from ladder.app import LadderApp
from ladder.web.told import Told
from lastcard.cli import main
from tests.ladder_running import reached
from tests.workers.house import House, spec
from tests.workers.ledger_damage import damage
from tests.workers.small_referee import FORMAT
from tests.workers.test_sealed_doors import prepared
from workers.engine import teams_of, terms
from workers.records.export_cli import TABLE
from workers.tournaments.reckoned import reckoner
from workers.tournaments.tournament_status import status_shape

pytestmark = pytest.mark.slow


async def asked(house: House, url: str, folder: Path) -> tuple[int, dict[str, Any]]:
    """Return what the API says of the tournament, and with which status."""
    settings = await asyncio.to_thread(prepared, house, url, folder)
    told = Told(reckoned=reckoner(house.store, luck=True))
    async with LadderApp(settings, teams_of, told) as app, reached(await app.start()) as ladder:
        answer = await ladder.http.get("/api/v1/tournaments/spring")
        return answer.status_code, answer.json()


async def test_a_tournament_is_told_alike(
    house: House, ledger_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the API, by files, and by `tournament show --json`, before and after it was played."""
    monkeypatch.setenv("LASTCARD_REDIS_URL", ledger_url)
    monkeypatch.setenv("LASTCARD_TENANT", house.store.keys.tenant)
    monkeypatch.setenv("LASTCARD_ALLOW_VOLATILE", "1")
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=2))
    shown: dict[str, Any] = {}
    for number in range(2):
        status, said = await asked(house, ledger_url, tmp_path / str(number))
        assert status == 200
        assert (said["ruleset"], said["plan"]["matches"], said["plan"]["games"]) == (terms(FORMAT).ruleset, 3, 12)
        shown = json.loads(json.dumps(status_shape(house.desk.get("spring"))))
        out = tmp_path / f"out-{number}"
        assert await asyncio.to_thread(main, ["export", "spring", str(out), "--no-records"]) == 0
        written = json.loads((out / TABLE).read_text("utf-8"))
        assert said == written == shown
        assert list(said) == list(shown)
        house.play("spring")
    assert shown["rounds_per_second"] > 0
    assert shown["matches"] == 3
    assert shown["started"] < shown["ended"]


async def test_notes_that_cannot_be_read_are_said_to_be_damaged(house: House, ledger_url: str, tmp_path: Path) -> None:
    """As all else of a tournament that cannot be read."""
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=2))
    house.look()
    damage("HSET", "t:spring", "schedule", "[]")(house.store)
    status, said = await asked(house, ledger_url, tmp_path)
    assert (status, said["error"]["reason"]) == (409, "DAMAGED_TOURNAMENT")
