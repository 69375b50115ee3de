"""The weights that are shipped are those of the rules that are offered."""

from __future__ import annotations

from itertools import pairwise

import pytest

from ladder.corrections import (
    EARLIER_FOLDER,
    FOLDER,
    HOUSE_FOLDER,
    correction_for,
    earlier,
    house_table_for,
    shipped,
)
from ladder.house import LEAST_GAMES, HouseTable
from referee import formats
from referee.house_games import house_name
from referee.luck import correctable
from referee.rules.luck.watch import terms_of
from tests.soak.luck import correction_name

ANEW = {"duo-2", "dos-2", "uno-house-2"}
"""What was fitted again when further terms came: without them it left more than four fifths of the variance."""
NAMES = [name for name in formats.names() if correctable(formats.get(name).rules)]


@pytest.mark.parametrize("name", NAMES)
def test_every_offered_format_has_its_weights(name: str) -> None:
    """For its ruleset as it is now and by terms of its game; else `./dev soak luck --only FORMAT` fits them anew."""
    rules = formats.get(name).rules
    found = correction_for(rules.hash)
    assert found is not None, f"./dev soak luck --only {name}"
    assert found.name == correction_name(name)
    assert found.terms == tuple(term for term in terms_of(rules) if term in found.terms)
    assert (found.terms == terms_of(rules)) is (found.name in ANEW)
    assert found.rounds >= 20_000
    assert formats.get(f"{name}-fast").rules.hash == found.ruleset


def test_no_file_is_left_over() -> None:
    """Each file is of a format that is offered, and no two are of one ruleset."""
    files = {file.name.removesuffix(".json") for file in FOLDER.iterdir() if file.name.endswith(".json")}
    assert files == {correction_name(name) for name in NAMES} == {one.name for one in shipped().values()}


def test_weights_that_were_shipped_before_are_still_known() -> None:
    """Each knows fewer terms than what came after it: so a match tells by its terms which were those of its day."""
    before = {name: earlier(formats.get(name).rules.hash) for name in NAMES}
    assert {correction_name(name) for name, found in before.items() if found} == ANEW
    assert sum(map(len, before.values())) == len([file for file in EARLIER_FOLDER.iterdir() if file.is_file()])
    for name, found in before.items():
        now = correction_for(formats.get(name).rules.hash)
        assert now is not None
        assert all(set(old.terms) < set(new.terms) for new, old in pairwise((now, *found)))


def test_rules_that_nobody_ships_weights_for_have_none() -> None:
    """Then luck stays in the results."""
    assert correction_for("0" * 16) is None
    assert correction_for(formats.get("uno-classic-500-2").rules.hash) is None


def test_tables_of_house_games_are_of_offered_formats() -> None:
    """Each of a ruleset as it is now, and of the house as it plays now; else `./dev soak house_luck` measures anew."""
    files = {file.name.removesuffix(".json"): file for file in HOUSE_FOLDER.iterdir() if file.name.endswith(".json")}
    offered = {correction_name(name): formats.get(name) for name in NAMES}
    for name, file in files.items():
        table, chosen = HouseTable.of(file.read_text("utf-8")), offered[name]
        assert (table.name, table.ruleset, table.house) == (name, chosen.rules.hash, house_name())
        assert len(table.mu) == chosen.seats
        assert sum(table.mu) == pytest.approx(chosen.seats / 2, abs=1e-5)
        assert house_table_for(table.ruleset) == (table if table.rounds >= LEAST_GAMES else None)
    assert {name for name, chosen in offered.items() if chosen.seats == 2} <= files.keys()
    assert all(house_table_for(chosen.rules.hash) for chosen in offered.values() if chosen.seats == 2)


def test_what_nobody_measured_is_not_known() -> None:
    """There is no usual score to fall back on."""
    assert house_table_for("0" * 16) is None
