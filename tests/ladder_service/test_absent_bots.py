"""A bot that left a match: wherever its faults are shown, that is one."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest

from ladder.results import MatchResult
from ladder.store import Store
from ladder.store.ratings import Duplicate
from tests.ladder_house import FORMAT, House
from tests.ladder_running import Running
from tests.ladder_service.typed import Type

MATCH = "spring-cup.12.1.1"


@pytest.fixture
def left(house: House) -> tuple[str, int]:
    """Return a bot that left the last match of a tournament, and the faults that it should have with that one."""
    row = house.store.matches.get(MATCH)
    bot = row.entrants[0]
    before = next(tally.faults for tally in house.store.ratings.tallies(FORMAT) if tally.bot == bot)
    house.play(house.plan_of(row), away=[0])
    return bot, before + 1


async def test_it_is_in_every_table(ladder: Running, left: tuple[str, int]) -> None:
    """Of the ladder, of the tournament, of the match; as page, JSON and CSV."""
    bot, faults = left
    for address in (f"ladders/{FORMAT}", "tournaments/spring-cup"):
        told = (await ladder.http.get(f"/api/v1/{address}")).json()
        assert {row["bot"]: row["faults"] for row in told["standings"]}[bot] == faults
        rows = csv.DictReader((await ladder.http.get(f"/api/v1/{address}/standings.csv")).text.splitlines())
        assert {row["bot"]: row["faults"] for row in rows}[bot] == str(faults)
    assert (await ladder.http.get(f"/api/v1/matches/{MATCH}")).json()["faults"][0] == 1
    assert "1 absent" in (await ladder.http.get(f"/matches/{MATCH}")).text
    page = (await ladder.http.get(f"/bots/{bot.partition('@')[0]}")).text
    assert '<th scope="row">absent</th><td class="num">1</td>' in page


async def test_it_is_among_the_faults_of_its_log(run: Type, left: tuple[str, int]) -> None:
    """`bot log --faults` lists the match, with one fault."""
    listed = (await run("bot", "log", left[0].partition("@")[0], "--faults", "--json")).json["matches"]
    assert [match["faults"][0] for match in listed if match["id"] == MATCH] == [1]


def test_what_an_older_version_applied_stays_as_it_is(store: Store, house: House) -> None:
    """It counted answers alone: the same match again changes nothing, and the ladder is still its log."""
    row = house.store.matches.get(MATCH)
    house.close(house.plan_of(row), faults=[2, 0], away=[0])
    result = MatchResult.of(store.matches.get(MATCH))
    assert result.faults == (3, 0)
    store.ratings.apply(replace(result, faults=(2, 0), away=()))
    assert isinstance(store.ratings.apply(result), Duplicate)
    assert store.ratings.rebuild(FORMAT).equal
