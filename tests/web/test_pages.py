"""Pages and API over a real server and a real store."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest

from ladder.app import LadderApp
from ladder.errors import UnknownNameError
from ladder.settings import LadderSettings
from ladder.store import Store
from ladder.web.headers import HEADERS
from ladder.web.records import PATH as RECORDS
from ladder.web.times import PATH as TIMES
from tests.ladder_house import FORMAT, RULESET, House
from tests.ladder_running import Reached, Running, reached, running_ladder

pytestmark = pytest.mark.slow

PAGES = [
    pytest.param("/", id="overview"),
    pytest.param("/ladders", id="ladders"),
    pytest.param(f"/ladders/{FORMAT}", id="ladder"),
    pytest.param(f"/ladders/{FORMAT}?sort=bot&order=desc&online=1&min_meetings=1", id="sorted and filtered ladder"),
    pytest.param("/bots", id="bots"),
    pytest.param("/bots/careful", id="bot"),
    pytest.param("/tournaments", id="tournaments"),
    pytest.param("/tournaments/spring-cup", id="tournament"),
    pytest.param("/matches", id="matches"),
    pytest.param("/matches?bot=careful&opponent=random&outcome=rated&tournament=spring-cup", id="filtered matches"),
    pytest.param("/matches/spring-cup.1.1.0", id="rated match"),
    pytest.param("/matches/spring-cup.12.1.1", id="match to come"),
]
EMPTY_PAGES = ["/", "/ladders", "/bots", "/tournaments", "/matches"]


@pytest.mark.parametrize("path", PAGES)
async def test_every_page_is_complete_html(shown: Reached, path: str) -> None:
    """A page has a title, one heading, a caption in each table, and no outside address."""
    answer = await shown.http.get(path)
    text = answer.text
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert text.count("<h1") == 1
    assert text.count("<table") == text.count("<caption")
    assert not re.search(r"""(?:src|href|action)=["']?(?:https?:)?//""", text)
    assert " style=" not in text
    assert "<script>" not in text
    assert 'lang="en"' in text


async def test_an_empty_house_has_pages_too(empty_ladder: Running) -> None:
    """Before anything was played, pages say so."""
    for path in EMPTY_PAGES:
        assert (await empty_ladder.http.get(path)).status_code == 200, path


@pytest.mark.parametrize("path", [*PAGES, pytest.param("/nope", id="404"), pytest.param("/api/v1/bots", id="json")])
async def test_every_answer_carries_the_headers_for_browsers(shown: Reached, path: str) -> None:
    """No script, frame or type that is not ours, on errors as well."""
    answer = await shown.http.get(path)
    assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
    assert "set-cookie" not in answer.headers
    assert "server" not in answer.headers


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
@pytest.mark.parametrize("path", ["/", "/api/v1/bots", "/static/style.css", "/nope"])
async def test_whatever_is_not_reading_is_refused(shown: Reached, method: str, path: str) -> None:
    """There is nothing to write to."""
    answer = await shown.http.request(method, path, content=b"x" * 1000)
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET, HEAD")


async def test_head_is_a_get_without_a_body(shown: Reached) -> None:
    """Tools that only look at headers are served."""
    answer = await shown.http.head("/bots")
    assert (answer.status_code, answer.content) == (200, b"")


async def test_owners_cannot_bring_markup_into_a_page(store: Store, ladder_settings: LadderSettings) -> None:
    """Free text of authors is shown as text."""
    house = House(store)
    house.register("hostile-bot", owner="<script>alert(1)</script>")
    house.store.registry.version("hostile-bot", '"><img src=x onerror=alert(1)>', now_ms=house.tick())
    async with running_ladder(ladder_settings) as running:
        for path in ("/bots", "/bots/hostile-bot", "/"):
            text = (await running.http.get(path)).text
            assert "<script>alert" not in text
            assert "<img src=x" not in text
        assert "&lt;script&gt;alert" in (await running.http.get("/bots")).text


async def test_a_ladder_is_the_same_as_json(ladder: Running, house: House) -> None:
    """Rows have the published fields, and ratings are those of the store."""
    found = (await ladder.http.get(f"/api/v1/ladders/{FORMAT}")).json()
    fields = ["rank", "bot", "elo", "ci95", "meetings", "wins", "ties", "losses", "mean_points", "faults"]
    assert list(found) == [
        "format",
        "ruleset",
        "seq",
        "matches",
        "lower_is_better",
        "weights",
        "house_rounds",
        "standings",
    ]
    assert list(found["standings"][0]) == [*fields, "raw_elo", "luck", "provisional"]
    assert (found["ruleset"], found["seq"], found["matches"]) == (RULESET, 11, 11)
    rated = {tally.bot: tally.micro / 1_000_000 for tally in house.store.ratings.tallies(FORMAT)}
    assert {row["bot"]: row["raw_elo"] for row in found["standings"]} == rated
    assert sum(row["raw_elo"] for row in found["standings"]) == pytest.approx(6000)


