"""Matches that are watched, on pages and as JSON: what is drawn, what is refused, and who is counted."""

from __future__ import annotations

from dataclasses import replace
from ipaddress import ip_network

import pytest

from ladder.readings import gallery
from ladder.settings import LadderSettings
from lastcard.proxies import HEADER, Proxies
from tests.ladder_house import House
from tests.ladder_running import Running, running_ladder
from tests.ladder_service.test_gallery import END, MATCH, TABLE, Hall
from tests.ladder_service.test_watch_cli import EVENTS

pytestmark = pytest.mark.slow

OTHER = "ladder.uno-classic-2.7.1"
LIVE = f"/api/v1/matches/{MATCH}/live"


@pytest.fixture
def hall(ladder: Running, house: House) -> Hall:
    """A match that is being played, beside a ladder that shows it."""
    return Hall(house)


async def test_json_has_what_everybody_may_see(ladder: Running, hall: Hall) -> None:
    """Every time the whole table, since whoever asks may have asked for the first time."""
    assert (await ladder.http.get(LIVE)).json()["live"] == "waiting"
    hall.show(replace(TABLE, events=EVENTS), whole=True)
    ladder.app.reads.gallery._watched.clear()  # half a second has passed
    (table,) = (await ladder.http.get(LIVE)).json()["tables"]
    assert [event["card"] for event in table["events"]] == [None, "R5", None]
    assert table["story"] == ["random@1 played R5", "careful@1 drew a card"]
    assert (table["top"], table["color"], table["direction"], table["turn"]) == ("R4", "R", "clockwise", 1)
    assert table["seats"][0] == {"bot": "careful@1", "cards": 7, "score": 0}
    assert not {"hand", "hands", "options", "seed", "nonces"} & table.keys()


async def test_a_page_draws_the_table_without_javascript(ladder: Running, hall: Hall) -> None:
    """Cards with their names, who is to move, what happened; nothing of style or script stands in the page."""
    hall.show(replace(TABLE, events=EVENTS), replace(TABLE, game=1, end=END), whole=True)
    text = (await ladder.http.get(f"/matches/{MATCH}")).text
    assert 'class="face red large" title="Red 4"' in text
    assert 'random@1 <span class="badge info">turn</span>' in text
    assert "careful@1 drew a card" in text
    assert "Game 2: careful@1 won, a hand is empty (careful@1 +34)" in text
    assert " style=" not in text


async def test_too_many_matches_are_refused_and_the_page_says_so(
    ladder: Running, hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """429 for programs; a page shows all else of the match."""
    monkeypatch.setattr(gallery, "MOST_EACH", 1)
    hall.begin(OTHER)
    assert (await ladder.http.get(LIVE)).status_code == 200
    refused = await ladder.http.get(f"/api/v1/matches/{OTHER}/live")
    assert (refused.status_code, refused.json()["error"]["reason"]) == (429, "TOO_MANY_WATCHED")
    page = await ladder.http.get(f"/matches/{OTHER}")
    assert page.status_code == 200
    assert "at most 1 matches are watched from one address" in page.text


async def test_who_is_behind_a_proxy_is_counted_for_himself(
    hall: Hall, ladder_settings: LadderSettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what a trusted proxy says; nobody else's word counts."""
    monkeypatch.setattr(gallery, "MOST_EACH", 1)
    hall.begin(OTHER)
    addresses = [LIVE, f"/api/v1/matches/{OTHER}/live"]
    for proxies, last in ((Proxies((ip_network("127.0.0.1"),)), 200), (Proxies(), 429)):
        async with running_ladder(ladder_settings, proxies=proxies) as ladder:
            for path, caller, status in zip(addresses, ("192.0.2.1", "192.0.2.2"), (200, last), strict=True):
                assert (await ladder.http.get(path, headers={HEADER: caller})).status_code == status


async def test_a_match_that_cannot_be_watched_is_refused(ladder: Running, hall: Hall) -> None:
    """No name, no such match, a parameter that there is not."""
    found = [
        await ladder.http.get(path)
        for path in ("/api/v1/matches/NO/live", "/api/v1/matches/no.1.1.0/live", f"{LIVE}?after=1")
    ]
    reasons = [(answer.status_code, answer.json()["error"]["reason"]) for answer in found]
    assert reasons == [(400, "BAD_NAME"), (404, "UNKNOWN_MATCH"), (400, "UNKNOWN_PARAMETER")]
