"""Matches about which something has changed: declared void, or of a format that the file has otherwise by now."""

from __future__ import annotations

import re

import pytest

from ladder.app import LadderApp
from ladder.reasons import ALL_ABSENT
from ladder.settings import LadderSettings
from ladder.store import Store
from tests.ladder_house import House
from tests.ladder_running import Running, reached

BOT = "careful"


def sample(page: str) -> int:
    """Return of how many matches a page tells what the bot did by seat."""
    (count,) = set(re.findall(r"Of the (?:(\d+) )?newest finished match", page))
    return int(count or 1)


async def test_what_a_bot_did_is_told_of_matches_that_count(ladder: Running, house: House) -> None:
    """One that is void is in its list, and neither its games nor its faults are added up."""
    before = (await ladder.http.get(f"/bots/{BOT}")).text
    rows = house.store.matches.page(bot=BOT, limit=100).rows
    for row in [row for row in rows if row.result][1:]:
        house.store.matches.annul(row.id, "wrong", house.tick())
    after = (await ladder.http.get(f"/bots/{BOT}")).text
    assert (sample(before) > 1, sample(after)) == (True, 1)
    assert ">void<" in after.partition('id="matches"')[2]


@pytest.mark.parametrize("teams", [(0,), (0, 1, 0, 1)], ids=["fewer", "more"])
async def test_a_format_that_has_other_seats_by_now(
    house: House, ladder_settings: LadderSettings, teams: tuple[int, ...]
) -> None:
    """Who won with whom is not known any more; all else is shown."""
    async with LadderApp(ladder_settings, lambda _format: teams) as app, reached(await app.start()) as found:
        for path in ("/", "/matches", f"/bots/{BOT}", "/tournaments/spring-cup", "/matches/spring-cup.1.1.0"):
            assert (await found.http.get(path)).status_code == 200, path
        api = await found.http.get("/api/v1/matches")
    assert (api.status_code, len(api.json()["matches"]) > 1) == (200, True)
    assert {tuple(match["wins"]) for match in api.json()["matches"]} == {()}


async def test_a_match_that_was_played_again_leads_on_and_back(store: Store, empty_ladder: Running) -> None:
    """On its page and in its JSON, each attempt names the one before and the one after it."""
    house, first = House(store), "cup.1.1.0"
    ids = [first, f"{first}.r2", f"{first}.r3"]
    pair = house.register("careful", "random")
    house.tournament("cup", pair, 1)
    for number, match in enumerate(ids):
        if number:
            store.matches.void(ids[number - 1], "a wrong deal", "ann", house.tick())
        house.match(match, pair, tournament="cup")
    for match, before, after in zip(ids, [None, *ids], [*ids[1:], None], strict=False):
        page = (await empty_ladder.http.get(f"/matches/{match}")).text
        linked = [other for other in ids if f'<a href="/matches/{other}">' in page]
        assert linked == [other for other in (before, after) if other]
        found = (await empty_ladder.http.get(f"/api/v1/matches/{match}")).json()
        assert (found["replay_of"], found["replayed_as"]) == (before, after)


async def test_what_was_played_of_a_void_match_is_shown_nowhere(ladder: Running, house: House) -> None:
    """Its page, its JSON and lists say the same of it, though it was rated and the ledger has its result."""
    match = "spring-cup.1.1.0"
    before = (await ladder.http.get(f"/api/v1/matches/{match}")).json()
    assert (before["rated"], bool(before["result"]), bool(before["wins"])) == (True, True, True)
    assert "Every game" in (await ladder.http.get(f"/matches/{match}")).text
    house.store.matches.annul(match, "a wrong deal", house.tick())
    assert house.store.matches.get(match).result
    after = (await ladder.http.get(f"/api/v1/matches/{match}")).json()
    shown = ("state", "rated", "result", "digest", "luck", "wins", "faults", "games_done", "reason")
    assert [after[part] for part in shown] == ["void", False, None, None, None, [], [], 0, "a wrong deal"]
    page = (await ladder.http.get(f"/matches/{match}")).text
    assert "a wrong deal. It counts for nobody, and nothing of what was played is shown." in page
    for words in ("Every game", "Digest of the result", "Records of all games"):
        assert words not in page
    listed = (await ladder.http.get("/api/v1/matches?state=void")).json()["matches"]
    assert [(one["id"], one["wins"], one["faults"], one["games_done"]) for one in listed] == [(match, [], [], 0)]


async def test_the_page_of_a_match_to_which_nobody_came_says_so_in_words(store: Store, empty_ladder: Running) -> None:
    """And that of its tournament; JSON keeps the one word."""
    house = House(store)
    pair = house.register("careful", "random")
    house.tournament("cup", pair, 1)
    house.match("cup.1.1.0", pair, tournament="cup")
    store.matches.void("cup.1.1.0", ALL_ABSENT, "ref", house.tick())
    assert "none of its bots was there. It counts" in (await empty_ladder.http.get("/matches/cup.1.1.0")).text
    for page in ("/tournaments/cup", "/tournaments", "/"):
        assert "0 of 1 match, 1 void (why: none of its bots was there)" in (await empty_ladder.http.get(page)).text
    assert (await empty_ladder.http.get("/api/v1/matches/cup.1.1.0")).json()["reason"] == ALL_ABSENT
    document = (await empty_ladder.http.get("/api/v1/tournaments/cup")).json()
    assert document["voids"] == [{"reason": ALL_ABSENT, "matches": 1}]
