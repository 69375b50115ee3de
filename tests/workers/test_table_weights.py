"""The weights that a tournament says its ratings were corrected with."""

from __future__ import annotations

from csv import DictReader
from dataclasses import replace
from io import StringIO

import pytest

from ladder.corrections import correction_for
from ladder.readings.tournament_tables import TournamentTables
from ladder.readings.weighing import Weighing
from ladder.shapes import pairs_csv, standings_csv
from ladder.store.audit import Deed
from ladder.timeline import Change
from tests.workers.house import House, spec
from tests.workers.small_referee import FORMAT
from workers.engine import gifts_of, terms
from workers.fortune import Fortune
from workers.tournaments.tournament_status import status_shape
from workers.tournaments.tournament_text import show_tournament
from workers.tournaments.wire import status_of, status_to

pytestmark = pytest.mark.slow


def test_a_table_names_all_weights_that_it_was_corrected_with(house: House) -> None:
    """The earliest first, where they changed while it was played: over the wire, as JSON and for people."""
    store, shipped = house.store, correction_for(terms(FORMAT).ruleset)
    assert shipped is not None
    own = replace(shipped, beta=dict.fromkeys(shipped.beta, 0.1), rounds=2_000)
    house.enter("alpha", "beta", "gamma")
    house.create(spec("spring", "alpha", "beta", "gamma", meetings=2))
    house.look()
    house.referee.play(house.now_ms, 1)
    house.look()
    assert store.ratings.seq(FORMAT) == 1
    assert store.weights.add(
        FORMAT, 0, 0, Change(0, 1, 1, own, at_ms=1), Deed("tester", "weights", FORMAT, "a trial", 1)
    )
    house.play("spring")
    house.look()
    tables = TournamentTables(store.matches, store.ratings, weighing=Weighing.of(store))
    house.desk = replace(house.desk, table_of=tables.get)
    assert status_shape(house.desk.get("spring"))["lc_versions"] == []
    Fortune(store, gifts_of).compute(house.referee.played)
    told = status_of(status_to(house.desk.get("spring")))
    assert told.table.lc_versions == (shipped.version, own.version)
    assert status_shape(told)["lc_versions"] == [shipped.version, own.version]
    for text in (standings_csv(told.table), pairs_csv(told.table)):
        assert {row["lc_versions"] for row in DictReader(text.splitlines())} == {f"{shipped.version};{own.version}"}
    said = StringIO()
    show_tournament(told, said)
    assert f"luck: weights {shipped.version}, then {own.version}" in said.getvalue()
