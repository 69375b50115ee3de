"""What tables say beside their numbers: what is not settled, in which order they are, and what a match came to."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ladder.app import LadderApp
from ladder.readings.summaries import OUTCOMES, Wanted, outcome_of
from ladder.settings import LadderSettings
from ladder.standings import Standing
from ladder.store import Store
from ladder.store.rows import MatchRow, MatchState
from ladder.tables import RankRange
from ladder.web.chart import bars
from ladder.web.render import counted
from ladder.web.views import Sorting, standings_view
from tests.ladder_house import FORMAT, House
from tests.ladder_running import Reached, Running, reached
from workers.tournaments.notes import Notes

pytestmark = pytest.mark.slow

ROW = Standing(1, "ann@1", 1520.0, 20.0, 100, 110, 0, 90, 20.0, 0, 1520.0, None, provisional=False)
NEW = replace(ROW, rank=2, bot="new@1", elo=1530.0, ci95=300.0, provisional=True)
WALKED = '{"meetings":[],"forfeits":[{"entrant":1,"reason":"NEVER_CAME"}]}'
MATCH = MatchRow.of(
    {
        **dict.fromkeys(("ruleset", "deals", "tournament", "owner"), "x"),
        **dict.fromkeys(("rules_version", "meetings", "nonces", "rated", "leg", "table", "part", "number"), "1"),
        "id": "cup.1.1.0",
        "format": FORMAT,
        "entrants": '["ann@1","bob@1"]',
        "state": "rated",
        "created_ms": "1",
        "seq": "7",
    }
)


def test_an_unsettled_bar_does_not_stretch_the_scale() -> None:
    """The scale holds the bars of the others, and the rating of this one; its bar ends at the border."""
    one, new = [(1520.0, 20.0), (1480.0, 20.0)], (1530.0, 300.0)
    drawn = bars([*one, new], [True, True, False])
    assert drawn.axis == bars(one).axis
    assert (drawn.bars[2].low, drawn.bars[2].high) == (drawn.axis.start, drawn.axis.end)
    assert bars([*one, new]).axis.low < 1300


def test_a_table_knows_what_has_to_be_explained() -> None:
    """Question marks, dashed bars, and a rating above a higher one."""
    view = standings_view([ROW, NEW], Sorting())
    assert (view.unsettled, view.estimated, view.inverted, view.rated) == (True, False, True, True)
    plain = standings_view([ROW, replace(ROW, rank=2, bot="bob@1", elo=1480.0)], Sorting())
    assert (plain.unsettled, plain.estimated, plain.inverted) == (False, False, False)
    estimated = standings_view([replace(NEW, ci95=None)], Sorting(), {"new@1": 30.0})
    assert estimated.estimated
    assert (plain.by_opponent, plain.undealt, plain.ranged) == (False, False, False)
    larger = replace(ROW, wins=330, losses=270, walkovers=3)
    explained = standings_view([larger], Sorting(), ranks={"ann@1": RankRange("ann@1", 1, 2)})
    assert (explained.by_opponent, explained.undealt, explained.lines[0].ranks) == (True, True, "1-2")
    unrated = standings_view([replace(NEW, ci95=None)], Sorting(), fits=True)
    assert (unrated.rated, unrated.unsettled) == (False, False)


@pytest.mark.parametrize(
    ("row", "outcome"),
    [
        pytest.param(MATCH, "rated", id="on its ladder"),
        pytest.param(replace(MATCH, state=MatchState.ARCHIVED), "rated", id="its log is in the archive"),
        pytest.param(replace(MATCH, state=MatchState.TRIMMED), "rated", id="and nowhere else"),
        pytest.param(replace(MATCH, seq=0), "played", id="it moved no ladder"),
        pytest.param(replace(MATCH, seq=0, result=WALKED), "walkover", id="somebody never came"),
        pytest.param(replace(MATCH, state=MatchState.VOID), "void", id="void"),
        pytest.param(replace(MATCH, state=MatchState.RUNNING), "running", id="not over"),
    ],
)
def test_what_a_match_came_to(row: MatchRow, outcome: str) -> None:
    """Where its log is kept is no part of it."""
    assert outcome_of(row) == outcome
    assert outcome in OUTCOMES
    assert [other for other in OUTCOMES if Wanted(outcome=other).fits(row)] == [outcome]


async def test_pages_say_what_their_numbers_are(shown: Reached) -> None:
    """Legends stand beside their tables, games are numbered from 1, and every count has its noun."""
    ladder = (await shown.http.get(f"/ladders/{FORMAT}")).text
    assert "11 matches rated so far" in ladder
    assert "<strong>?</strong>: not settled yet" in ladder
    bot = (await shown.http.get("/bots/careful")).text
    assert "Live Elo" in bot
    match = (await shown.http.get("/matches/spring-cup.1.1.0")).text
    assert '<th scope="row">1</th>' in match
    assert "0/0" not in match
    assert "of which" not in match
    home = (await shown.http.get("/")).text
    assert "<dt>Matches rated</dt><dd>11</dd>" in home


def test_pages_count_as_commands_do() -> None:
    """One is no plural, and thousands are parted."""
    assert [counted(number, "game") for number in (0, 1, 1000)] == [
        "0 games",
        "1 game",
        "1\N{NARROW NO-BREAK SPACE}000 games",
    ]


def described(house: House, name: str, start_ms: int = 0, **more: object) -> None:
    """Create a tournament that is to start at a moment, or at once."""
    spec = {"name": name, "format": FORMAT, "bots": ["ann", "bob"], "meetings": 1, "cycles": 1, "deals": None}
    spec |= {"kind": "roundrobin", "grace_s": 120} | more
    house.store.tournaments.create(name, spec, state="scheduled", start_ms=start_ms, now_ms=house.tick())


async def test_a_start_that_is_to_come_is_shown(store: Store, empty_ladder: Running) -> None:
    """On its page and in the list, and not once it has begun."""
    house = House(store)
    described(house, "eve", 1_800_039_600_000)
    listed, page = [(await empty_ladder.http.get(path)).text for path in ("/tournaments", "/tournaments/eve")]
    assert 'starts <time datetime="2027-01-15T19:00:00Z">2027-01-15 19:00</time> UTC' in listed
    assert '<dt>To start</dt><dd><time datetime="2027-01-15T19:00:00Z">2027-01-15 19:00</time> UTC</dd>' in page
    described(house, "past", 1_000_000_000_000)
    listed, page = [(await empty_ladder.http.get(path)).text for path in ("/tournaments", "/tournaments/past")]
    assert 'due since <time datetime="2001-09-09T01:46:40Z">' in listed
    assert '<dt>Due since</dt><dd><time datetime="2001-09-09T01:46:40Z">' in page
    described(house, "nightly", cron="0 2 * * *", timezone="Asia/Tokyo")
    assert "<code>0 2 * * *</code>, Asia/Tokyo" in (await empty_ladder.http.get("/tournaments/nightly")).text
    described(house, "begun", 1_800_039_600_000)
    store.tournaments.move("begun", ["scheduled"], "running", now_ms=house.tick(), entrants=["ann@1", "bob@1"])
    assert "To start" not in (await empty_ladder.http.get("/tournaments/begun")).text


async def test_a_match_that_was_played_again_is_no_loss(store: Store, empty_ladder: Running) -> None:
    """The page says what became of it."""
    described(House(store), "cup")
    counts = ("lost", 1, "again", 1, "matches", 3, "done", 3)
    store.link.read("HSET", store.keys.tournament("cup"), *counts)
    assert "3 of 3 matches, 1 void, played again" in (await empty_ladder.http.get("/tournaments/cup")).text


async def test_a_deadline_is_shown_where_tables_wait(store: Store, empty_ladder: Running) -> None:
    """The one that was given, or the one that is so without."""
    house = House(store)
    described(house, "given", deals="field", deadline_s=7)
    described(house, "usual", deals="field")
    described(house, "plain")
    given, usual, plain = [
        (await empty_ladder.http.get(f"/tournaments/{name}")).text for name in ("given", "usual", "plain")
    ]
    assert "<dt>Deadline</dt><dd>7 s: a table that takes longer" in given
    assert "<dt>Deadline</dt><dd>600 s: a table that takes longer" in usual
    assert "Deadline" not in plain


async def test_a_comparison_says_by_what_it_is_judged(store: Store, empty_ladder: Running) -> None:
    """On its page and as JSON; of other tournaments nothing is said."""
    house = House(store)
    described(house, "rivals", sprt={"elo0": 0.0, "elo1": 20.0, "luck": True})
    described(house, "plain")
    rivals, plain = [(await empty_ladder.http.get(f"/tournaments/{name}")).text for name in ("rivals", "plain")]
    assert "<dt>sprt</dt><dd>bounds 0,20, luck taken out</dd>" in rivals
    assert "sprt" not in plain
    asked = [
        (await empty_ladder.http.get(f"/api/v1/tournaments/{name}")).json()["sprt"] for name in ("rivals", "plain")
    ]
    assert asked == [{"bounds": [0, 20], "luck": True}, None]


async def test_a_tournament_of_a_size_says_its_size(store: Store, empty_ladder: Running) -> None:
    """What it comes to is known when it begins; where meetings were given, they are said."""
    house = House(store)
    described(house, "sized", meetings=0, size="quick")
    described(house, "counted")
    sized, given = [(await empty_ladder.http.get(f"/tournaments/{name}")).text for name in ("sized", "counted")]
    assert "2 bots, size quick: its meetings are reckoned when it begins." in sized
    assert "of each pairing or table" not in sized
    assert "2 bots, 1 meeting of each pairing or table." in given
    entrants, notes = ["ann@1", "bob@1"], Notes(meetings=10).text()
    store.tournaments.move("sized", ["scheduled"], "running", now_ms=house.tick(), entrants=entrants, schedule=notes)
    begun = (await empty_ladder.http.get("/tournaments/sized")).text
    assert "2 bots, size quick: 10 meetings of each pairing or table." in begun


async def test_groups_that_never_met_and_who_is_in_no_row_are_named(store: Store, empty_ladder: Running) -> None:
    """On the page of a tournament and as JSON; where all met, nothing is said."""
    house = House(store)
    versions = house.register("ann", "ben", "cat", "dan", "eve")
    house.enter(versions)
    house.connect(*versions)
    house.tournament("cup", versions, 10)
    for number, pair in enumerate((versions[:2], versions[2:4]), 1):
        house.play(house.match(f"cup.{number}.1.0", pair, 5, "cup"))
    page = (await empty_ladder.http.get("/tournaments/cup")).text
    apart = "2 groups of bots never met, directly or through others, so ratings of one cannot be compared with those of"
    assert f"{apart} another: ann and ben; cat and dan." in page
    assert "No match counts so far of eve." in page
    groups = (await empty_ladder.http.get("/api/v1/tournaments/cup")).json()["groups"]
    assert groups == [["ann@1", "ben@1"], ["cat@1", "dan@1"]]
    house.play(house.match("cup.3.1.0", [versions[1], versions[2]], 5, "cup"))
    house.play(house.match("cup.4.1.0", [versions[3], versions[4]], 5, "cup"))
    page = (await empty_ladder.http.get("/tournaments/cup")).text
    assert "never met" not in page
    assert "No match counts" not in page


LOWER = "Points count against a bot: fewer are better."


async def test_where_points_are_bad_the_pages_say_so(house: House, ladder_settings: LadderSettings) -> None:
    """Those of the ladder and of a tournament, and the JSON; elsewhere nothing is said."""
    paths = (f"/ladders/{FORMAT}", "/tournaments/spring-cup")
    for low in (True, False):
        known = {FORMAT: low}
        async with LadderApp(ladder_settings, low_of=known.get) as app, reached(await app.start()) as found:
            for path in paths:
                assert (LOWER in (await found.http.get(path)).text) is low
            shape = (await found.http.get(f"/api/v1/ladders/{FORMAT}")).json()
        assert shape["lower_is_better"] is low


async def test_a_format_without_results_is_told_from_one_that_there_is_not(
    house: House, ladder_settings: LadderSettings
) -> None:
    """Whoever asks for its ladder is told to wait for the first match, and not to look for another name."""
    known = {"dos-2": False}
    async with LadderApp(ladder_settings, low_of=known.get) as app, reached(await app.start()) as found:
        played, strange = [(await found.http.get(f"/api/v1/ladders/{name}")) for name in ("dos-2", "dos-222")]
    assert (played.status_code, strange.status_code) == (404, 404)
    said = played.json()["error"]["message"]
    assert said.startswith("dos-2 can be played here, but has no result yet: its first rated match opens its ladder")
    assert strange.json()["error"]["message"].startswith("there is no ladder of format 'dos-222'; ")