async def test_a_tournament_is_the_same_as_json(shown: Reached) -> None:
    """Its state, standings with intervals, and each pair once."""
    found = (await shown.http.get("/api/v1/tournaments/spring-cup")).json()
    assert (found["state"], found["matches"], found["matches_done"], found["deal_seed"]) == ("running", 12, 11, None)
    assert len(found["pairs"]) == 6
    assert all(row["ci95"] > 0 for row in found["standings"])
    assert sum(row["elo"] for row in found["standings"]) == pytest.approx(6000)
    assert {pair["games"] for pair in found["pairs"]} == {10, 20}


async def test_the_deal_seed_is_shown_after_the_end_only(ladder: Running, house: House) -> None:
    """Until a tournament is over nobody can compute its deals."""
    row = house.store.tournaments.get("spring-cup")
    secret = house.store.tournaments.deal_seed("spring-cup").reveal().hex()
    pages = ["/api/v1/tournaments/spring-cup", "/tournaments/spring-cup", "/api/v1/tournaments"]
    assert not [path for path in pages if secret in (await ladder.http.get(path)).text]
    assert row.commitment in (await ladder.http.get("/tournaments/spring-cup")).text
    house.finish("spring-cup")
    assert [path for path in pages if secret in (await ladder.http.get(path)).text] == pages


async def test_a_tournament_of_all_that_never_began_has_all_bots(ladder: Running, house: House) -> None:
    """It has no entrants, and nobody was named; that is not the same as nobody."""
    described = {"format": FORMAT, "all": True, "meetings": 5}
    house.store.tournaments.create("autumn", described, state="cancelled", now_ms=house.clock_ms)
    page = (await ladder.http.get("/tournaments/autumn")).text
    assert '<p class="lead">all bots, 5 meetings of each' in page


async def test_who_was_left_out_of_a_tournament_is_named(ladder: Running, house: House) -> None:
    """Who was asked for and never came is in no table: the page says so."""
    described = {"format": FORMAT, "bots": ["careful", "first", "ghost"], "meetings": 5, "grace_s": 120}
    for name in ("autumn", "winter"):
        house.store.tournaments.create(name, described, state="draft", now_ms=house.clock_ms)
    begun: dict[str, Any] = {"entrants": ["careful@1", "first@1"], "matches": 1, "schedule": "{}"}
    house.store.tournaments.move("autumn", {"draft"}, "running", now_ms=house.clock_ms, **begun)
    page = (await ladder.http.get("/tournaments/autumn")).text
    assert "<strong>ghost was left out at the start: never connected, or retired.</strong>" in page
    assert "left out" not in (await ladder.http.get("/tournaments/winter")).text  # it has not begun


async def test_a_match_is_the_same_as_json(shown: Reached) -> None:
    """A rated match has its complete result; a match to come has none."""
    rated = (await shown.http.get("/api/v1/matches/spring-cup.1.1.0")).json()
    coming = (await shown.http.get("/api/v1/matches/spring-cup.12.1.1")).json()
    assert len(rated["result"]["meetings"]) == 5
    assert (rated["state"], rated["seq"], sum(rated["wins"])) == ("rated", 1, 10)
    assert (coming["state"], coming["result"], coming["ended"], coming["wins"]) == ("ready", None, None, [])


async def test_matches_are_chosen_by_the_words_that_they_are_listed_with(shown: Reached) -> None:
    """Outcomes, not the places where a log is kept."""
    page = (await shown.http.get("/matches?outcome=rated")).text
    assert "<option selected>rated</option>" in page
    assert "archive" not in page
    every = (await shown.http.get("/api/v1/matches?page_size=100")).json()["matches"]
    for outcome in {match["outcome"] for match in every}:
        found = (await shown.http.get(f"/api/v1/matches?page_size=100&outcome={outcome}")).json()["matches"]
        assert found == [match for match in every if match["outcome"] == outcome]


async def test_no_page_of_a_running_match_shows_its_seed(ladder: Running, house: House) -> None:
    """The seed of a match is nowhere before it is revealed."""
    plan = house.match("ladder.uno-classic-2.9.9", ["careful@1", "random@1"])
    seed = b"\x5a" * 32
    house.store.matches.claim(plan.id, "referee-test", house.tick(), seed=seed)
    for path in (f"/matches/{plan.id}", f"/api/v1/matches/{plan.id}"):
        answer = await ladder.http.get(path)
        assert answer.status_code == 200
        assert seed.hex() not in answer.text


async def test_the_history_of_a_bot_ends_at_its_rating(shown: Reached) -> None:
    """One step for its entry and one for each of its rated matches, and it grows with the shown."""
    found = (await shown.http.get(f"/api/v1/bots/careful/history?format={FORMAT}")).json()
    row = next(
        row
        for row in (await shown.http.get(f"/api/v1/ladders/{FORMAT}")).json()["standings"]
        if row["bot"] == "careful@1"
    )
    assert [step["number"] for step in found["history"]] == list(range(7))
    assert found["history"][0]["elo"] == 1500
    assert found["history"][-1]["elo"] == pytest.approx(row["raw_elo"], abs=1e-9)


