"""The luck of a match, on its page and as JSON."""

from __future__ import annotations

import pytest

from ladder.corrections import correction_for
from ladder.store.gifts import MatchGifts
from referee import formats
from tests.ladder_house import FORMAT, House
from tests.ladder_running import Running

MATCH = "spring-cup.1.1.0"


def give(house: House, games: int = 10) -> str:
    """Keep the luck of a match, as if it had been played by the rules of today; returns the version of the weights."""
    store, ruleset = house.store, formats.get(FORMAT).rules.hash
    store.link.read("HSET", store.keys.match(MATCH), "ruleset", ruleset)
    correction = correction_for(ruleset)
    assert correction is not None
    one, other = ((1_000_000, *(0,) * 7), (0,) * 8)
    assert store.gifts.put(MATCH, "spring-cup", MatchGifts(correction.terms, ((one, other),) * games))
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


async def test_a_game_that_was_never_dealt_has_none(ladder: Running, house: House) -> None:
    """Where only some are known, the others show a dash."""
    give(house, games=9)
    page = (await ladder.http.get(f"/matches/{MATCH}")).text
    assert page.count('<td>\N{EN DASH}</td><td class="num">1</td>') == 1
