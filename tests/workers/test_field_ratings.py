"""A tournament on shared deals, from its plan to its table: what a deal did at all tables is in no rating."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ladder.corrected import fitted
from ladder.results import MatchResult
from tests.workers.house import House, spec
from workers.engine import deals_of
from workers.tournaments.life import State
from workers.tournaments.spec import Deals

pytestmark = pytest.mark.slow

NAMES = tuple(f"bot-{number:02}" for number in range(16))


@pytest.mark.parametrize("deals", [Deals.FIELD, Deals.FRESH])
def test_ratings_of_a_tournament_regard_its_deals(house: House, deals: Deals) -> None:
    """All bots play alike: on shared deals the cards decide the same at every table, so nobody is better than another.

    On fresh deals the same code makes the fit that it always made.
    """
    shared = deals is Deals.FIELD
    house.enter(*NAMES, formats=("uno-classic-2-field" if shared else "uno-classic-2",))
    house.create(replace(spec("spring", *NAMES, meetings=2), deals=deals, trusted=True))
    assert house.play("spring") is State.FINISHED

    rows = sorted(house.store.matches.page(tournament="spring", limit=500).rows, key=lambda row: row.id)
    results = [MatchResult.of(row, None, deals_of(row)) for row in rows]
    bots = house.store.tournaments.get("spring").entrants
    tables = {deal: sum(deal in result.deals for result in results) for result in results for deal in result.deals}
    assert set(tables.values()) == ({8} if shared else set())

    regarded = fitted(bots, results)
    plain = fitted(bots, [replace(result, deals=()) for result in results])
    shown = {row.bot: row for row in house.desk.get("spring").table.standings}
    assert [shown[bot].elo - 1500 for bot in bots] == pytest.approx([regarded.elo[bot] for bot in bots])
    assert [shown[bot].ci95 for bot in bots] == pytest.approx([regarded.ci95(bot) for bot in bots])
    widths = [np.mean([found.ci95(bot) for bot in bots]) for found in (regarded, plain)]
    spreads = [np.std(list(found.elo.values())) for found in (regarded, plain)]
    if shared:
        assert widths[0] < widths[1] / 2
        assert spreads[0] < spreads[1] / 2
    else:
        assert (widths[0], spreads[0], regarded.elo) == (widths[1], spreads[1], plain.elo)
