"""The weights that are shipped are those of the rules that are offered."""

from __future__ import annotations

import pytest

from ladder.corrections import FOLDER, correction_for, shipped
from referee import formats
from referee.luck import correctable
from referee.rules.luck.watch import terms_of
from tests.soak.luck import correction_name

NAMES = [name for name in formats.names() if correctable(formats.get(name).rules)]


@pytest.mark.parametrize("name", NAMES)
def test_every_offered_format_has_its_weights(name: str) -> None:
    """For its ruleset as it is now and the terms of its game; else `./dev soak luck --only FORMAT` fits them anew."""
    rules = formats.get(name).rules
    found = correction_for(rules.hash)
    assert found is not None, f"./dev soak luck --only {name}"
    assert found.name == correction_name(name)
    assert found.terms == terms_of(rules)
    assert found.rounds >= 20_000
    assert formats.get(f"{name}-fast").rules.hash == found.ruleset


def test_no_file_is_left_over() -> None:
    """Each file is of a format that is offered, and no two are of one ruleset."""
    files = {file.name.removesuffix(".json") for file in FOLDER.iterdir() if file.name.endswith(".json")}
    assert files == {correction_name(name) for name in NAMES} == {one.name for one in shipped().values()}


def test_rules_that_nobody_ships_weights_for_have_none() -> None:
    """Then luck stays in the results."""
    assert correction_for("0" * 16) is None
    assert correction_for(formats.get("uno-classic-500-2").rules.hash) is None