@pytest.mark.parametrize(
    ("path", "rows", "first"),
    [
        pytest.param(f"/api/v1/ladders/{FORMAT}/standings.csv", 4, "rank", id="ladder"),
        pytest.param("/api/v1/tournaments/spring-cup/standings.csv", 4, "rank", id="tournament"),
        pytest.param("/api/v1/tournaments/spring-cup/pairs.csv", 6, "a", id="pairs"),
        pytest.param("/api/v1/bots.csv", 4, "name", id="bots"),
        pytest.param("/api/v1/matches.csv?bot=careful", 6, "id", id="matches"),
    ],
)
async def test_tables_come_as_csv(shown: Reached, path: str, rows: int, first: str) -> None:
    """A line of headings and one line a row, as a download."""
    answer = await shown.http.get(path)
    lines = list(csv.reader(io.StringIO(answer.text)))
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert answer.headers["content-disposition"].startswith("attachment")
    assert (len(lines), lines[0][0]) == (rows + 1, first)
    assert len({len(line) for line in lines}) == 1


async def test_the_api_names_its_addresses(shown: Reached) -> None:
    """Every address that the index names is there."""
    addresses = (await shown.http.get("/api/v1")).json()["addresses"]
    values = {"{format}": FORMAT, "{id}": "spring-cup.1.1.0"}
    for address in addresses:
        name = "spring-cup" if "tournaments" in address else "careful"
        path = address.replace("{name}", name)
        for placeholder, value in values.items():
            path = path.replace(placeholder, value)
        if path.endswith("/history"):
            path += f"?format={FORMAT}"
        assert (await shown.http.get(path)).status_code == 200, path


async def test_columns_sort_both_ways_and_say_so(shown: Reached) -> None:
    """The sorted column is marked for screen readers, and its link turns it around."""
    text = (await shown.http.get(f"/ladders/{FORMAT}?sort=faults")).text
    assert 'aria-sort="descending"' in text
    assert 'href="?sort=faults&amp;order=asc"' in text
    turned = (await shown.http.get(f"/ladders/{FORMAT}?sort=faults&order=asc")).text
    assert 'aria-sort="ascending"' in turned


async def test_probes_tell_life_and_readiness(shown: Reached) -> None:
    """Both are green while the store answers."""
    live, ready = await shown.http.get("/livez"), await shown.http.get("/readyz")
    assert [(answer.status_code, answer.json()) for answer in (live, ready)] == [(200, {"ok": True})] * 2


async def test_the_favicon_is_a_picture(shown: Reached) -> None:
    """Browsers ask for it on every site."""
    answer = await shown.http.get("/favicon.ico")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")


async def test_the_api_is_documented(shown: Reached) -> None:
    """docs/ladder.md names every address of the API and no other."""
    text = (Path(__file__).parents[2] / "docs" / "ladder.md").read_text("utf-8")
    addresses = (await shown.http.get("/api/v1")).json()["addresses"]
    assert set(re.findall(r"`(/api/v1[^`]*)`", text)) == {*addresses, RECORDS, TIMES}


def test_every_setting_is_documented() -> None:
    """docs/ladder.md names every variable that the ladder reads, but those for tests."""
    root = Path(__file__).parents[2]
    text = (root / "docs" / "ladder.md").read_text("utf-8").replace("`_WEB`, `_METRICS`", "")
    text += " LASTCARD_LADDER_WEB LASTCARD_LADDER_METRICS LASTCARD_STATE LASTCARD_ALLOW_VOLATILE"
    read = set(re.findall(r'"(LASTCARD_[A-Z_]+)"', (root / "ladder" / "settings.py").read_text("utf-8")))
    assert {name for name in read if name not in text} == set()


async def test_a_tournament_is_shown_whose_format_nobody_knows(house: House, ladder_settings: LadderSettings) -> None:
    """The organiser took it out of the file: all is there but the table, and why is said."""

    def gone(format_name: str) -> None:
        raise UnknownNameError("UNKNOWN_FORMAT", "it was taken out", field="format", value=format_name)

    async with LadderApp(ladder_settings, gone) as app, reached(await app.start()) as found:
        page = await found.http.get("/tournaments/spring-cup")
        whole = (await found.http.get("/api/v1/tournaments/spring-cup")).json()
        rows = await found.http.get("/api/v1/tournaments/spring-cup/standings.csv")
    assert page.status_code == 200
    assert "does not know the format any more" in page.text
    assert (whole["format_known"], whole["standings"], whole["state"]) == (False, [], "running")
    assert whole["matches_done"] > 0
    assert (rows.status_code, len(rows.text.splitlines())) == (200, 1)


async def test_a_tournament_whose_format_is_known_says_so(shown: Reached) -> None:
    """Whoever reads the JSON need not ask."""
    assert (await shown.http.get("/api/v1/tournaments/spring-cup")).json()["format_known"] is True
