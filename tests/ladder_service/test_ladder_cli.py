"""The commands about ladders, as they are typed, against a running ladder and its store."""

from __future__ import annotations

import pytest

from ladder.anomaly import Anomaly, Kind
from ladder.readings.reports import Report
from ladder.store.reports import NightReport
from tests.ladder_house import FORMAT, House
from tests.ladder_running import Running
from tests.ladder_service.typed import Type

pytestmark = pytest.mark.slow


async def test_show_a_ladder(run: Type) -> None:
    """Rows for programs and for people, by argument or option, as many as wanted."""
    whole = (await run("ladder", "show", FORMAT, "--json")).json
    best = (await run("ladder", "show", "--format", FORMAT, "--limit", "1", "--json")).json
    table = (await run("ladder", "show", FORMAT)).out
    assert (whole["format"], whole["seq"], len(whole["standings"])) == (FORMAT, 11, 4)
    assert best["standings"] == whole["standings"][:1]
    assert table.splitlines()[0].endswith("11 matches rated")
    assert all(row["bot"] in table for row in whole["standings"])


async def test_the_history_of_a_ladder_adds_up(run: Type) -> None:
    """Each change begins where the one before it ended."""
    found = (await run("ladder", "history", FORMAT, "--limit", "1000", "--json")).json["history"]
    elo = dict.fromkeys(("careful@1", "first@1", "greedy@1", "random@1"), 1500.0)
    for change in found:
        for bot in change["bots"]:
            assert bot["before"] == elo[bot["bot"]]
            elo[bot["bot"]] = bot["after"]
    assert len(found) == 4 + 11
    assert sum(elo.values()) == pytest.approx(6000, abs=1e-6)
    of_bot = (await run("ladder", "history", FORMAT, "--bot", "random", "--limit", "3", "--json")).json["history"]
    assert [change["seq"] for change in of_bot] == [change["seq"] for change in found if "random@1" in str(change)][-3:]


async def test_a_sound_ladder_is_equal_and_audits_well(run: Type) -> None:
    """Bit for bit, and every match is what the ledger says."""
    rebuilt, audited = await run("ladder", "rebuild", "--json"), await run("ladder", "audit", "--json")
    ladder = {"format": FORMAT, "equal": True, "matches": 11, "differences": []}
    assert (rebuilt.code, rebuilt.json) == (0, {"equal": True, "ladders": [ladder]})
    report = {"format": FORMAT, "ok": True, "matches": 11, "findings": [], "report": None}
    assert (audited.code, audited.json) == (0, {"ok": True, "ladders": [report]})
    assert "equal, bit for bit" in (await run("ladder", "rebuild", FORMAT)).out


async def test_an_audit_says_what_is_odd(run: Type, house: House, ladder: Running) -> None:
    """What the last nightly look found: exit 1, on the page and in the API, too, and counted for Prometheus."""
    assert "nobody has looked through its results yet" in (await run("ladder", "audit", FORMAT)).out
    odd = Anomaly(Kind.DUEL, ("careful@1", "random@1"), 0.2, 6.0, 300)
    text = Report(1_700_000_000_000, 11, 0, (odd,), None).text()
    assert house.store.reports.put(FORMAT, NightReport(0, 11, 1_700_000_000_000, text))
    audited = await run("ladder", "audit", FORMAT, "--json")
    assert (audited.code, audited.json["ok"]) == (1, False)
    (told,) = audited.json["ladders"]
    assert (told["findings"], told["report"]["at"]) == ([], "2023-11-14T22:13:20.000Z")
    assert told["report"]["anomalies"] == [odd.shape()]
    out = (await run("ladder", "audit", FORMAT)).out
    assert odd.sentence() in out
    assert "last looked through 2023-11-14T22:13:20.000Z: 11 matches, 1 anomaly" in out
    assert (await ladder.http.get(f"/api/v1/ladders/{FORMAT}/report")).json()["report"] == told["report"]
    page = (await ladder.http.get(f"/ladders/{FORMAT}")).text
    assert "careful@1 scores more against random@1 than their ratings explain" in page
    scraped = (await ladder.http.get(f"http://{ladder.addresses.metrics}/metrics")).text
    assert f'lastcard_ladder_anomalies{{format="{FORMAT}"}} 1.0' in scraped


async def test_a_ladder_that_nobody_has_looked_through_has_no_report(ladder: Running) -> None:
    """And its page says nothing of it."""
    assert (await ladder.http.get(f"/api/v1/ladders/{FORMAT}/report")).json() == {"format": FORMAT, "report": None}
    assert "What is odd" not in (await ladder.http.get(f"/ladders/{FORMAT}")).text


async def test_a_rating_that_somebody_changed_is_found(run: Type, house: House) -> None:
    """A rating beside the log is a difference, exit 1."""
    key = house.store.keys.ladder(FORMAT, "rating")
    house.store.link.read("ZADD", key, 1_600_000_000, "random@1")
    rebuilt, audited = await run("ladder", "rebuild", FORMAT, "--json"), await run("ladder", "audit", FORMAT, "--json")
    assert (rebuilt.code, rebuilt.json["equal"]) == (1, False)
    assert (audited.code, audited.json["ok"]) == (1, False)
    assert any("random@1" in finding for finding in audited.json["ladders"][0]["findings"])


async def test_a_result_that_somebody_changed_is_found(run: Type, house: House) -> None:
    """The ledger's result has to be the one that was applied."""
    key = house.store.keys.match("spring-cup.1.1.0")
    row = house.store.matches.get("spring-cup.1.1.0")
    house.store.link.read("HSET", key, "result", row.result.replace('"rounds":1', '"rounds":2', 1))
    audited = await run("ladder", "audit", FORMAT, "--json")
    assert audited.code == 1
    assert len(audited.json["ladders"][0]["findings"]) == 2
