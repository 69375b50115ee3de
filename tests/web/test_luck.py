"""The luck of a match, on its page and as JSON."""

from __future__ import annotations

import csv
from dataclasses import replace

import pytest

from ladder.corrections import correction_for
from ladder.standings import Fitted
from ladder.store.audit import Deed
from ladder.store.fits import LadderFit
from ladder.store.gifts import MatchGifts
from ladder.timeline import Change
from referee import formats
from tests.ladder_house import FORMAT, House
from tests.ladder_running import Running

pytestmark = pytest.mark.slow

MATCH = "spring-cup.1.1.0"


def give(house: House, games: int = 10, match: str = MATCH) -> str:
    """Keep the luck of a match, as if it had been played by the rules of today; returns the version of the weights."""
    store, ruleset = house.store, formats.get(FORMAT).rules.hash
    store.link.read("HSET", store.keys.match(match), "ruleset", ruleset)
    correction = correction_for(ruleset)
    assert correction is not None
    one, other = ((1_000_000, *(0,) * 7), (0,) * 8)
    assert store.gifts.put(match, "spring-cup", MatchGifts(correction.terms, ((one, other),) * games))
    return correction.version


async def test_before_luck_is_known_nothing_is_said_of_it(ladder: Running, house: House) -> None:
    """No column, and null in JSON."""
    assert (await ladder.http.get(f"/api/v1/matches/{MATCH}")).json()["luck"] is None
    assert "Luck" not in (await ladder.http.get(f"/matches/{MATCH}")).text


async def test_the_luck_of_every_game_is_shown(ladder: Running, house: House) -> None:
    """By entrant in JSON, by seat on the page; the two of a game cancel."""
    version = give(house)
    luck = (await ladder.http.get(f"/api/v1/matches/{MATCH}")).json()["luck"]
    assert luck["lc_version"] == version
    assert len(luck["games"]) == 10
    for game in luck["games"]:
        assert sum(game) == pytest.approx(0)
        assert game[0] > 0
    page = (await ladder.http.get(f"/matches/{MATCH}")).text
    assert version in page
    assert f"<td>{luck['games'][0][0]:+.2f} · {luck['games'][0][1]:+.2f}</td>" in page


async def test_a_tournament_says_which_weights_its_ratings_are_corrected_with(ladder: Running, house: House) -> None:
    """On its page and as JSON."""
    store, address = house.store, "/tournaments/spring-cup"
    store.link.read("HSET", store.keys.formats, FORMAT, formats.get(FORMAT).rules.hash)
    rated = [row for row in store.matches.page(tournament="spring-cup", limit=100).rows if row.result]
    (version,) = {give(house, match=row.id) for row in rated}
    document = (await ladder.http.get(f"/api/v1{address}")).json()
    assert document["lc_versions"] == [version]
    assert all(row["luck"] is not None for row in document["standings"])
    page = (await ladder.http.get(address)).text
    assert f"by the weights <code>{version}</code>." in page
    assert '<th scope="col" class="num">Raw Elo</th><th scope="col" class="num">Luck</th>' in page
    assert all(f'<td class="num">{row["raw_elo"]:.0f}</td>' in page for row in document["standings"])
    assert '<th scope="col" class="num">Ranks</th>' in page
    may = {row["bot"]: row for row in document["ranks"]}
    rows = list(csv.DictReader((await ladder.http.get(f"/api/v1{address}/standings.csv")).text.splitlines()))
    assert [(row["best_rank"], row["worst_rank"]) for row in rows] == [
        (str(may[row["bot"]]["best"]), str(may[row["bot"]]["worst"])) for row in rows
    ]
    for table in ("standings", "pairs"):
        lines = (await ladder.http.get(f"/api/v1{address}/{table}.csv")).text.splitlines()
        assert [line.rpartition(",")[2] for line in lines] == ["lc_versions", *[version] * len(document[table])]


async def test_a_tournament_with_luck_in_its_ratings_names_no_weights(ladder: Running) -> None:
    """Nothing is shipped for its rules."""
    assert (await ladder.http.get("/api/v1/tournaments/spring-cup")).json()["lc_versions"] == []
    page = (await ladder.http.get("/tournaments/spring-cup")).text
    assert "is taken out of the ratings by the weights" not in page
    assert "Raw Elo" not in page
    lines = (await ladder.http.get("/api/v1/tournaments/spring-cup/standings.csv")).text.splitlines()
    assert [line.rpartition(",")[2] for line in lines] == ["lc_versions", *[""] * 4]


async def test_a_game_that_was_never_dealt_has_none(ladder: Running, house: House) -> None:
    """Where only some are known, the others show a dash."""
    give(house, games=9)
    page = (await ladder.http.get(f"/matches/{MATCH}")).text
    assert page.count('<td>\N{EN DASH}</td><td class="num">1</td>') == 1


async def test_where_luck_stays_in_no_weights_are_spoken_of(ladder: Running) -> None:
    """Nothing is shipped for the rules of this ladder."""
    assert "<strong>Luck</strong>" not in (await ladder.http.get(f"/ladders/{FORMAT}")).text


async def test_the_page_of_a_ladder_says_which_weights_hold(ladder: Running, house: House) -> None:
    """The shipped ones, and those of its own from a match on."""
    store = house.store
    ruleset = formats.get(FORMAT).rules.hash
    store.link.read("HSET", store.keys.formats, FORMAT, ruleset)
    shipped = correction_for(ruleset)
    assert shipped is not None
    own = replace(shipped, beta=dict.fromkeys(shipped.beta, 0.1), rounds=2_000)
    change = Change(0, 11, 11, own, at_ms=1)
    assert store.weights.add(FORMAT, 0, 0, change, Deed("tester", "weights", FORMAT, "a trial", 1))
    assert store.ratings.seq(FORMAT) == 11
    said = " ".join((await ladder.http.get(f"/ladders/{FORMAT}")).text.split())
    told = f"<code>{shipped.version}</code> as they are shipped, <code>{own.version}</code> from match number 12"
    assert told in said
    assert "fitted on 2000 earlier rounds of this ladder." in said
    assert "What the house usually scores was measured on" in said


@pytest.mark.parametrize(
    ("luck", "words"),
    [
        pytest.param(None, "is in all ratings that are shown. Where workers compute it, it is taken out of", id="in"),
        pytest.param(0.1, "is taken out of", id="out"),
    ],
)
async def test_the_page_of_a_ladder_says_whether_luck_is_in_what_it_shows(
    ladder: Running, house: House, luck: float | None, words: str
) -> None:
    """Whatever weights hold, until there is a fit that took it out."""
    store = house.store
    store.link.read("HSET", store.keys.formats, FORMAT, formats.get(FORMAT).rules.hash)
    rows = {tally.bot: Fitted(1500.0, 20.0, luck) for tally in store.ratings.tallies(FORMAT)}
    counts = store.ratings.generation(FORMAT), store.ratings.seq(FORMAT)
    assert store.fits.put(FORMAT, LadderFit(*counts, at_ms=1, took_ms=1, pending=0, rows=rows))
    page = (await ladder.http.get(f"/ladders/{FORMAT}")).text
    assert f"<strong>Luck</strong> {words} every match by the weights that held when it was rated" in page


async def test_the_page_of_a_ladder_says_where_the_shipped_weights_hold_again(ladder: Running, house: House) -> None:
    """They are none of its own."""
    store, ruleset = house.store, formats.get(FORMAT).rules.hash
    store.link.read("HSET", store.keys.formats, FORMAT, ruleset)
    shipped = correction_for(ruleset)
    assert shipped is not None
    deed = Deed("tester", "weights", FORMAT, "a trial", 1)
    assert store.weights.add(FORMAT, 0, 0, Change(0, 0, 0, shipped, at_ms=1), deed)
    said = " ".join((await ladder.http.get(f"/ladders/{FORMAT}")).text.split())
    assert f"<code>{shipped.version}</code> as they are shipped, again from match number 12 on" in said
    assert "earlier rounds of this ladder" not in said
